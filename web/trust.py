"""How a phone or tablet comes to trust this computer, which its live camera needs. May know: https, the pages."""

from __future__ import annotations

from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, abort, current_app, g, render_template, request, url_for

from web import network, pages, security
from web.https import Https

blueprint = Blueprint("trust", __name__, url_prefix="/trust")
code = Blueprint("code", __name__, url_prefix="/g/<game>/code")


def _https() -> Https | None:
    found: Https | None = current_app.extensions["https"]
    return found


@blueprint.get("")
def page() -> str:
    """The steps, and beside them the photo, which needs none of this: for a game where one is named."""
    game, https = request.args.get("game", ""), _https()
    at = pages.table(game) if game else None
    there = url_for("pages.game", game=game) if game else url_for("pages.start")
    return render_template(
        "trust.html",
        table=at,
        works=security.can_use_camera(),
        secure=_secure(https, there),
        name=https.name if https else "",
        android="Android" in request.user_agent.string,
    )


@blueprint.get("/kast.crt")
def authority() -> Response:
    """The authority, as devices install it."""
    https = _https()
    if https is None:
        abort(404)
    return Response(https.authority, mimetype="application/x-x509-ca-cert")


@code.get("")
def show(game: str) -> str:
    """A code that leads a phone to the page on which it is the camera of the game."""
    at, https = pages.table(game), _https()
    secure = _secure(https, url_for("camera.page", game=game))
    return render_template(
        "code.html",
        table=at,
        secure=secure,
        code=segno.make(secure, error="m").svg_inline(border=4, omitsize=True, light="#fff") if secure else "",
        trust=f"http://{_host()}:{urlsplit(request.host_url).port or 80}{url_for('trust.page')}",
    )


def _secure(https: Https | None, path: str) -> str:
    """The address on https of a page; nothing where there is no https."""
    return f"https://{_host()}:{https.port}{path}?language={g.language.code}" if https else ""


def _host() -> str:
    """This computer as other devices call it, in brackets where it is an address of version 6."""
    host = urlsplit(f"//{request.host}").hostname or "localhost"
    if security.is_this_computer(host):
        host = next(map(str, network.own_addresses()), host)
    return f"[{host}]" if ":" in host else host
