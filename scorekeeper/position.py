"""A position in plain types, as programs hand it over: rules, what is written, the roll, and the throws left.

May know: games, sheet. The format is that of `kast advise`; see the README.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorekeeper import games
from scorekeeper.dice import Roll
from scorekeeper.refusal import Refusal, _, demand
from scorekeeper.sheet import Sheet

FIELDS = {"id", "rules", "options", "scores", "roll", "rerolls_left", "saved", "throws_left", "expect"}


@dataclass(frozen=True)
class Position:
    """A sheet in the middle of a turn. left: throws that may still be made in it, those paid with markers included."""

    sheet: Sheet
    roll: Roll
    left: int


def read(plain: Any) -> Position:
    """The position that this says; Refusal, in words, where it cannot be."""
    demand(isinstance(plain, dict), _("A position is an object with rules, scores and a roll."))
    demand(plain.keys() <= FIELDS, _("Nobody knows what “{field}” is."), field=", ".join(plain.keys() - FIELDS))
    options, scores, dice = plain.get("options", {}), plain.get("scores", {}), plain.get("roll")
    demand(isinstance(plain.get("rules"), str), _("A position names its rules."))
    demand(isinstance(options, dict) and all(map(_is_plain, options.values())), _("Options are keys with values."))
    demand(
        isinstance(scores, dict) and all(type(points) is int for points in scores.values()),
        _("Scores are points by box."),
    )
    demand(isinstance(dice, list) and all(type(die) is int and 1 <= die <= 6 for die in dice), _("A die shows 1 to 6."))
    rules = games.find(plain["rules"], **options)
    demand(
        len(dice) == rules.dice,
        _("This game is played with {dice} dice, not {seen}."),
        dice=rules.dice,
        seen=len(dice),
    )
    sheet = Sheet.empty(rules)
    for key in sorted(scores, key=rules.index):
        sheet = sheet.amend(key, scores[key])
    demand(bool(sheet.open), _("Every box is filled: there is nothing left to do."))
    turns = len(scores)
    if rules.budget:
        left = _count(plain, "throws_left", rules.budget.throws - turns - 1)
        return Position(replace(sheet, left=left + 1), Roll.of(*dice), left)
    saved = _count(plain, "saved", (rules.throws - 1) * turns if rules.saves_rerolls else 0, default=0)
    left = _count(plain, "rerolls_left", rules.throws - 1) + saved
    return Position(replace(sheet, left=saved), Roll.of(*dice), left)


def _count(plain: dict[str, Any], field: str, most: int, default: int | None = None) -> int:
    value = plain.get(field, default)
    if type(value) is not int or not 0 <= value <= most:
        raise Refusal(_("{field} is a number from 0 to {most}, not {value}."), field=field, most=most, value=value)
    return value


def _is_plain(value: object) -> bool:
    return type(value) in (bool, int, str)
