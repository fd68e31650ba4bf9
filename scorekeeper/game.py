"""A game and what may happen in it. May know: events, people, sheet, rules, dice.

    turn:  no roll ──Rolled──► roll ──Rolled──► roll ──Scored──► next player's turn
                                ▲ └─Reread─┘

The state is a value and `apply` makes the next one. Whatever the rules do not allow raises IllegalEvent, and the state
is as it was. Whatever is about people, and Amended, may come at any time. Rewound (undo) belongs to the history.
"""

from __future__ import annotations

from dataclasses import replace

from scorekeeper import people, seats
from scorekeeper.dice import Roll
from scorekeeper.events import USUAL_HELP, Amended, Begun, Event, Reread, Rolled, Scored
from scorekeeper.refusal import _, demand
from scorekeeper.seats import MOST_PLAYERS
from scorekeeper.sheet import Sheet, put
from scorekeeper.state import Game

__all__ = ["MOST_PLAYERS", "Game", "apply", "begin"]


def begin(event: Begun) -> Game:
    """The game at its first turn; IllegalEvent where nobody, or too many, play."""
    demand(1 <= len(event.players) <= MOST_PLAYERS, _("A game has 1 to {most} players."), most=MOST_PLAYERS)
    players: tuple[str, ...] = ()
    for name in event.players:
        players = (*players, seats.name(players, name))
    helps = event.help or (USUAL_HELP,) * len(players)
    demand(len(helps) == len(players), _("There is no such player."))
    for chosen in helps:
        people.demand_help(chosen)
    sheets = (Sheet.empty(event.rules),) * len(players)
    everybody = tuple(range(len(players)))
    return Game(event.rules, players, helps, sheets, everybody, (0,) * len(players), event.concealed)


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
            seats.demand_player(game.players, player)
            return people.settle(replace(game, sheets=put(game.sheets, player, game.sheets[player].amend(box, points))))
        case _people:
            return people.apply(game, event)


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
    return replace(after, turn=people.next_turn(after, (*game.upcoming[1:], game.turn)))
