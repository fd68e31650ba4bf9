"""After the game: how it went, the sheet to print, and all games together. May know: the desk, a game's pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.refusal import Refusal, UnusableLog, _
from scorekeeper.rules import Order, RuleSet
from web import door, present, records
from web.adviser import Working
from web.hindsight import Hindsight
from web.pages import desk, table
from web.records import Finished

blueprint = Blueprint("after", __name__)

BEST, LATEST = 10, 50  # sheets, and games, that are shown


def finished() -> list[Finished]:
    """All finished games of this browser, the latest first; one that cannot be read is left out."""
    return list(_finished())


def _finished() -> Iterator[Finished]:
    for saved in door.games():
        with suppress(UnusableLog):
            if found := desk().record(saved):
                yield found


@blueprint.get("/g/<game>/after")
def page(game: str) -> ResponseReturnValue:
    """Who won, who was lucky, what choices cost."""
    at = table(game)
    if not at.game.finished:
        return redirect(url_for("pages.game", game=game))
    found = desk().review(game)
    return render_template(
        "after.html",
        table=at,
        rules=at.rules,
        winners=present.together(at.winners, g.language),
        hindsight=Hindsight(at, found, g.language) if isinstance(found, tuple) else None,
        working=found if isinstance(found, Working) else None,
        refusal=g.language.explain(found, at.rules.key) if isinstance(found, Refusal) else "",
        usual=[kind for kind in records.kinds(finished()) if kind.rules.fingerprint == at.rules.fingerprint],
        average=records.average,
    )


@blueprint.get("/g/<game>/sheet")
def sheet(game: str) -> str:
    """The sheet as it is on paper, to be printed."""
    at = table(game)
    written = next((saved.at for saved in door.games() if saved.game == game), None)
    return render_template("paper.html", table=at, rules=at.rules, written=written)


@blueprint.get("/history")
def history() -> str:
    """All finished games: the latest, the best sheets, averages, and who won against whom."""
    came, known = (request.args.get(field, 0, int) for field in ("came", "known"))
    words = [g.language.say(_("Games that came: {n}."), n=came)] if came or known else []
    words += [g.language.say(_("Games that were here already: {n}."), n=known)] if known else []
    return show_history(" ".join(words))


def facts(rules: RuleSet) -> str:
    """What tells these rules from others of the same name: the bonus, the order, and what a throw is worth."""
    say, bonus = g.language.say, rules.bonus
    found = [say(_("bonus {points} from {limit}"), points=bonus.points, limit=bonus.at)]
    if rules.order != Order.FREE:
        found.append(g.language.choice(rules.key, "order", str(rules.order)))
    if rules.budget:
        found.append(say(_("{points} for each throw left"), points=rules.budget.value))
    return ", ".join(found)


def show_history(done: str = "", refusal: str = "") -> str:
    """The page of all games, and what was done, or could not be, in words."""
    games = finished()
    kinds = records.kinds(games)
    chosen = next((kind for kind in kinds if kind.rules.fingerprint == request.args.get("rules")), None)
    shown = chosen or (kinds[0] if kinds else None)
    return render_template(
        "history.html",
        games=games[:LATEST],
        kinds=kinds,
        kind=shown,
        best=shown.best[:BEST] if shown else [],
        duels=records.duels(games),
        average=records.average,
        total=records.total,
        facts=facts,
        done=done,
        refusal=refusal,
    )
