"""An option of a game as a form asks for it. Pure. May know: the options."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.options import ASK, Option, say


@dataclass(frozen=True)
class Question:
    """An option as a form asks for it: a number field for a long run of whole numbers, choices otherwise."""

    option: Option

    @property
    def key(self) -> str:
        return self.option.key

    @property
    def numbers(self) -> list[int]:
        return self.option.numbers

    @property
    def is_number(self) -> bool:
        return self.option.is_long

    @property
    def must_be_asked(self) -> bool:
        return self.option.default == ASK

    @property
    def default(self) -> str:
        return say(self.option.default)

    @property
    def choices(self) -> list[str]:
        return [say(choice) for choice in self.option.choices]

    @property
    def unset(self) -> str:
        """The choice that an empty number field stands for, where that is no number."""
        return "" if type(self.option.default) is int else self.default
