"""How a phone or tablet comes to trust this computer, which its live camera needs. May know: https, the pages."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, g, render_template, request, url_for

from web import door, pages, reach, security
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
    table = pages.desk().table_of(game) if game else next(iter(door.joined()), None)
    return render_template(
        "trust.html",
        table=at,
        works=security.can_use_camera(),
        secure=reach.secure_way(f"{door.way_in(there, table)}?language={g.language.code}"),
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
