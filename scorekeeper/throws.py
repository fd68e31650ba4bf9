"""What was thrown in a game, turn by turn, and what came of it. Pure. May know: the game's history."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorekeeper.events import Reread, Rolled, Scored
from scorekeeper.history import History


@dataclass(frozen=True)
class Throw:
    """A roll.

    seq: the number of its entry. number, most: which throw of how many of its turn, from 1.
    dice: its faces as they count, after corrections.
    picture: the name of its picture, nothing where none was taken.
    kept, source: as `Rolled` has them.
    """

    seq: int
    number: int
    most: int
    dice: tuple[int, ...]
    picture: str
    kept: tuple[int, ...] = ()
    source: str = "hand"


@dataclass(frozen=True)
class Turn:
    """What a player, counted from 0, threw for one box, and the points written there.

    box, points: nothing and None while the turn goes on, or where nothing came of it.
    round: which turn this is for the player, from 1. undone: whether it was taken back.
    seq: the number of the entry that ended it, of the next one while it goes on.
    """

    player: int
    round: int
    throws: tuple[Throw, ...]
    box: str = ""
    points: int | None = None
    undone: bool = False
    seq: int = 0


def turns(history: History) -> list[Turn]:
    """All turns that count, oldest first; the last one may be going on."""
    past: list[Turn] = []
    lying: list[Throw] = []
    for seq in history.path[1:]:
        entry = history.entries[seq]
        if isinstance(entry, Rolled):
            lying.append(_throw(history, seq, entry))
        elif isinstance(entry, Reread):
            lying[-1] = replace(lying[-1], dice=entry.dice, number=entry.throw)
        elif isinstance(entry, Scored):
            past.append(replace(_turn(history, seq, lying), box=entry.box, points=entry.points))
        elif lying and history.games[seq].roll is None:  # a correction by hand has ended the turn
            past.append(_turn(history, seq, lying))
        if history.games[seq].roll is None:
            lying = []
    return [*past, _turn(history, len(history.games), lying)] if lying else past


def find(history: History, seq: int) -> tuple[Turn, Throw]:
    """The throw with this number, and its turn, also where it was taken back; LookupError where there is none."""
    for turn in turns(history):
        for throw in turn.throws:
            if throw.seq == seq:
                return turn, throw
    entry = history.entries[seq] if seq < len(history.entries) else None
    if not isinstance(entry, Rolled):
        raise LookupError(seq)
    throw = _throw(history, seq, entry)
    return replace(_turn(history, seq, [throw]), undone=True), throw


def pictures(history: History) -> dict[str, int]:
    """Name of the picture → number of its throw, for all throws of the game, also those that were taken back."""
    rolled = [(seq, entry) for seq, entry in enumerate(history.entries) if isinstance(entry, Rolled)]
    return {entry.picture: seq for seq, entry in rolled if entry.picture}


def _throw(history: History, seq: int, entry: Rolled) -> Throw:
    most = history.games[seq - 1].sheet.allowance
    return Throw(seq, entry.throw, most, entry.dice, entry.picture, entry.kept, entry.source)


def _turn(history: History, seq: int, throws: list[Throw]) -> Turn:
    """The turn that goes on just before entry `seq`."""
    before = history.games[seq - 1]
    written = len(before.rules.boxes) - len(before.sheet.open)
    return Turn(before.turn, written + 1, tuple(throws), seq=seq)


def last_throw(history: History) -> int:
    """The number of the entry for the last throw; −1 where there was none."""
    return next((seq for seq in reversed(history.path) if isinstance(history.entries[seq], Rolled)), -1)
