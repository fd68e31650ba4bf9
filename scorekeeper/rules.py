"""A rule set as data: boxes, bonus, order, budget. May know: dice, patterns.

The same declaration drives the sheet, the page and whatever else asks about the rules. A rule that does not fit
becomes a new field here or a new pattern, never a question about which rule set it is.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from scorekeeper.dice import Roll, rolls
from scorekeeper.patterns import MOST_DICE, Pattern
from scorekeeper.refusal import IllegalEvent, _, check

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
        return self._paid(self.pattern.pips(roll))

    def attainable(self, dice: int) -> frozenset[int]:
        """The points that some roll of so many dice gives, and 0."""
        return frozenset({0, *map(self._paid, _attainable_pips(self.pattern, dice))})

    def _paid(self, pips: int) -> int:
        if not pips:
            return 0
        return (pips if self.points is None else self.points) + self.extra

    def as_dict(self) -> dict[str, object]:
        """The box in plain types; what is usual is left out."""
        plain = {"key": self.key} | self.pattern.as_dict()
        if self.points is not None:
            plain["points"] = self.points
        if self.extra:
            plain["extra"] = self.extra
        if self.upper:
            plain["upper"] = True
        return plain


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
        return {box.key: box.attainable(self.dice) for box in self.boxes}

    @cached_property
    def fingerprint(self) -> str:
        """Equal for two rule sets where every game is worth the same in both, whatever they are called (SHA-256)."""
        play = {field: value for field, value in self.as_dict().items() if field not in ("key", "name")}
        return hashlib.sha256(json.dumps(play, sort_keys=True).encode()).hexdigest()

    def as_dict(self) -> dict[str, object]:
        """The rule set in plain types, as TOML and the log keep it; `houserules.from_dict` makes an equal one of it."""
        plain: dict[str, object] = {"key": self.key, "name": self.name, "dice": self.dice, "throws": self.throws}
        plain |= {"saves_rerolls": self.saves_rerolls, "order": str(self.order)}
        plain["bonus"] = {"at": self.bonus.at, "points": self.bonus.points}
        if self.budget:
            plain["budget"] = {"throws": self.budget.throws, "value": self.budget.value}
        return plain | {"boxes": [box.as_dict() for box in self.boxes]}


@lru_cache(maxsize=256)
def _attainable_pips(pattern: Pattern, dice: int) -> frozenset[int]:
    return frozenset(map(pattern.pips, rolls(dice)))
