"""What boxes, options and choices are called in English. May know: how a sentence is marked.

A sheet that calls a thing otherwise says so in its translations, with the key of the rule set as context. A key that
is not here, of a house rule for instance, is shown as it is written.
"""

from __future__ import annotations

from scorekeeper.refusal import _


def plain(key: str) -> str:
    """A key as words: “two-pairs” is “Two pairs”."""
    return key.replace("-", " ").replace("_", " ").capitalize()


BOXES = {
    "ones": _("Ones"),
    "twos": _("Twos"),
    "threes": _("Threes"),
    "fours": _("Fours"),
    "fives": _("Fives"),
    "sixes": _("Sixes"),
    "pair": _("One pair"),
    "two-pairs": _("Two pairs"),
    "three-pairs": _("Three pairs"),
    "three-alike": _("Three of a kind"),
    "four-alike": _("Four of a kind"),
    "five-alike": _("Five of a kind"),
    "small-straight": _("Small straight"),
    "large-straight": _("Large straight"),
    "full-straight": _("Full straight"),
    "full-house": _("Full house"),
    "villa": _("Villa"),
    "tower": _("Tower"),
    "two-triples": _("Two triples"),
    "cameron": _("Cameron"),
    "chance": _("Chance"),
    "yatzy": _("Yatzy"),
    "maxi-yatzy": _("Maxi Yatzy"),
    "superyatzy": _("Superyatzy"),
}

OPTIONS = {
    "two_pairs": _("What counts as two pairs?"),
    "full_house": _("What counts as a full house?"),
    "order": _("In which order are the boxes filled?"),
    "bonus_at": _("Points in the upper boxes for the bonus"),
    "bonus": _("Which sheet do you have?"),
    "saved_rerolls": _("Are rerolls that you do not use saved?"),
    "cameron": _("What is Cameron?"),
    "pairs": _("May pairs be of the same value?"),
    "superyatzy_extra": _("Extra points for Superyatzy"),
    "value": _("What is each throw left worth at the end?"),
    "throws": _("Throws for the whole game"),
}

HELP = {
    "none": _("No help"),
    "boxes": _("Points of every box"),
    "hint": _("A hint"),
    "everything": _("Everything"),
}

CHOICES = {
    "two_pairs": {
        "distinct": _("Two different pairs"),
        "four-alike": _("Four of a kind counts too"),
    },
    "full_house": {
        "distinct": _("Two different values"),
        "five-alike": _("Five of a kind counts too"),
    },
    "order": {
        "free": _("As you like"),
        "forced": _("From top to bottom"),
        "upper-first": _("Upper half first, then as you like"),
    },
    "bonus_at": {"usual": _("the usual limit")},
    "bonus": {
        "alga": _("Alga: 100 points from 84"),
        "tactic": _("Tactic: 50 points from 75"),
    },
    "saved_rerolls": {
        "true": _("Yes, for a later turn"),
        "false": _("No"),
    },
    "cameron": {
        "six-alike": _("Six alike: the sum and 100 more"),
        "straight-30": _("1-2-3-4-5-6: 30 points"),
        "straight-21": _("1-2-3-4-5-6: 21 points"),
    },
    "pairs": {
        "same": _("Yes, 6-6-6-6 is two pairs"),
        "distinct": _("No, each pair has its own value"),
    },
}
