"""Rule sets from plain types: TOML files that people write, and what the log kept. May know: rules.

Whatever is written there, it is a rule set that can be played, or BadRules says in a sentence what is wrong with it.
"""

from __future__ import annotations

import tomllib
from typing import Any

import tomli_w

from scorekeeper import patterns
from scorekeeper.refusal import BadRules, _, check
from scorekeeper.rules import Bonus, Box, Budget, Order, RuleSet


def to_toml(rules: RuleSet) -> str:
    """The rule set as a TOML file that a person can change."""
    return tomli_w.dumps(rules.as_dict())


def from_toml(text: str) -> RuleSet:
    """The rule set of a TOML file; BadRules says what is wrong with it."""
    try:
        return from_dict(tomllib.loads(text))
    except BadRules:
        raise
    except (ValueError, RecursionError) as error:  # numbers too long to be said, brackets thousands deep
        raise BadRules(_("This is not TOML: {reason}"), reason=error) from error


def from_dict(plain: object) -> RuleSet:
    """The rule set that `RuleSet.as_dict` wrote down, or a person did; BadRules says what is wrong with it."""
    table = _Table(plain, _("The game"))
    order = table.take("order", str, Order.FREE)
    check(order in tuple(Order), _("The order is one of {orders}."), orders=", ".join(Order))
    bonus = _Table(table.take("bonus", dict), "bonus")
    budget = _Table(table.table.pop("budget"), "budget") if "budget" in table.table else None
    rules = RuleSet(
        key=table.take("key", str),
        name=table.take("name", str),
        dice=table.take("dice", int),
        boxes=tuple(map(_box, table.take("boxes", list))),
        bonus=Bonus(bonus.take("at", int), bonus.take("points", int)),
        throws=table.take("throws", int, 3),
        saves_rerolls=table.take("saves_rerolls", bool, False),
        budget=Budget(budget.take("throws", int), budget.take("value", int)) if budget else None,
        order=Order(order),
    )
    for part in (table, bonus, budget):
        if part:
            part.done()
    return rules


def _box(plain: object) -> Box:
    table = _Table(plain, _("A box"))
    key = table.take("key", str)
    points = table.take("points", int) if "points" in table.table else None
    extra, upper = table.take("extra", int, 0), table.take("upper", bool, False)
    return Box(key, patterns.read(table.table), points, extra, upper)


class _Table:
    """A table of plain values, each taken once and of the right type; what nobody took is an unknown word."""

    def __init__(self, plain: object, where: str) -> None:
        check(isinstance(plain, dict), _("{where} should be a table of words and values."), where=where)
        assert isinstance(plain, dict)
        self.table, self.where = dict(plain), where

    def take(self, key: str, kind: type, default: Any = None) -> Any:
        value = self.table.pop(key, default)
        check(value is not None, _("{where}: “{key}” is missing."), where=self.where, key=key)
        fits = type(value) is kind or value is default
        check(fits, _("{where}: “{key}” cannot be {value}."), where=self.where, key=key, value=value)
        return value

    def done(self) -> None:
        check(
            not self.table,
            _("{where}: nobody knows what “{key}” is."),
            where=self.where,
            key=next(iter(self.table), ""),
        )
