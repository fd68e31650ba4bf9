"""How a phone or tablet comes to trust this computer, which its live camera needs. May know: https, the pages."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, current_app, g, render_template, request, url_for

from web import pages, security
from web.https import Https

blueprint = Blueprint("trust", __name__, url_prefix="/trust")


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
        secure=f"https://{_host()}:{https.port}{there}?language={g.language.code}" if https else "",
        name=https.name if https else "",
    )


@blueprint.get("/kast.crt")
def authority() -> Response:
    """The authority, as devices install it."""
    https = _https()
    if https is None:
        abort(404)
    return Response(https.authority, mimetype="application/x-x509-ca-cert")


def _host() -> str:
    """This computer as the browser called it, in brackets where it is an address of version 6."""
    host = urlsplit(f"//{request.host}").hostname or "localhost"
    return f"[{host}]" if ":" in host else host
