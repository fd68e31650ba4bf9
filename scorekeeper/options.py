"""Choices that printed sheets, and families, disagree on. May know: rules.

A game is its printed rules with options; a choice is one change to the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from scorekeeper.refusal import BadRules, _
from scorekeeper.rules import Box, RuleSet

Value = bool | int | str
Change = Callable[[RuleSet, Value], RuleSet]

ASK = ""  # no default: it must be asked for
LONG_RUN = 12  # whole numbers that are still listed one by one


@dataclass(frozen=True)
class Option:
    """A choice that printed sheets, or families, disagree on. `default` is ASK where none may be assumed."""

    key: str
    choices: tuple[Value, ...]
    default: Value
    change: Change

    @property
    def numbers(self) -> list[int]:
        """The choices that are whole numbers."""
        return [choice for choice in self.choices if type(choice) is int]

    @property
    def is_long(self) -> bool:
        """Whether the choices are too many to be listed one by one."""
        return len(self.numbers) > LONG_RUN

    @property
    def listed(self) -> str:
        """The choices as a person writes them, a long run of whole numbers by its ends: “usual, 1–105”."""
        if not self.is_long:
            return ", ".join(map(say, self.choices))
        words = [say(choice) for choice in self.choices if type(choice) is not int]
        return ", ".join([*words, f"{min(self.numbers)}–{max(self.numbers)}"])

    def parse(self, text: str) -> Value:
        """The choice that this text stands for; BadRules where there is none."""
        for choice in self.choices:
            if text == say(choice):
                return choice
        raise BadRules(
            _("{option} cannot be “{text}”; it is one of: {choices}."),
            option=self.key,
            text=text,
            choices=self.listed,
        )


@dataclass(frozen=True)
class Printed:
    """A game as it is printed, and the options it is played with."""

    rules: RuleSet
    options: tuple[Option, ...]

    def with_options(self, chosen: Mapping[str, Value]) -> RuleSet:
        """The rule set with these choices, the default for the others; BadRules for one that cannot be."""
        known = {option.key for option in self.options}
        for key in chosen:
            if key not in known:
                raise BadRules(
                    _("{rules} has no option “{option}”; it has: {options}."),
                    rules=self.rules.key,
                    option=key,
                    options=", ".join(sorted(known)),
                )
        rules = self.rules
        for option in self.options:
            if option.default == ASK and option.key not in chosen:
                raise BadRules(
                    _("{rules} is not played before {option} is agreed."), rules=rules.key, option=option.key
                )
            rules = option.change(rules, option.parse(say(chosen.get(option.key, option.default))))
        return rules


def say(value: Value) -> str:
    """How a choice is written on the command line and in a form."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def with_boxes(*changed: Box) -> Change:
    """A choice that, unless it is the sheet's own reading, puts these boxes in place of those with the same keys."""
    by_key = {box.key: box for box in changed}
    return lambda rules, _value: replace(rules, boxes=tuple(by_key.get(box.key, box) for box in rules.boxes))


def either(key: str, own: Value, *others: tuple[Value, Change]) -> Option:
    """An option whose default leaves the printed sheet as it is, and whose other choices change it."""
    changes = dict(others)
    return Option(
        key,
        (own, *changes),
        own,
        lambda rules, value: changes[value](rules, value) if value in changes else rules,
    )
