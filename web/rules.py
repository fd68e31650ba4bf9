"""What each box asks for, in words and with examples that the rules themselves have counted. May know: the rules, the
pages of a game; names only through a Language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median_high

from flask import Blueprint, g, render_template

from scorekeeper.dice import Roll, rolls
from scorekeeper.patterns import MOST_DICE, Everything, Faces, Groups, Straight
from scorekeeper.refusal import _
from scorekeeper.rules import Box, Order, RuleSet
from web.pages import table
from web.present import together
from web.words import Language

blueprint = Blueprint("rules", __name__, url_prefix="/g/<game>/rules")

TURNS = {
    Order.FREE: _("Fill the boxes in the order that you like."),
    Order.FORCED: _("Fill the boxes from top to bottom."),
    Order.UPPER_FIRST: _("Fill all upper boxes first, then the others as you like."),
}


@dataclass(frozen=True)
class Example:
    """A roll, and the points that it gives in a box: 0 where it would have to be struck."""

    dice: tuple[int, ...]
    points: int


def why(rules: RuleSet, page: str) -> str:
    """What each box of these rules asks for, as bars of a game whose page of rules this is; HTML."""
    return _why(rules, page, g.language.code)


@lru_cache(maxsize=256)  # a fifth of the page of a game, and the same in each
def _why(rules: RuleSet, page: str, _language: str) -> str:
    return render_template("why.html", rules=rules, page=page)


@lru_cache(maxsize=512)
def examples(box: Box, dice: int) -> tuple[Example, ...]:
    """A roll that gives middling points, with other dice in it if it can; then one that people disagree about."""
    paying = [roll for roll in rolls(dice) if box.score(roll)]
    middling = median_high(sorted(box.attainable(dice) - {0}))
    usual = min(paying, key=lambda roll: (abs(box.score(roll) - middling), -len(set(roll.dice)), roll.pips))
    shown = [usual, *([disputed] if (disputed := _disputed(box, dice)) and disputed != usual else [])]
    return tuple(Example(roll.dice, box.score(roll)) for roll in shown)


def _disputed(box: Box, dice: int) -> Roll | None:
    """More dice alike than the box asks for, which some take for no such thing."""
    if not isinstance(box.pattern, Groups):
        return None
    if len(box.pattern.sizes) == 1:
        return Roll.of(*[4] * dice) if box.pattern.sizes[0] < dice else None
    strict, loose = (replace(box.pattern, distinct=distinct) for distinct in (True, False))
    apart = [roll for roll in rolls(dice) if bool(strict.pips(roll)) != bool(loose.pips(roll))]
    return max(apart, key=lambda roll: (len(set(roll.dice)), roll.counts[3]), default=None)


def sentences(box: Box, dice: int, language: Language) -> str:
    """What the box asks of so many dice, and what it pays."""
    asks, least = _asks(box, language)
    said = [asks, *([language.say(_("No other die counts."))] if least < dice else [])]
    pays = _("The points are what these dice show together.")
    said.append(language.say(_("They give {points} points."), points=box.points) if box.points else language.say(pays))
    if box.extra:
        said.append(language.say(_("{points} points come on top."), points=box.extra))
    return " ".join(said)


def _asks(box: Box, language: Language) -> tuple[str, int]:
    """What the box asks for, and how many dice can count."""
    say = language.say
    match box.pattern:
        case Faces(face):
            return say(_("Every die that shows {face} counts."), face=face), MOST_DICE
        case Straight(lo, hi):
            return say(_("{dice}, all of them."), dice="-".join(map(str, range(lo, hi + 1)))), hi - lo + 1
        case Groups((size,)):
            return say(_("{n} dice that show the same."), n=size), size
        case Groups(sizes, distinct):
            alike = together([say(_("{n} alike"), n=size) for size in sizes], language)
            apart, loose = _("{groups}, each of another value."), _("{groups}. They may be of the same value.")
            return say(apart if distinct else loose, groups=alike), sum(sizes)
        case Everything():
            return say(_("All dice count, whatever they show.")), MOST_DICE


def bonus(rules: RuleSet, language: Language) -> str:
    """What brings the bonus; nothing where there is none."""
    if not rules.bonus.points:
        return ""
    template = _("{points} points for {limit} or more in the upper boxes together.")
    return language.say(template, points=rules.bonus.points, limit=rules.bonus.at)


def turn(rules: RuleSet, language: Language) -> list[str]:
    """How a turn goes, in sentences."""
    say = language.say
    if rules.budget:
        throws = _("There are {throws} throws for the whole game. Each throw takes one.")
        rest = _("In the end each throw left gives {value} points, and each box still open costs as much.")
        said = [say(throws, throws=rules.budget.throws), say(rest, value=rules.budget.value)]
    else:
        said = [
            say(_("Up to {throws} throws a turn: put aside what you like, throw the rest again."), throws=rules.throws)
        ]
    if rules.saves_rerolls:
        said.append(say(_("Throws that you do not use are saved for a later turn.")))
    strike = _("Then fill one box. What does not fit anywhere is struck: 0 points.")
    return [*said, say(strike), say(TURNS[rules.order])]


@blueprint.get("")
def page(game: str) -> str:
    """All of them, from top to bottom."""
    at = table(game)
    return render_template("rules.html", table=at, rules=at.rules)
