"""Sentences that can be said in the player's own language.

May know: nothing. Whoever shows a refusal translates its template and fills in the values.
"""

from __future__ import annotations


def _(sentence: str) -> str:
    """Mark a sentence for translation; it is translated where it is shown."""
    return sentence


class Refusal(ValueError):
    """Something that cannot be, and why: an English sentence with named gaps, and what goes into the gaps."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values


class BadRules(Refusal):
    """A rule set, or a choice of options, that cannot be played."""


class IllegalEvent(Refusal):
    """The rules say no. The game is as it was before."""


class StaleEntry(Refusal):
    """Another screen wrote first; nothing was written."""


class UnusableLog(Refusal):
    """The file cannot be read, is damaged or is not Kast's; it was left untouched."""


class NoGames(UnusableLog):
    """Nothing was ever kept there, and nothing was to be made."""


class Unsaved(Refusal):
    """The disk is full, or did not take it for another reason; nothing was written."""


def check(holds: bool, template: str, **values: object) -> None:
    """Raise BadRules with this sentence unless it holds."""
    if not holds:
        raise BadRules(template, **values)


def demand(holds: bool, template: str, **values: object) -> None:
    """Raise IllegalEvent with this sentence unless it holds."""
    if not holds:
        raise IllegalEvent(template, **values)
