"""What people do at the table beside their turns: come and go, change places, choose. May know: events, the state.

Whatever is not allowed raises IllegalEvent, and the state is as it was.
"""

from __future__ import annotations

from dataclasses import replace

from scorekeeper import seats
from scorekeeper.dice import FACES
from scorekeeper.events import HELP, USUAL_HELP, Concealed, Helped, Joined, People, Renamed, RolledOff, Seated, Turned
from scorekeeper.refusal import _, demand
from scorekeeper.seats import MOST_PLAYERS
from scorekeeper.sheet import Sheet, put
from scorekeeper.state import Game


def apply(game: Game, event: People) -> Game:
    """The game after the event."""
    match event:
        case RolledOff(dice):
            return _roll_off(game, dice)
        case Concealed(totals):
            return replace(game, concealed=totals)
        case Joined(name):
            return _join(game, name)
        case Seated(order):
            return _seat(game, order)
        case Renamed() | Helped() | Turned():
            return _change_player(game, event)


def _join(game: Game, name: str) -> Game:
    demand(len(game.players) < MOST_PLAYERS, _("A game has 1 to {most} players."), most=MOST_PLAYERS)
    grown = replace(
        game,
        players=(*game.players, seats.name(game.players, name)),
        help=(*game.help, USUAL_HELP),
        sheets=(*game.sheets, Sheet.empty(game.rules)),
        let_off=(*game.let_off, 0),
    )
    return _seat(grown, (*game.order, len(game.players)))


def _seat(game: Game, order: tuple[int, ...]) -> Game:
    """The game in this order. Who was not in the order before is let off what the others have played meanwhile."""
    seats.demand_order(game.players, order)
    demand(not game.finished or len(order) > len(game.order), _("The game is over."))
    staying = [player for player in game.upcoming if player in order]
    seated = replace(game, order=order, turn=staying[0] if staying else order[0])
    come = {player: by for player, by in seated.behind.items() if player not in game.order}
    let_off = tuple(off + come.get(player, 0) for player, off in enumerate(game.let_off))
    return settle(replace(seated, let_off=let_off), game.turn)


def _change_player(game: Game, event: Renamed | Helped | Turned) -> Game:
    seats.demand_player(game.players, event.player)
    match event:
        case Helped(player, chosen):
            demand_help(chosen)
            return replace(game, help=put(game.help, player, chosen))
        case Renamed(player, name):
            others = put(game.players, player, "")
            return replace(game, players=put(game.players, player, seats.name(others, name)))
        case Turned(player):
            name, sheet = game.players[player], game.sheets[player]
            demand(player in game.order, _("{name} does not play now."), name=name)
            demand(not sheet.finished, _("{name} has no turn left."), name=name)
            demand(
                game.throws <= sheet.allowance,
                _("{name} has {most} throws in this turn, not {throw}."),
                name=name,
                most=sheet.allowance,
                throw=game.throws,
            )
            return replace(game, turn=player)


def _roll_off(game: Game, dice: tuple[int, ...]) -> Game:
    first = game.first
    demand(game.finished, _("A roll-off comes after the game."))
    demand(len(first) > 1, _("Nobody shares the first place."))
    demand(len(dice) == len(first), _("{players} throw one die each."), players=len(first))
    demand(all(die in FACES for die in dice), _("A die shows 1 to 6."))
    return replace(game, roll_offs=(*game.roll_offs, dice))


def settle(game: Game, before: int | None = None) -> Game:
    """The game with the turn at somebody who has one, after sheets were changed by hand or people came and went.

    `before`: whose turn it was, if that is not the one in the game. A roll-off was about the sheets as they were.
    """
    turn = next_turn(game, game.upcoming)
    at = replace(game, turn=turn, roll_offs=())
    return at if turn == (game.turn if before is None else before) else replace(at, roll=None, throws=0, picture="")


def next_turn(game: Game, players: tuple[int, ...]) -> int:
    """The first of these players with a turn left; the first of all when the game is over."""
    return next((player for player in players if not game.sheets[player].finished), players[0])


def demand_help(chosen: str) -> None:
    """IllegalEvent where there is no such level of help."""
    demand(chosen in HELP, _("There is no such help."))
