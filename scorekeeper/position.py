"""A position in plain types, as programs hand it over: rules, what is written, the roll, and the throws left.

May know: games, sheet. The format is that of `kast advise`; see the README.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorekeeper import games
from scorekeeper.dice import Roll
from scorekeeper.refusal import Refusal, _, demand
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet

FIELDS = {"id", "rules", "options", "scores", "roll", "rerolls_left", "saved", "throws_left", "opponents", "expect"}
OPPONENT = {"scores", "saved", "throws_left"}


@dataclass(frozen=True)
class Position:
    """A sheet in the middle of a turn. left: throws that may still be made in it, those paid with markers included.

    others: the sheets of the other players, between two turns; or final totals, where only those are known.
    """

    sheet: Sheet
    roll: Roll
    left: int
    others: tuple[Sheet | int, ...] = ()


def read(plain: Any) -> Position:
    """The position that this says; Refusal, in words, where it cannot be."""
    demand(isinstance(plain, dict), _("A position is an object with rules, scores and a roll."))
    demand(plain.keys() <= FIELDS, _("Nobody knows what “{field}” is."), field=", ".join(plain.keys() - FIELDS))
    options, dice, opponents = plain.get("options", {}), plain.get("roll"), plain.get("opponents", [])
    demand(isinstance(plain.get("rules"), str), _("A position names its rules."))
    demand(isinstance(options, dict) and all(map(_is_plain, options.values())), _("Options are keys with values."))
    demand(isinstance(dice, list) and all(type(die) is int and 1 <= die <= 6 for die in dice), _("A die shows 1 to 6."))
    rules = games.find(plain["rules"], **options)
    demand(
        len(dice) == rules.dice,
        _("This game is played with {dice} dice, not {seen}."),
        dice=rules.dice,
        seen=len(dice),
    )
    demand(isinstance(opponents, list), _("Opponents are a list of final totals, or of objects with scores."))
    others = tuple(_opponent(rules, opponent) for opponent in opponents)
    sheet = _filled(rules, plain)
    demand(bool(sheet.open), _("Every box is filled: there is nothing left to do."))
    if rules.budget:
        left = _throws_left(sheet, plain, made=1)
        return Position(replace(sheet, left=left + 1), Roll.of(*dice), left, others)
    saved = _saved(sheet, plain)
    left = _count(plain, "rerolls_left", rules.throws - 1) + saved
    return Position(replace(sheet, left=saved), Roll.of(*dice), left, others)


def _opponent(rules: RuleSet, plain: Any) -> Sheet | int:
    if type(plain) is int:
        return plain
    demand(
        isinstance(plain, dict) and plain.keys() <= OPPONENT,
        _("Opponents are a list of final totals, or of objects with scores."),
    )
    sheet = _filled(rules, plain)
    return replace(sheet, left=_throws_left(sheet, plain) if rules.budget else _saved(sheet, plain))


def _filled(rules: RuleSet, plain: dict[str, Any]) -> Sheet:
    """The sheet with these scores."""
    scores, sheet = plain.get("scores", {}), Sheet.empty(rules)
    demand(
        isinstance(scores, dict) and all(type(points) is int for points in scores.values()),
        _("Scores are points by box."),
    )
    for key in sorted(scores, key=rules.index):
        sheet = sheet.amend(key, scores[key])
    return sheet


def _throws_left(sheet: Sheet, plain: dict[str, Any], made: int = 0) -> int:
    """Those of the budget, of which every turn and every throw `made` took one."""
    budget = sheet.rules.budget
    return _count(plain, "throws_left", budget.throws - _turns(sheet) - made) if budget else 0


def _saved(sheet: Sheet, plain: dict[str, Any]) -> int:
    most = (sheet.rules.throws - 1) * _turns(sheet) if sheet.rules.saves_rerolls else 0
    return _count(plain, "saved", most, default=0)


def _turns(sheet: Sheet) -> int:
    return len(sheet.scores) - len(sheet.open)


def _count(plain: dict[str, Any], field: str, most: int, default: int | None = None) -> int:
    value = plain.get(field, default)
    if type(value) is not int or not 0 <= value <= most:
        raise Refusal(_("{field} is a number from 0 to {most}, not {value}."), field=field, most=most, value=value)
    return value


def _is_plain(value: object) -> bool:
    return type(value) in (bool, int, str)
