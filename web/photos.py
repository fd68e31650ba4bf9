"""Dice by photograph: offer, look, correct, accept. May know: the desk, and the pages of a game.

What was read is kept with the picture; what a person has corrected so far is in the address, “?dice=36x14”: one sign
for each die that was read, x where there is none after all, and more digits for dice that were added.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint, Response, abort, g, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from recognizer import hints
from recognizer.pictures import UnreadablePicture
from recognizer.reader import Die
from scorekeeper import throws
from scorekeeper.events import Rolled
from scorekeeper.refusal import Refusal, _
from web.lying import likeliest
from web.pages import act, desk, number, parse_dice, status, table
from web.pictures import Shot
from web.present import Table
from web.words import Sentence

blueprint = Blueprint("photos", __name__, url_prefix="/g/<game>/photo")

EXAMPLES = Path(__file__).parent / "static" / "examples"
ADVICE = {
    hints.DARK: _("The picture is dark. More light helps."),
    hints.BLURRED: _("The picture is blurred. Hold still, and let the camera focus."),
    hints.GLARE: _("Light glares on a die. Move a little to the side, or dim the lamp."),
    hints.CUT_OFF: _("A die is cut off at the edge. Take in the whole table."),
    hints.HIDDEN: _("A die lies under or behind another. Move them apart."),
    hints.TOO_SMALL: _("The dice are small in the picture. Go closer, or set the camera to a higher resolution."),
    hints.TOO_FAR: _("The dice are far away. Go closer, so that they fill more of the picture."),
}


@dataclass(frozen=True)
class Spot:
    """A die of the review: its face now (None where it was taken away), and what the eye saw there, if anything."""

    face: int | None
    seen: Die | None
    doubtful: bool

    @property
    def faces(self) -> list[int]:
        """1 to 6, the likeliest first where the eye had an opinion worth following."""
        return likeliest(self.seen)


@dataclass(frozen=True)
class Review:
    """A picture, and the dice as they stand after a person's corrections."""

    shot: Shot
    signs: str

    @property
    def spots(self) -> list[Spot]:
        reading, doubtful = self.shot.reading, self.shot.doubtful
        spots = []
        for place, sign in enumerate(self.signs):
            seen = reading.dice[place] if place < len(reading.dice) else None
            face = None if sign == "x" else int(sign)
            is_as_seen = seen is not None and face == seen.face
            spots.append(Spot(face, seen, is_as_seen and place in doubtful))
        return spots

    @property
    def dice(self) -> str:
        """The dice that are there, as digits, lowest first."""
        return "".join(sorted(self.signs.replace("x", "")))

    def with_sign(self, place: int, sign: object) -> str:
        """The signs with one of them changed, or one more at the end; an added die that is taken away leaves none."""
        if sign == "x" and place >= len(self.shot.reading.dice):
            sign = ""
        return f"{self.signs[:place]}{sign}{self.signs[place + 1 :]}"


def examples(dice: int) -> list[str]:
    """File names of the example pictures with so many dice."""
    listing = EXAMPLES / "examples.json"
    if not listing.exists():
        return []
    listed = json.loads(listing.read_text(encoding="utf-8"))
    return [entry["file"] for entry in listed if len(entry["values"]) == dice]


@blueprint.get("")
def offer(game: str) -> str:
    return _offer(game)


def _offer(game: str, refusal: Sentence | None = None) -> str:
    at = table(game)
    return render_template(
        "photo.html",
        table=at,
        rules=at.rules,
        examples=examples(at.rules.dice),
        refusal=g.language.explain(refusal) if refusal else "",
    )


@blueprint.post("")
def look(game: str) -> ResponseReturnValue:
    at = table(game)
    example = request.form.get("example")
    file = request.files.get("picture")
    try:
        if example is not None:
            data = (EXAMPLES / example).read_bytes() if example in examples(at.rules.dice) else abort(404)
        elif file and file.filename:
            data = file.read()
        else:
            raise Refusal(_("Choose a picture first."))
        name = desk().look(data)
    except (Refusal, UnreadablePicture) as refusal:
        return _offer(game, refusal), status(refusal)
    return redirect(url_for("photos.review", game=game, name=name), 303)


@blueprint.get("/<name>")
def review(game: str, name: str) -> ResponseReturnValue:
    """What was read, to be checked; once it counts, what came of it."""
    at = table(game)
    used = throws.pictures(at.history).get(name)
    if used in at.history.path:
        return redirect(url_for("past.throw", game=game, seq=used))
    shot = _shot(at, name)
    read = "".join(str(die.face) for die in shot.reading.dice)
    signs = request.args.get("dice", read)
    fits = len(read) <= len(signs) <= len(read) + at.rules.dice and "x" not in signs[len(read) :]
    if not fits or any(sign not in "123456x" for sign in signs):
        abort(404)
    return render_template(
        "review.html",
        table=at,
        rules=at.rules,
        review=Review(shot, signs),
        by_face=sorted((sign, place) for place, sign in enumerate(signs) if sign != "x"),
        advice=[ADVICE[hint] for hint in shot.reading.hints if hint in ADVICE],
    )


@blueprint.post("/<name>")
def accept(game: str, name: str) -> ResponseReturnValue:
    """The dice of the picture, as corrected, are the roll."""
    _shot(table(game), name)
    rolled = Rolled(parse_dice(request.form.get("dice", "")), number("throw"), source="photo", picture=name)
    answer = act(game, rolled)
    if name in throws.pictures(table(game).history):
        desk().pictures.accept(name)
    return answer


@blueprint.get("/<name>.jpg")
def picture(game: str, name: str) -> Response:
    _demand_own(table(game), name)
    try:
        response = send_file(desk().pictures.path(name), mimetype="image/jpeg", max_age=7 * 24 * 3600)
    except LookupError:
        abort(404)
    response.headers["Cache-Control"] = "private, max-age=604800, immutable"
    return response


def _demand_own(at: Table, name: str) -> None:
    """404 for a picture that belongs to another table."""
    if not desk().pictures.is_waiting(name) and name not in throws.pictures(at.history):
        abort(404)


def _shot(at: Table, name: str) -> Shot:
    _demand_own(at, name)
    try:
        return desk().pictures.shot(name)
    except LookupError:
        abort(404)
