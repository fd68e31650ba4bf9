"""The live camera of a browser: a picture in, what is seen in it out, and the game goes on by itself.

May know: the desk, the cameras that follow games, and the pages of a game. The page shows what the answer says:

    seq: the number that the game's next entry will have; where it changes, the page is renewed
    state: one of the eye's states, or “away” where another camera follows the game; word: the same in words
    dice: [{box: [left, top, width, height] in fractions of the picture, face, doubtful, keep}]
    says: sentences that tell what to do, the gravest first; ask: whether somebody should say if it was a throw
"""

from __future__ import annotations

import re

from flask import Blueprint, Response, abort, current_app, g, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from recognizer import events, pictures, pipeline
from recognizer.frames import CameraLost
from recognizer.pipeline import Box
from scorekeeper.refusal import Refusal, _
from web import door
from web.follow import Cameras, Image, Watch
from web.help import Help
from web.pages import desk, table
from web.photos import ADVICE
from web.pictures import doubtful
from web.present import Table
from web.throttle import now

blueprint = Blueprint("camera", __name__, url_prefix="/g/<game>/camera")

HERE = "here"  # the name of the camera at the computer
CAMERA = re.compile(r"[A-Za-z0-9-]{8,40}")
LARGEST_FRAME = 4 * 1024 * 1024  # bytes
AWAY = "away"
WORDS = {
    pipeline.LOOKING: _("Looking"),
    pipeline.ROLLING: _("Rolling"),
    pipeline.SETTLED: _("At rest"),
    pipeline.CHECK: _("Please check"),
    AWAY: _("Another camera"),
}
DOUBTS = {
    events.PLACED: _("Somebody has put dice there. Was it a throw?"),
    events.CONTRADICTION: _("A die that nobody has touched reads differently now."),
    events.COUNT: _("This game is played with {dice} dice; the camera sees {seen}."),
}


def cameras() -> Cameras:
    """The cameras of this application."""
    found: Cameras = current_app.extensions["cameras"]
    return found


@blueprint.get("")
def page(game: str) -> str:
    """A page for a phone that is only the camera."""
    at = table(game)
    return render_template("lone.html", table=at, rules=at.rules)


@blueprint.post("/<camera>")
def see(game: str, camera: str) -> ResponseReturnValue:
    """The next picture of a live view: the one that is sent, or the newest of the camera at the computer."""
    at, own = table(game), camera == HERE
    if not (door.own_camera() if own else CAMERA.fullmatch(camera) and "frame" in request.files):
        abort(400)
    watch = cameras().watch(game, camera, at.rules.dice, _area(), now(), take="take" in request.form)
    if watch is None:
        return jsonify(seq=at.seq, state=AWAY, word=g.language.say(WORDS[AWAY]), dice=[], says=[], ask=False)
    trouble: list[str] = []
    with watch.lock:
        try:
            image = _newest() if own else pictures.load(request.files["frame"].read(LARGEST_FRAME)).image
            if image is not None:
                watch.see(desk(), game, image, now(), declared="declare" in request.form)
        except (Refusal, pictures.UnreadablePicture) as refusal:
            trouble.append(g.language.explain(refusal, at.rules.key))
        return jsonify(answer(table(game), watch, trouble))


def _newest() -> Image | None:
    """The newest picture of the camera at the computer, None where there is no newer one yet."""
    camera = door.own_camera()
    try:
        return camera.newest() if camera else None
    except CameraLost as lost:
        raise Refusal(_("The camera at the computer sends no pictures. It is tried again.")) from lost


@blueprint.get(f"/{HERE}.jpg")
def picture(game: str) -> Response:
    """What the camera at the computer has seen last."""
    table(game)
    camera = door.own_camera()
    data = camera.jpeg() if camera else b""
    if not data:
        abort(404)
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


def _area() -> Box | None:
    """The part of the picture that counts, “left,top,width,height” in fractions; 400 where it is none."""
    text = request.form.get("area", "")
    if not text:
        return None
    try:
        left, top, width, height = (float(number) for number in text.split(","))
    except ValueError:
        abort(400)
    if not (0 <= left <= left + width <= 1.0001 and 0 <= top <= top + height <= 1.0001 and min(width, height) > 0):
        abort(400)
    return left, top, width, height


def answer(at: Table, watch: Watch, trouble: list[str]) -> dict[str, object]:
    """What the page shows of it."""
    follower, state = watch.follower, watch.follower.state
    doubt = follower.doubt
    says = list(trouble)
    if watch.waiting:
        says.append(g.language.say(_("No throw is left in this turn. Write a box, and this one counts for the next.")))
    if doubt:
        seen = len(follower.dice)
        says.append(g.language.say(DOUBTS[doubt.what], dice=at.rules.dice, seen=seen))
    says += [g.language.say(ADVICE[hint]) for hint in follower.hints if hint in ADVICE and state != pipeline.SETTLED]
    return {
        "seq": at.seq,
        "state": state,
        "word": g.language.say(WORDS[state]),
        "dice": _dice(at, watch),
        "says": says,
        "ask": doubt is not None and doubt.what == events.PLACED,
    }


def _dice(at: Table, watch: Watch) -> list[dict[str, object]]:
    """The dice in the picture, and which to look at or to keep."""
    follower = watch.follower
    dice, unsure = follower.dice, follower.state == pipeline.CHECK
    doubts = doubtful(dice) if unsure else frozenset()
    keep = _kept(at, watch) if follower.state in (pipeline.SETTLED, pipeline.CHECK) else []
    shown = []
    for place, die in enumerate(dice):
        if is_kept := die.face in keep:
            keep.remove(die.face)
        box = [round(side, 4) for side in die.box]
        shown.append({"box": box, "face": die.face, "doubtful": place in doubts, "keep": is_kept})
    return shown


def _kept(at: Table, watch: Watch) -> list[int]:
    """Faces of the roll on the table that the best play keeps, for whoever wants to know; asked for once."""
    if not at.is_advised or not at.game.roll:
        return []
    if watch.best[0] != at.seq:
        advice = Help(at, g.language, desk().advise(at.game))
        kept = [face for face, keep in zip(at.dice, advice.marks, strict=True) if keep]
        watch.best = (-1 if advice.working else at.seq, kept)
    return list(watch.best[1])
