"""What the page asks of whoever works out best play, and what it is answered. May know: positions and plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from scorekeeper.advice import Play
from scorekeeper.contest import Lead
from scorekeeper.history import History
from scorekeeper.position import Position
from scorekeeper.refusal import Refusal, _
from scorekeeper.review import Account
from scorekeeper.sheet import Sheet

Accounts = tuple[Account, ...]  # one for each player


@dataclass(frozen=True)
class Working:
    """It is being worked out: this share is done, 0 to 1, and about so many seconds are left, None if nobody knows."""

    share: float
    left: float | None = None


@dataclass(frozen=True)
class Advice:
    """What can be done with a roll.

    plays: every play, best first. working: how far best play is worked out; until then plays are estimates. None: they
    are exact. chances: by open box, the chance to fill it with points this turn, for whoever plays for that box.
    bonus: the chance of the bonus under best play. spread: standard deviation of the final total, points. games: None
    where these two are exact, for this roll; else how many games were simulated, from the beginning of this turn, to
    count them. ends: the final totals of such games, none where it is not known. drawn: whether they were not played to
    their end, and the rest was drawn from what is known of it. counting: whether games are being simulated still.
    marker: points that one more throw to carry into the next turn would add now, or one fewer would cost. lead: what
    gives the best chance to end ahead of the other players, in the last rounds. weighing: whether that is being worked
    out still. None where it is not known.
    """

    plays: tuple[Play, ...]
    working: Working | None = None
    chances: Mapping[str, float] = field(default_factory=dict)
    bonus: float | None = None
    spread: float | None = None
    games: int | None = None
    ends: tuple[int, ...] = ()
    drawn: bool = False
    counting: bool = False
    marker: float | None = None
    lead: Lead | None = None
    weighing: bool = False


class Adviser(Protocol):
    """Whoever works out best play, in the background. Refusal, in words, where that cannot be."""

    def ask(self, position: Position) -> Advice:
        """What can be done in this position: at once, as an estimate where something must be worked out first."""

    def prepare(self, sheet: Sheet, others: tuple[Sheet, ...] = ()) -> Working | None:
        """Begin to work out what a turn on this sheet asks for, against these others; None where it is there."""

    def foresee(self, sheet: Sheet) -> None:
        """Begin to work out the same for a later turn, once there is nothing else to do."""

    def review(self, game: str, history: History) -> Accounts | Working:
        """What dice and choices brought in a game that is over, which has this id."""

    def close(self) -> None:
        """Nothing is worked out after this."""


class Nobody:
    """Where there is no adviser."""

    def ask(self, position: Position) -> Advice:
        raise Refusal(_("The best play cannot be worked out at the moment."))

    def prepare(self, sheet: Sheet, others: tuple[Sheet, ...] = ()) -> Working | None:
        return None

    def foresee(self, sheet: Sheet) -> None:
        pass

    def review(self, game: str, history: History) -> Accounts | Working:
        raise Refusal(_("The best play cannot be worked out at the moment."))

    def close(self) -> None:
        pass
