"""A game with its past: the fold over all entries, undo and redo. May know: game.

Nothing is ever taken back out of the log. Undo is an entry too: Rewound(to) makes the state that of an earlier entry,
and redo walks forward again along the path that was left, until something new is done.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.events import Begun, Event
from scorekeeper.game import Game, apply, begin
from scorekeeper.refusal import IllegalEvent, _, demand


@dataclass(frozen=True, slots=True)
class Rewound:
    """The game is again as it was right after entry `to`: undo and redo."""

    to: int


Entry = Begun | Event | Rewound


@dataclass(frozen=True)
class History:
    """All entries of one game, in order, numbered from 0, and the game after each.

    path: numbers of the entries that led to the present state, oldest first.
    ahead: numbers of the entries that redo would bring back, nearest first.
    """

    entries: tuple[Entry, ...]
    games: tuple[Game, ...]
    path: tuple[int, ...] = (0,)
    ahead: tuple[int, ...] = ()

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.games[-1]

    @property
    def table(self) -> str:
        """The id of the table at which the game is played."""
        begun = self.entries[0]
        assert isinstance(begun, Begun)
        return begun.table

    @property
    def undo(self) -> Rewound | None:
        """The event that takes back the last act, None at the beginning."""
        return Rewound(self.path[-2]) if len(self.path) > 1 else None

    @property
    def redo(self) -> Rewound | None:
        """The event that does again what was taken back last, None where there is nothing."""
        return Rewound(self.ahead[0]) if self.ahead else None

    def add(self, entry: Entry) -> History:
        """The history with one more entry; IllegalEvent, and this one is as it was, where the rules say no."""
        if isinstance(entry, Begun):
            raise IllegalEvent(_("The game has begun already."))
        seq = len(self.entries)
        if isinstance(entry, Rewound):
            whole = (*self.path, *self.ahead)
            demand(entry.to in whole, _("That cannot be undone or done again."))
            split = whole.index(entry.to) + 1
            game, path, ahead = self.games[entry.to], whole[:split], whole[split:]
        else:
            game, path, ahead = apply(self.game, entry), (*self.path, seq), ()
        return History((*self.entries, entry), (*self.games, game), path, ahead)


def start(event: Begun) -> History:
    """The history of a game that begins now."""
    return History((event,), (begin(event),))


def replay(entries: Iterable[Entry]) -> History:
    """The history that these entries make; IllegalEvent where they make none."""
    rest = iter(entries)
    first = next(rest, None)
    if not isinstance(first, Begun):
        raise IllegalEvent(_("A game starts with its beginning."))
    history = start(first)
    for entry in rest:
        history = history.add(entry)
    return history
