"""Builds the web application around a desk. May know: Flask, and every part of the page."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path
from types import TracebackType

from flask import Flask, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, MethodNotAllowed, TooManyRequests
from werkzeug.local import LocalProxy

from scorekeeper.events import HELP
from scorekeeper.refusal import Refusal, _
from web import (
    after,
    camera,
    carry,
    door,
    hosts,
    houses,
    install,
    join,
    journal,
    ledger,
    pages,
    past,
    people,
    photos,
    reach,
    rules,
    security,
    throttle,
    transfer,
    trust,
    words,
)
from web.desk import Desk, UnknownGame
from web.follow import Cameras, OwnCamera
from web.house import House
from web.https import Https
from web.reach import Reach

logger = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"
MISDIRECTED = 421
LARGEST_UPLOAD = 25 * 1024 * 1024  # bytes


SENTENCES = {
    404: _("There is no such page or game here."),
    421: _("Kast is not called what this address says. Open one of these:"),
    429: _("That was too much at once from this device. Please wait a little, then try again."),
    413: _("The picture is larger than 25 MB. Choose a smaller one."),
    400: _("This page had been open for too long, or its form was not complete. Please try again."),
    500: _("Something went wrong here. The game is as it was; please try again."),
}


class Application(Flask):
    """Says of a request that failed at which kind of address, and nothing that tells one game from another."""

    def log_exception(self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        logger.error("a request failed: %s %s", request.method, request.url_rule, exc_info=exc_info)


def _say(sentence: str, **values: object) -> str:
    language: words.Language = g.language
    return language.say(sentence, **values)


def _count(one: str, many: str, n: int, **values: object) -> str:
    language: words.Language = g.language
    return language.count(one, many, n, **values)


def create_app(
    desk: Desk,
    key: bytes,
    https: Https | None = None,
    own_camera: OwnCamera | None = None,
    reached: Reach | None = None,
    house: House | None = None,
) -> Flask:
    """The application. `key` signs the cookies and names the games; `https` is what devices are told to trust;
    `own_camera` is the camera at the computer; `reached` says where other devices find it; `house`
    keeps house rules, which cannot be made without."""
    app = Application(__name__, static_url_path=f"/static/{transfer.version(STATIC)}")
    app.config.update(
        SECRET_KEY=key,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=365),
        SESSION_REFRESH_EACH_REQUEST=False,  # an answer that comes late must not bring back what the session was before
        MAX_CONTENT_LENGTH=LARGEST_UPLOAD,
        MAX_FORM_MEMORY_SIZE=100_000,
        MAX_FORM_PARTS=100,
    )
    app.session_interface = security.Sessions()
    app.extensions["kast"] = desk
    app.extensions["cameras"] = Cameras(desk)
    app.extensions["camera"] = own_camera
    app.extensions["https"] = https
    app.extensions["house"] = house
    app.extensions["reach"] = reached = reached or Reach()
    app.extensions["hosts"] = hosts.Hosts(reached.served_at, reached.called)
    app.extensions["limits"] = throttle.Limits()
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "autoescape": True}
    languages = words.load()

    @app.before_request
    def speak() -> ResponseReturnValue | None:
        accepted = [code for code, _quality in request.accept_languages]
        g.language = languages[words.choose(languages, None, accepted)]
        if not hosts.is_known():
            return sorry(MISDIRECTED, SENTENCES[MISDIRECTED], addresses=reach.known("/"))
        g.language = languages[words.choose(languages, session.get("language"), accepted)]
        if request.args.get("language") in languages:  # whoever comes from http to https goes on in the same language
            session["language"] = request.args["language"]
            return redirect(request.path, 303)
        return None

    # Globals, because imported macros do not see what is given to one page.
    app.jinja_env.globals.update(
        _=_say,
        ngettext=_count,
        language=LocalProxy(lambda: g.language),
        languages=languages,
        token=security.masked_token,
        new_id=security.new_id,
        can_use_camera=security.can_use_camera,
        own_camera=door.own_camera,
        house=door.house,
        door=door,
        ways=reach.ways,
        seated=join.seated,
        helps=HELP,
        asks=lambda box, dice: rules.sentences(box, dice, g.language),
        bonus_rule=lambda of: rules.bonus(of, g.language),
        box_examples=rules.examples,
        why=rules.why,
        turn_rules=lambda of: rules.turn(of, g.language),
    )

    def sorry(code: int, sentence: str, **values: object) -> tuple[str, int]:
        return render_template("sorry.html", sentence=g.language.say(sentence), **values), code

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> ResponseReturnValue:
        code = error.code or 500
        more = {"Retry-After": str(error.retry_after)} if isinstance(error, TooManyRequests) else {}
        return *sorry(code, SENTENCES.get(code, SENTENCES[400 if code < 500 else 500])), more

    @app.errorhandler(MethodNotAllowed)
    def lead_back(_error: MethodNotAllowed) -> ResponseReturnValue:
        """A tab that is restored asks for the address that its form was sent to: show the game instead."""
        parts = request.path.split("/")
        return redirect(url_for("pages.game", game=parts[2]) if parts[1] == "g" else url_for("pages.start"), 303)

    @app.errorhandler(UnknownGame)
    def unknown(_error: UnknownGame) -> tuple[str, int]:
        return sorry(404, SENTENCES[404])

    @app.errorhandler(Refusal)
    def cannot_be(refusal: Refusal) -> tuple[str, int]:
        """What a page could not say on the spot."""
        logger.error("%s", " ".join(journal.reasons(refusal)))
        return render_template("sorry.html", sentence=g.language.explain(refusal)), pages.status(refusal)

    app.register_blueprint(throttle.blueprint)  # first, since it reads nothing of what is sent
    app.register_blueprint(door.blueprint)
    app.register_blueprint(pages.blueprint)
    for part in (people, ledger, rules, after, carry):
        app.register_blueprint(part.blueprint)
    if house:
        app.register_blueprint(houses.blueprint)
    app.register_blueprint(photos.blueprint)
    app.register_blueprint(past.blueprint)
    app.register_blueprint(camera.blueprint)
    app.register_blueprint(trust.blueprint)
    app.register_blueprint(join.blueprint)
    app.register_blueprint(install.blueprint)
    app.after_request(security.harden)
    app.after_request(transfer.lighten)
    return app
