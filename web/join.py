"""Other devices join a game: the codes that lead there, and what each device shows: all sheets or one player's own.

What a device shows is remembered in its session. May know: the desk, the game as the page shows it.
"""

from __future__ import annotations

from flask import Blueprint, abort, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from web import door, pages, reach
from web.present import Table

blueprint = Blueprint("join", __name__, url_prefix="/g/<game>")


@blueprint.get("/code")
def code(game: str) -> str:
    """Codes for the devices that join: one leads to the sheets, one to the page on which a phone is the camera."""
    spoken, at = f"?language={g.language.code}", pages.desk().table_of(game)
    plain = reach.ways(door.way_in(url_for("join.seat", game=game), at) + spoken)
    return render_template(
        "code.html",
        table=pages.table(game),
        plain=plain[0] if plain else None,
        secure=reach.secure_way(door.way_in(url_for("camera.page", game=game), at) + spoken),
        start=reach.ways("/"),
        trust=reach.ways(url_for("trust.page")),
        letters=door.code(at),
    )


@blueprint.get("/seat")
def seat(game: str) -> str:
    """What this device may show."""
    at = pages.table(game)
    return render_template("seat.html", table=at, rules=at.rules, mine=seated(at))


@blueprint.post("/seat")
def sit(game: str) -> ResponseReturnValue:
    """From now on this device shows the sheet of one player, or those of all."""
    at, player = pages.table(game), request.form.get("player", "")
    if not player:
        session.pop("seat", None)
    elif player.isdecimal() and int(player) < len(at.game.players):
        session["seat"] = [game, int(player), at.game.players[int(player)]]
    else:
        abort(400)
    return redirect(url_for("pages.game", game=game), 303)


def seated(at: Table) -> int | None:
    """The player whose sheet this device shows; None where it shows all.

    Whoever has moved to another place is known by the name, whoever has another name by the place.
    """
    match session.get("seat"):
        case [at.id, int(player), str(name)]:
            names = at.game.players
            if name in names and name not in names[player : player + 1]:
                return names.index(name)
            return player if player < len(names) else None
    return None
