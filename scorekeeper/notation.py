"""Entries as JSON text and back, for the log. May know: the entries.

What it writes stays readable: a field that is new has a default, and a field that is gone is not reused.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, get_args, get_origin, get_type_hints

from scorekeeper import houserules
from scorekeeper.events import Begun, Event
from scorekeeper.history import Entry, Rewound

KINDS: dict[str, Any] = {kind.__name__: kind for kind in (Begun, *get_args(Event), Rewound)}
HINTS = {kind: get_type_hints(kind) for kind in KINDS.values()}


def write(entry: Entry) -> str:
    """The entry as one line of JSON."""
    plain: dict[str, Any] = {field.name: getattr(entry, field.name) for field in fields(entry)}
    if isinstance(entry, Begun):
        plain["rules"] = entry.rules.as_dict()
    return json.dumps({"event": type(entry).__name__} | plain, ensure_ascii=False)


def read(text: str) -> Entry:
    """The entry that `write` wrote; ValueError for anything else."""
    try:
        plain = json.loads(text)
        kind = KINDS[plain.pop("event")]
        if kind is Begun:
            plain["rules"] = houserules.from_dict(plain["rules"])
        entry: Entry = kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in plain.items()})
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"no entry: {error!r}") from error
    for name, hint in HINTS[kind].items():
        if not _fits(getattr(entry, name), hint):
            raise ValueError(f"{name} of {kind.__name__} cannot be {getattr(entry, name)!r}")
    return entry


def _fits(value: object, hint: Any) -> bool:
    """Whether the value is of the type that the field asks for: one type, one of several, or a tuple of one."""
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(type(item) is get_args(hint)[0] for item in value)
    return type(value) in (get_args(hint) or (hint,))
