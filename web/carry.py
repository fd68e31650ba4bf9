"""Games taken along: out as files, and in again. May know: the desk, a game's pages."""

from __future__ import annotations

from flask import Blueprint, Response, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.refusal import Refusal, _, demand
from web import after, door, spreadsheet
from web.pages import desk, status, table

blueprint = Blueprint("carry", __name__)


def _file(text: str, name: str, kind: str) -> Response:
    """A file to be kept under this name, which holds plain letters only."""
    response = Response(text, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/g/<game>/game.json")
def as_json(game: str) -> Response:
    """The whole game, to be brought in elsewhere."""
    at = table(game)
    return _file(desk().pack([game]), f"kast-{at.rules.key}.json", "application/json")


@blueprint.get("/g/<game>/sheet.csv")
def as_csv(game: str) -> Response:
    """The sheet, for a spreadsheet."""
    at = table(game)
    return _file(spreadsheet.sheet(at, g.language), f"kast-{at.rules.key}.csv", "text/csv")


@blueprint.get("/games.json")
def all_json() -> Response:
    """All games of this browser, finished or not."""
    return _file(desk().pack([saved.game for saved in door.games()]), "kast-games.json", "application/json")


@blueprint.get("/games.csv")
def all_csv() -> Response:
    """The results of all finished games of this browser."""
    return _file(spreadsheet.results(after.finished(), g.language), "kast-results.csv", "text/csv")


@blueprint.post("/games.json")
def bring() -> ResponseReturnValue:
    """Games from a file: one that came is shown, of several all. What it could not see comes to its own table."""
    file = request.files.get("file")
    try:
        demand(bool(file and file.filename), _("Choose a file first."))
        assert file
        own = door.current()
        brought = desk().bring(file.read(), lambda table: table if door.has_joined(table) else own)
        door.enter(own)
    except Refusal as refusal:
        return after.show_history(refusal=g.language.explain(refusal)), status(refusal)
    if len(brought.came + brought.known) == 1:
        return redirect(url_for("pages.game", game=(brought.came + brought.known)[0]), 303)
    return redirect(url_for("after.history", came=len(brought.came), known=len(brought.known)), 303)
