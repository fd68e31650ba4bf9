"""What dice and choices brought in games that are over, kept so that nothing is worked out twice. I/O: a folder.

What cannot be read, or is not about the game as it is now, is not there: it is worked out again.
"""

from __future__ import annotations

import json
import logging
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scorekeeper.advice import Keep, Play, Write
from scorekeeper.events import Amended, Joined, Scored
from scorekeeper.history import History
from scorekeeper.review import Account, Choice, Played
from web.adviser import Accounts

logger = logging.getLogger(__name__)

VERSION = 1  # changes with whatever changes a figure
WRITTEN = (Scored, Amended, Joined)


def last_written(history: History) -> int:
    """The number of the last entry that changed a sheet: what came after it, such as a roll-off, changes no account."""
    return max((seq for seq in history.path if isinstance(history.entries[seq], WRITTEN)), default=0)


class Reviews:
    """One file for each game."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, game: str, last: int) -> Accounts | None:
        """What is known of the game as it was after its entry `last`, as `last_written` has it."""
        try:
            plain = json.loads(self._path(game).read_text("utf-8"))
            if (plain["version"], plain["last"]) == (VERSION, last):
                return tuple(map(_account, plain["accounts"]))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            logger.warning("what was worked out of a game cannot be read, and is made anew: %s", type(error).__name__)
        return None

    def keep(self, game: str, last: int, accounts: Accounts) -> None:
        """Keep this of the game as it is after this entry. Where the disk takes nothing, nothing is kept."""
        plain = {"version": VERSION, "last": last, "accounts": [asdict(account) for account in accounts]}
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            part = self._path(game).with_suffix(f".{os.getpid()}.part")  # another process may write the same
            part.write_text(json.dumps(plain), "utf-8")
            part.replace(self._path(game))

    def _path(self, game: str) -> Path:
        return self._folder / f"{game}.json"


def _account(plain: dict[str, Any]) -> Account:
    return Account(**plain | {"turns": tuple(map(_played, plain["turns"]))})


def _played(plain: dict[str, Any]) -> Played:
    return Played(**plain | {"choices": tuple(map(_choice, plain["choices"]))})


def _choice(plain: dict[str, Any]) -> Choice:
    plays = {name: _play(plain[name]) for name in ("taken", "best")}
    return Choice(**plain | plays | {"dice": tuple(plain["dice"])})


def _play(plain: dict[str, Any]) -> Play:
    return Write(**plain) if "box" in plain else Keep(**plain | {"dice": tuple(plain["dice"])})
