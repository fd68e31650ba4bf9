"""What may happen in a game: the events, as values. May know: rules."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.rules import RuleSet

# How much help a player gets, from least to most: the points of no box, those of every box that may be filled, what is
# best in words, and that with its figures and all that goes with it.
HELP = ("none", "boxes", "hint", "everything")
USUAL_HELP = "boxes"


@dataclass(frozen=True, slots=True)
class Begun:
    """A game begins. It carries its rules whole, so that a house rule changed later never changes an old game.

    help: what each player gets at first, of HELP; the usual help for everybody where nothing is said.
    concealed: whether the totals are hidden until the end.
    table: the id of the table at which it is played; empty for that of the house, at which all games were once played.
    """

    rules: RuleSet
    players: tuple[str, ...]
    help: tuple[str, ...] = ()
    concealed: bool = False
    table: str = ""


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice were thrown and lie still.

    throw: which throw of the turn this is, from 1. It may skip some that nobody showed to Kast.
    kept: those of the last roll that were not thrown again, where that is known.
    source, picture: who says so (hand, photo, camera), and the name of the picture that was kept.
    """

    dice: tuple[int, ...]
    throw: int
    kept: tuple[int, ...] = ()
    source: str = "hand"
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Reread:
    """The last roll was read wrongly, or counted wrongly, and is this. No throw is spent on it."""

    dice: tuple[int, ...]
    throw: int


@dataclass(frozen=True, slots=True)
class Scored:
    """The player whose turn it is writes so many points in a box. A strike is a score of 0."""

    box: str
    points: int


@dataclass(frozen=True, slots=True)
class Amended:
    """A cell is corrected by hand; None opens it again."""

    player: int
    box: str
    points: int | None


@dataclass(frozen=True, slots=True)
class Joined:
    """A player sits down, last in the order."""

    name: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """A player, counted from 0, is called something else."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Helped:
    """A player, counted from 0, has chosen how much help to get, one of HELP."""

    player: int
    help: str


@dataclass(frozen=True, slots=True)
class Seated:
    """The players, counted from 0 as they came, take turns in this order. Whoever is not in it has left the game: the
    sheet stays, and goes on where a later order has its player again."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Turned:
    """It is this player's turn, counted from 0. The dice on the table are that player's then."""

    player: int


@dataclass(frozen=True, slots=True)
class Concealed:
    """The totals are hidden until the end of the game, or no longer are."""

    totals: bool


@dataclass(frozen=True, slots=True)
class RolledOff:
    """Those who share the first place have thrown one die each, in their order: the highest wins."""

    dice: tuple[int, ...]


People = Joined | Renamed | Helped | Seated | Turned | Concealed | RolledOff
Event = Rolled | Reread | Scored | Amended | People
