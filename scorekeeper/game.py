"""A game and what may happen in it. May know: events, sheet, rules, dice.

    turn:  no roll ──Rolled──► roll ──Rolled──► roll ──Scored──► next player's turn
                                ▲ └─Reread─┘

The state is a value and `apply` makes the next one. Whatever the rules do not allow raises IllegalEvent, and the state
is as it was. Joined, Renamed, Helped and Amended may come at any time. Rewound (undo) belongs to the history.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby

from scorekeeper.dice import Roll
from scorekeeper.events import (
    HELP,
    USUAL_HELP,
    Amended,
    Begun,
    Event,
    Helped,
    Joined,
    Renamed,
    Reread,
    Rolled,
    Scored,
)
from scorekeeper.refusal import _, demand
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet, put

MOST_PLAYERS, LONGEST_NAME = 12, 30


@dataclass(frozen=True)
class Game:
    """Players, the help they get and their sheets, whose turn it is, and what lies on the table."""

    rules: RuleSet
    players: tuple[str, ...]
    help: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    turn: int = 0
    roll: Roll | None = None
    throws: int = 0
    picture: str = field(default="", compare=False)

    @property
    def sheet(self) -> Sheet:
        """The sheet of the player whose turn it is."""
        return self.sheets[self.turn]

    @property
    def finished(self) -> bool:
        """Whether nobody has a turn left."""
        return all(sheet.finished for sheet in self.sheets)

    def is_advised(self, player: int) -> bool:
        """Whether the player has a turn left and wants to know what is best."""
        return not self.sheets[player].finished and self.help[player] in ("hint", "everything")

    @property
    def throws_left(self) -> int:
        """Throws that this turn may still use."""
        return 0 if self.finished else self.sheet.allowance - self.throws

    @property
    def choices(self) -> dict[str, int]:
        """By box key: the points that the roll gives in each box that may be filled now."""
        if self.roll is None:
            return {}
        return {key: self.rules.boxes[self.rules.index(key)].score(self.roll) for key in self.sheet.legal}

    @property
    def strikes(self) -> tuple[str, ...]:
        """Keys of the boxes that may be struck now. Where throws are counted a strike costs one, and needs no dice."""
        return self.sheet.legal if not self.finished and (self.roll or self.rules.budget) else ()

    @property
    def places(self) -> tuple[int, ...]:
        """By player, the place from 1; equal totals share one, and the next place is left out."""
        by_total = sorted(range(len(self.players)), key=lambda p: -self.sheets[p].total)
        places, place = dict[int, int](), 1
        for _total, group in groupby(by_total, key=lambda p: self.sheets[p].total):
            sharing = list(group)
            places.update(dict.fromkeys(sharing, place))
            place += len(sharing)
        return tuple(places[player] for player in range(len(self.players)))


def begin(event: Begun) -> Game:
    """The game at its first turn; IllegalEvent where nobody, or too many, play."""
    demand(1 <= len(event.players) <= MOST_PLAYERS, _("A game has 1 to {most} players."), most=MOST_PLAYERS)
    players: tuple[str, ...] = ()
    for name in event.players:
        players = (*players, _name(players, name))
    helps = event.help or (USUAL_HELP,) * len(players)
    demand(len(helps) == len(players), _("There is no such player."))
    for chosen in helps:
        _demand_help(chosen)
    return Game(event.rules, players, helps, (Sheet.empty(event.rules),) * len(players))


def apply(game: Game, event: Event) -> Game:
    """The game after the event; IllegalEvent, in words, where the rules say no."""
    match event:
        case Rolled(dice, throw, kept, picture=picture):
            demand(throw > game.throws, _("Throw {throw} of this turn is over."), throw=throw)
            roll = _roll(game, dice, throw)
            _demand_kept(game, roll, kept)
            return replace(game, roll=roll, throws=throw, picture=picture)
        case Reread(dice, throw):
            demand(game.roll is not None, _("There is no roll to correct."))
            return replace(game, roll=_roll(game, dice, throw), throws=throw)
        case Scored(box, points):
            return _score(game, box, points)
        case Amended(player, box, points):
            _demand_player(game, player)
            return _settle(replace(game, sheets=put(game.sheets, player, game.sheets[player].amend(box, points))))
        case Joined(name):
            demand(len(game.players) < MOST_PLAYERS, _("A game has 1 to {most} players."), most=MOST_PLAYERS)
            players, sheets = (*game.players, _name(game.players, name)), (*game.sheets, Sheet.empty(game.rules))
            return _settle(replace(game, players=players, help=(*game.help, USUAL_HELP), sheets=sheets))
        case Renamed() | Helped():
            return _change_player(game, event)


def _change_player(game: Game, event: Renamed | Helped) -> Game:
    _demand_player(game, event.player)
    if isinstance(event, Helped):
        _demand_help(event.help)
        return replace(game, help=put(game.help, event.player, event.help))
    others = put(game.players, event.player, "")
    return replace(game, players=put(game.players, event.player, _name(others, event.name)))


def _roll(game: Game, dice: tuple[int, ...], throw: int) -> Roll:
    demand(not game.finished, _("The game is over."))
    demand(
        len(dice) == game.rules.dice,
        _("This game is played with {dice} dice, not {seen}."),
        dice=game.rules.dice,
        seen=len(dice),
    )
    demand(all(1 <= die <= 6 for die in dice), _("A die shows 1 to 6."))
    demand(
        1 <= throw <= game.sheet.allowance,
        _("{name} has {most} throws in this turn, not {throw}."),
        name=game.players[game.turn],
        most=game.sheet.allowance,
        throw=throw,
    )
    return Roll.of(*dice)


def _demand_kept(game: Game, roll: Roll, kept: tuple[int, ...]) -> None:
    demand(all(1 <= die <= 6 for die in kept), _("A die shows 1 to 6."))
    before = game.roll or Roll.of()
    demand(
        kept in before and kept in roll,
        _("{kept} cannot have been kept."),
        kept="-".join(map(str, kept)),
    )


def _score(game: Game, box: str, points: int) -> Game:
    demand(not game.finished, _("The game is over."))
    demand(
        game.roll is not None or (game.rules.budget is not None and points == 0),
        _("Throw the dice first."),
    )
    if game.roll is not None:
        due = game.rules.boxes[game.rules.index(box)].score(game.roll)
        demand(
            points in (due, 0),
            _("This roll gives {due} points in {box}, not {points}."),
            due=due,
            box=box,
            points=points,
        )
    sheet = game.sheet.write(box, points, max(game.throws, 1))
    after = replace(game, sheets=put(game.sheets, game.turn, sheet), roll=None, throws=0, picture="")
    return replace(after, turn=_next(after, game.turn + 1))


def _settle(game: Game) -> Game:
    """The game with the turn at somebody who has one, after sheets were changed by hand."""
    turn = _next(game, game.turn)
    return game if turn == game.turn else replace(game, turn=turn, roll=None, throws=0, picture="")


def _next(game: Game, start: int) -> int:
    """The first player, from this seat on, with a turn left; the seat itself when the game is over."""
    seats = [(start + k) % len(game.players) for k in range(len(game.players))]
    return next((seat for seat in seats if not game.sheets[seat].finished), seats[0])


def _name(others: tuple[str, ...], name: str) -> str:
    name = " ".join(name.split())
    demand(bool(name), _("A player needs a name."))
    demand(len(name) <= LONGEST_NAME, _("A name has at most {most} letters."), most=LONGEST_NAME)
    demand(name.isprintable(), _("A name is written with letters."))
    demand(
        name.casefold() not in (other.casefold() for other in others),
        _("There is a player called {name} already."),
        name=name,
    )
    return name


def _demand_help(chosen: str) -> None:
    demand(chosen in HELP, _("There is no such help."))


def _demand_player(game: Game, player: int) -> None:
    demand(0 <= player < len(game.players), _("There is no such player."))
