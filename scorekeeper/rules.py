"""A rule set as data: boxes, bonus, order, budget. May know: dice, patterns.

The same declaration drives the sheet, the page and whatever else asks about the rules. A rule that does not fit
becomes a new field here or a new pattern, never a question about which rule set it is.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from typing import Any

import tomli_w

from scorekeeper import patterns
from scorekeeper.dice import Roll, rolls
from scorekeeper.patterns import MOST_DICE, Pattern
from scorekeeper.refusal import BadRules, IllegalEvent, _, check

KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_BOXES, MOST_POINTS, MOST_THROWS, LONGEST = 40, 1000, 200, 40


def check_key(key: str) -> None:
    check(
        bool(KEY.fullmatch(key)) and len(key) <= LONGEST,
        _("“{key}” cannot be a key: it is written with a-z, 0-9 and -."),
        key=key,
    )


@dataclass(frozen=True, slots=True)
class Box:
    """One row of the sheet: pays the pips of its pattern, or `points` instead, and `extra` besides."""

    key: str
    pattern: Pattern
    points: int | None = None
    extra: int = 0
    upper: bool = False

    def __post_init__(self) -> None:
        check_key(self.key)
        check(
            (self.points is None or 1 <= self.points <= MOST_POINTS) and 0 <= self.extra <= MOST_POINTS,
            _("The box {box} pays 1 to {most} points."),
            box=self.key,
            most=MOST_POINTS,
        )

    def score(self, roll: Roll) -> int:
        """Points for this roll, 0 where it does not fit."""
        pips = self.pattern.pips(roll)
        if not pips:
            return 0
        return (pips if self.points is None else self.points) + self.extra


@dataclass(frozen=True, slots=True)
class Bonus:
    """`points` for `at` or more in the upper boxes."""

    at: int
    points: int

    def __post_init__(self) -> None:
        check(
            0 <= self.at <= MOST_POINTS and 0 <= self.points <= MOST_POINTS,
            _("The bonus and its limit are 0 to {most}."),
            most=MOST_POINTS,
        )


@dataclass(frozen=True, slots=True)
class Budget:
    """So many throws for the whole game. At the end each one left pays `value`, each box still open costs it."""

    throws: int
    value: int

    def __post_init__(self) -> None:
        check(1 <= self.throws <= MOST_THROWS, _("A game has 1 to {most} throws."), most=MOST_THROWS)
        check(0 <= self.value <= 100, _("A throw is worth 0 to 100 points."))


class Order(StrEnum):
    """Which open boxes may be filled: any, the topmost only, or the lower ones only after all upper ones."""

    FREE = "free"
    FORCED = "forced"
    UPPER_FIRST = "upper-first"


@dataclass(frozen=True)
class RuleSet:
    """One game, whole. It checks itself at birth: BadRules says what cannot be.

    throws: throws a turn, the first one included; with a budget the turn has no limit of its own.
    saves_rerolls: every reroll not used pays for one in a later turn.
    """

    key: str
    name: str
    dice: int
    boxes: tuple[Box, ...]
    bonus: Bonus
    throws: int = 3
    saves_rerolls: bool = False
    budget: Budget | None = None
    order: Order = Order.FREE

    def __post_init__(self) -> None:
        check_key(self.key)
        check(
            0 < len(self.name.strip()) <= LONGEST and self.name.isprintable(),
            _("The name of a game has 1 to {most} letters."),
            most=LONGEST,
        )
        check(1 <= self.dice <= MOST_DICE, _("A game has 1 to {most} dice."), most=MOST_DICE)
        check(1 <= self.throws <= 10, _("A turn has 1 to 10 throws."))
        check(1 <= len(self.boxes) <= MOST_BOXES, _("A sheet has 1 to {most} boxes."), most=MOST_BOXES)
        check(
            not (self.saves_rerolls and self.budget),
            _("Rerolls cannot be saved where the throws of the whole game are counted."),
        )
        keys = [box.key for box in self.boxes]
        for box in self.boxes:
            check(keys.count(box.key) == 1, _("The box {box} is there twice."), box=box.key)
            check(
                len(self.attainable[box.key]) > 1,
                _("The box {box} cannot be filled with {dice} dice."),
                box=box.key,
                dice=self.dice,
            )

    @property
    def income(self) -> int:
        """Throws that each turn brings with it."""
        return 0 if self.budget else self.throws

    @property
    def carries(self) -> bool:
        """Whether throws not used stay with the player, as saved rerolls or as the rest of a budget."""
        return self.saves_rerolls or self.budget is not None

    def index(self, key: str) -> int:
        """The place of the box with this key on the sheet, from 0; IllegalEvent where there is none."""
        for place, box in enumerate(self.boxes):
            if box.key == key:
                return place
        raise IllegalEvent(_("This sheet has no box {box}."), box=key)

    @cached_property
    def attainable(self) -> dict[str, frozenset[int]]:
        """By box key: the points that some roll gives, and 0."""
        return {box.key: _attainable(box, self.dice) for box in self.boxes}

    @cached_property
    def fingerprint(self) -> str:
        """Equal for two rule sets where every game is worth the same in both, whatever they are called (SHA-256)."""
        play = {field: value for field, value in as_dict(self).items() if field not in ("key", "name")}
        return hashlib.sha256(json.dumps(play, sort_keys=True).encode()).hexdigest()


@cache
def _attainable(box: Box, dice: int) -> frozenset[int]:
    return frozenset({0, *(box.score(roll) for roll in rolls(dice))})


def as_dict(rules: RuleSet) -> dict[str, Any]:
    """The rule set in plain types, as TOML and the log keep it; `from_dict` makes an equal one of it."""
    plain: dict[str, Any] = {"key": rules.key, "name": rules.name, "dice": rules.dice, "throws": rules.throws}
    plain |= {"saves_rerolls": rules.saves_rerolls, "order": str(rules.order)}
    plain["bonus"] = {"at": rules.bonus.at, "points": rules.bonus.points}
    if rules.budget:
        plain["budget"] = {"throws": rules.budget.throws, "value": rules.budget.value}
    plain["boxes"] = [
        {"key": box.key}
        | box.pattern.as_dict()
        | ({} if box.points is None else {"points": box.points})
        | ({"extra": box.extra} if box.extra else {})
        | ({"upper": True} if box.upper else {})
        for box in rules.boxes
    ]
    return plain


class _Plain:
    """A table of plain values, each taken once and of the right type; what nobody took is an unknown word."""

    def __init__(self, table: object, where: str) -> None:
        check(isinstance(table, dict), _("{where} should be a table of words and values."), where=where)
        assert isinstance(table, dict)
        self.table, self.where = dict(table), where

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


def from_dict(plain: object) -> RuleSet:
    """The rule set that `as_dict` wrote down, or a person did; BadRules says what is wrong with it."""
    table = _Plain(plain, _("The game"))
    order = table.take("order", str, Order.FREE)
    check(order in tuple(Order), _("The order is one of {orders}."), orders=", ".join(Order))
    bonus = _Plain(table.take("bonus", dict), "bonus")
    budget = _Plain(table.table.pop("budget"), "budget") if "budget" in table.table else None
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
    table = _Plain(plain, _("A box"))
    key = table.take("key", str)
    points = table.take("points", int) if "points" in table.table else None
    extra, upper = table.take("extra", int, 0), table.take("upper", bool, False)
    return Box(key, patterns.read(table.table), points, extra, upper)


def to_toml(rules: RuleSet) -> str:
    """The rule set as a TOML file that a person can change."""
    return tomli_w.dumps(as_dict(rules))


def from_toml(text: str) -> RuleSet:
    """The rule set of a TOML file; BadRules says what is wrong with it."""
    try:
        return from_dict(tomllib.loads(text))
    except BadRules:
        raise
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, brackets thousands deep
        raise BadRules(_("This is not TOML: {reason}"), reason=error) from error
