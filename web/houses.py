"""The pages on which house rules are made, changed and deleted. May know: the house rules, the pages."""

from __future__ import annotations

from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper import games, houserules
from scorekeeper.refusal import Refusal
from web import door
from web import house as kept
from web.house import House
from web.pages import status
from web.question import Question

blueprint = Blueprint("house", __name__, url_prefix="/house")

MOST_FIELDS = 30  # boxes that a form is made for; rules with more are changed as text


def _house() -> House:
    """The house rules; 404 for whoever is not at the table of the house."""
    return door.house() or abort(404)


@blueprint.get("")
def page() -> str:
    return render_template("house.html", kept=list(_house()), printed=games.GAMES.values())


@blueprint.get("/<base>")
def make(base: str) -> str:
    return _make(base)


def _make(base: str, refusal: Refusal | None = None) -> str:
    printed = kept.offered(base, _house()) or abort(404)
    rules = printed.rules
    return render_template(
        "make.html",
        base=base,
        rules=rules,
        own=base not in games.GAMES,
        questions=[Question(option) for option in printed.options],
        more=kept.more_boxes(rules),
        has_form=len(rules.boxes) <= MOST_FIELDS,
        text=request.form.get("text") or houserules.to_toml(rules),
        refusal=g.language.explain(refusal, rules.key) if refusal else "",
    )


@blueprint.post("/<base>")
def keep(base: str) -> ResponseReturnValue:
    """Keep what the form says, or the text in it; house rules that are changed take the place of the old ones."""
    printed = kept.offered(base, _house()) or abort(404)
    form = request.form
    try:
        made = kept.read(form["text"]) if "text" in form else kept.changed(printed, form, form.getlist("box"))
        key = _house().keep(made, "" if base in games.GAMES else base)
    except Refusal as refusal:
        return _make(base, refusal), status(refusal)
    return redirect(url_for("pages.new", key=key), 303)


@blueprint.post("/<base>/delete")
def delete(base: str) -> ResponseReturnValue:
    _house().delete(base)
    return redirect(url_for("house.page"), 303)
