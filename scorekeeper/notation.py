"""Entries as JSON text and back, for the log. May know: the entries.

What it writes stays readable: a field that is new has a default, and a field that is gone is not reused.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from scorekeeper import rules
from scorekeeper.game import Amended, Begun, Joined, Renamed, Reread, Rolled, Scored
from scorekeeper.history import Entry, Rewound

KINDS: dict[str, Any] = {
    kind.__name__: kind for kind in (Begun, Rolled, Reread, Scored, Amended, Joined, Renamed, Rewound)
}


def write(entry: Entry) -> str:
    """The entry as one line of JSON."""
    plain: dict[str, Any] = {field.name: getattr(entry, field.name) for field in fields(entry)}
    if isinstance(entry, Begun):
        plain["rules"] = rules.as_dict(entry.rules)
    return json.dumps({"event": type(entry).__name__} | plain, ensure_ascii=False)


def read(text: str) -> Entry:
    """The entry that `write` wrote; ValueError, KeyError or TypeError for anything else."""
    plain = json.loads(text)
    kind = KINDS[plain.pop("event")]
    if kind is Begun:
        plain["rules"] = rules.from_dict(plain["rules"])
    entry: Entry = kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in plain.items()})
    return entry
