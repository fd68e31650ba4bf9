"""What has been thrown in a game, and the pictures of it, to be looked at again. May know: the desk, a game's pages."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from scorekeeper import throws
from web import telling
from web.pages import desk, table
from web.pictures import Shot
from web.present import Table

blueprint = Blueprint("past", __name__, url_prefix="/g/<game>/history")

AROUND = 0.15  # of a die, shown around it where it is shown by itself
GONE = 410


@dataclass(frozen=True)
class Spot:
    """A die in a picture, in pixels: where it is, and the square to show of it. Its face, and whether that is sure."""

    box: tuple[float, float, float, float]
    cut: tuple[float, float, float, float]
    face: int
    doubtful: bool


def spots(shot: Shot) -> list[Spot]:
    """The dice of a picture, from left to right."""
    found = []
    for place, die in enumerate(shot.reading.dice):
        left, top, width, height = die.pixels(shot.width, shot.height)
        side = (1 + 2 * AROUND) * max(width, height)
        cut = left + (width - side) / 2, top + (height - side) / 2, side, side
        found.append(Spot((left, top, width, height), cut, die.face, place in shot.doubtful))
    return sorted(found, key=lambda spot: spot.box[0])


@blueprint.get("")
def page(game: str) -> str:
    """Every turn, and whatever else was done, the newest first."""
    at = table(game)
    turns = [(turn.seq, turn, "") for turn in throws.turns(at.history)]
    acts = [(seq, None, words) for seq, words in telling.beside_turns(at.history, g.language)]
    lines = sorted([*turns, *acts], key=lambda line: line[0], reverse=True)
    return render_template("past.html", table=at, rules=at.rules, lines=lines, there=desk().pictures.has)


def _photographed(at: Table, seq: int) -> tuple[throws.Turn, throws.Throw]:
    """The throw with this number, and its turn; 404 where there is none, or none of which a picture was taken."""
    try:
        turn, thrown = throws.find(at.history, seq)
    except LookupError:
        abort(404)
    return (turn, thrown) if thrown.picture else abort(404)


@blueprint.post("/<int:seq>/delete")
def delete(game: str, seq: int) -> ResponseReturnValue:
    """The picture goes, the roll stays."""
    _turn, thrown = _photographed(table(game), seq)
    desk().pictures.delete(thrown.picture)
    return redirect(url_for("past.page", game=game), 303)


@blueprint.get("/<int:seq>")
def throw(game: str, seq: int) -> ResponseReturnValue:
    """The picture of a throw, what was read in it, and what came of it."""
    at, pictures = table(game), desk().pictures
    turn, thrown = _photographed(at, seq)
    try:
        shot = pictures.shot(thrown.picture)
    except (LookupError, OSError):
        shot = None
    shown = [each.seq for turn in throws.turns(at.history) for each in turn.throws if pictures.has(each.picture)]
    return render_template(
        "throw.html",
        table=at,
        rules=at.rules,
        turn=turn,
        throw=thrown,
        shot=shot,
        spots=spots(shot) if shot else [],
        earlier=max((other for other in shown if other < seq), default=None),
        later=min((other for other in shown if other > seq), default=None),
    ), (200 if shot else GONE)
