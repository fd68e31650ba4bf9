"""Who plays: names, order, coming and going, help, whose turn it is, a roll-off. May know: the pages of a game."""

from __future__ import annotations

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.events import Concealed, Helped, Joined, Renamed, RolledOff, Seated, Turned
from scorekeeper.game import MOST_PLAYERS
from scorekeeper.sheet import put
from web import telling
from web.pages import act, number, table

blueprint = Blueprint("people", __name__, url_prefix="/g/<game>")


@blueprint.get("/players")
def page(game: str) -> str:
    at = table(game)
    done = telling.last_act(at, g.language)
    return render_template("players.html", table=at, rules=at.rules, most=MOST_PLAYERS, done=done)


@blueprint.post("/players")
def join(game: str) -> ResponseReturnValue:
    return act(game, Joined(request.form.get("name", "")))


@blueprint.post("/players/<int:player>")
def rename(game: str, player: int) -> ResponseReturnValue:
    return act(game, Renamed(player, request.form.get("name", "")))


@blueprint.post("/help/<int:player>")
def help_(game: str, player: int) -> ResponseReturnValue:
    return act(game, Helped(player, request.form.get("help", "")))


@blueprint.post("/seats/<int:player>")
def seat(game: str, player: int) -> ResponseReturnValue:
    """The player sits one seat earlier or later, leaves, or comes back."""
    order = moved(table(game).game.order, player, request.form.get("move", ""))
    return act(game, Seated(order), "people.page")


def moved(order: tuple[int, ...], player: int, move: str) -> tuple[int, ...]:
    """The order after this move of one player; as it was where nobody sits on that side. 400 for what is no move."""
    others = tuple(other for other in order if other != player)
    if move == "leave":
        return others
    if move == "return":
        return (*others, player)
    if move not in ("earlier", "later") or player not in order:
        abort(400)
    seat = order.index(player)
    other = seat - 1 if move == "earlier" else seat + 1
    if not 0 <= other < len(order):
        return order
    return put(put(order, seat, order[other]), other, player)


@blueprint.post("/turn")
def turn(game: str) -> ResponseReturnValue:
    return act(game, Turned(number("player")))


@blueprint.post("/totals")
def totals(game: str) -> ResponseReturnValue:
    return act(game, Concealed(request.form.get("totals") == "hidden"))


@blueprint.post("/roll-off")
def roll_off(game: str) -> ResponseReturnValue:
    """Those who share the first place have thrown: one field for each, in their order."""
    dice = [request.form.get(f"die-{place}", type=int) for place in range(MOST_PLAYERS)]
    return act(game, RolledOff(tuple(die for die in dice if die is not None)))
