"""Saved rerolls and throws of a budget, and where each came from and went. May know: a game's pages and its past."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, render_template

from scorekeeper.events import Scored
from scorekeeper.history import History
from web.pages import table

blueprint = Blueprint("ledger", __name__, url_prefix="/g/<game>/ledger")


@dataclass(frozen=True)
class Line:
    """A turn: the box it filled, the throws it used, how many throws it put by (or took), and how many there were
    afterwards."""

    box: str
    used: int
    change: int
    left: int


def lines(history: History, player: int) -> list[Line]:
    """Every turn of this player, counted from 0, that counts; oldest first."""
    found = []
    for seq in history.path[1:]:
        entry, before = history.entries[seq], history.games[seq - 1]
        if isinstance(entry, Scored) and before.turn == player:
            now, then = history.games[seq].sheets[player].left, before.sheet.left
            found.append(Line(entry.box, max(before.throws, 1), now - then, now))
    return found


@blueprint.get("/<int:player>")
def page(game: str, player: int) -> str:
    at = table(game)
    if player >= len(at.game.players) or not at.rules.carries:
        abort(404)
    return render_template("ledger.html", table=at, rules=at.rules, player=player, lines=lines(at.history, player))
