"""The games that Kast knows, and their options. May know: rules, options.

A game is a declaration after its printed sheet; an option is one change to it. A new one is added here and its names
in the translations, nowhere else.
"""

from __future__ import annotations

from dataclasses import replace

from scorekeeper.options import ASK, Change, Option, Printed, Value, either, with_boxes
from scorekeeper.patterns import Everything, Faces, Groups, Straight
from scorekeeper.refusal import BadRules, _
from scorekeeper.rules import Bonus, Box, Budget, Order, RuleSet

USUAL = "usual"  # the limit that goes with the sheet and the order

UPPER = tuple(
    Box(key, Faces(face), upper=True)
    for face, key in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), start=1)
)
PAIR = Box("pair", Groups((2,)))
TWO_PAIRS = Box("two-pairs", Groups((2, 2)))
THREE_PAIRS = Box("three-pairs", Groups((2, 2, 2)))
THREE_ALIKE = Box("three-alike", Groups((3,)))
FOUR_ALIKE = Box("four-alike", Groups((4,)))
FIVE_ALIKE = Box("five-alike", Groups((5,)))
SMALL_STRAIGHT = Box("small-straight", Straight(1, 5))
LARGE_STRAIGHT = Box("large-straight", Straight(2, 6))
FULL_STRAIGHT = Box("full-straight", Straight(1, 6))
FULL_HOUSE = Box("full-house", Groups((3, 2)))
CHANCE = Box("chance", Everything())

LOOSE_TWO_PAIRS = replace(TWO_PAIRS, pattern=Groups((2, 2), distinct=False))
LOOSE_THREE_PAIRS = replace(THREE_PAIRS, pattern=Groups((2, 2, 2), distinct=False))
LOOSE_FULL_HOUSE = replace(FULL_HOUSE, pattern=Groups((3, 2), distinct=False))


def _forced(rules: RuleSet, _value: Value) -> RuleSet:
    # In forced order few reach 63; 42, two of each, is the limit that families play with on five dice.
    usual = 42 if rules.bonus.at == 63 else rules.bonus.at
    return replace(rules, order=Order.FORCED, bonus=replace(rules.bonus, at=usual))


ORDER = either(
    "order",
    str(Order.FREE),
    (str(Order.FORCED), _forced),
    (str(Order.UPPER_FIRST), lambda rules, _value: replace(rules, order=Order.UPPER_FIRST)),
)


def _bonus_at(*limits: int) -> Option:
    return either(
        "bonus_at",
        USUAL,
        *((limit, lambda rules, at: replace(rules, bonus=replace(rules.bonus, at=int(at)))) for limit in limits),
    )


FIVE_DICE_LIMITS = _bonus_at(*range(1, 106))
SIX_DICE_LIMITS = _bonus_at(*range(1, 127))

FIVE_DICE_READINGS = (
    either("two_pairs", "distinct", ("four-alike", with_boxes(LOOSE_TWO_PAIRS))),
    either("full_house", "distinct", ("five-alike", with_boxes(LOOSE_FULL_HOUSE))),
)

YATZY = Printed(
    # The sheet of Sweden, Norway (Tactic), Denmark and Finland.
    RuleSet(
        key="yatzy",
        name="Yatzy",
        dice=5,
        boxes=(
            *UPPER,
            *(PAIR, TWO_PAIRS, THREE_ALIKE, FOUR_ALIKE, SMALL_STRAIGHT, LARGE_STRAIGHT, FULL_HOUSE, CHANCE),
            Box("yatzy", Groups((5,)), points=50),
        ),
        bonus=Bonus(at=63, points=50),
    ),
    (*FIVE_DICE_READINGS, ORDER, FIVE_DICE_LIMITS),
)

MAXI_YATZY = Printed(
    # The Swedish sheet as Alga prints it; Tactic's differs in the bonus.
    RuleSet(
        key="maxi-yatzy",
        name="Maxi Yatzy",
        dice=6,
        boxes=(
            *UPPER,
            *(PAIR, TWO_PAIRS, THREE_PAIRS, THREE_ALIKE, FOUR_ALIKE, FIVE_ALIKE),
            *(SMALL_STRAIGHT, LARGE_STRAIGHT, FULL_STRAIGHT, FULL_HOUSE),
            Box("villa", Groups((3, 3))),
            Box("tower", Groups((4, 2))),
            CHANCE,
            Box("maxi-yatzy", Groups((6,)), points=100),
        ),
        bonus=Bonus(at=84, points=100),
        saves_rerolls=True,
    ),
    (
        either("bonus", "alga", ("tactic", lambda rules, _value: replace(rules, bonus=Bonus(at=75, points=50)))),
        either("saved_rerolls", True, (False, lambda rules, _value: replace(rules, saves_rerolls=False))),
        ORDER,
        SIX_DICE_LIMITS,
    ),
)


def _cameron(points: int) -> Change:
    return with_boxes(Box("cameron", Straight(1, 6), points=points))


SUPERYATZY = Printed(
    # The Danish sheet, with the readings of its printed rule text.
    RuleSet(
        key="superyatzy",
        name="Superyatzy",
        dice=6,
        boxes=(
            *UPPER,
            *(PAIR, LOOSE_TWO_PAIRS, LOOSE_THREE_PAIRS, THREE_ALIKE, FOUR_ALIKE),
            Box("two-triples", Groups((3, 3))),
            *(SMALL_STRAIGHT, LARGE_STRAIGHT, FULL_HOUSE),
            Box("cameron", Groups((6,)), extra=100),
            CHANCE,
            Box("superyatzy", Groups((6,)), extra=50),
        ),
        bonus=Bonus(at=84, points=50),
    ),
    (
        either("cameron", "six-alike", ("straight-30", _cameron(30)), ("straight-21", _cameron(21))),
        either("pairs", "same", ("distinct", with_boxes(TWO_PAIRS, THREE_PAIRS))),
        either("superyatzy_extra", 50, (100, with_boxes(Box("superyatzy", Groups((6,)), extra=100)))),
        ORDER,
        SIX_DICE_LIMITS,
    ),
)

STRATZY = Printed(
    # "Strategikassan": the Yatzy sheet with 45 throws for the whole game.
    replace(YATZY.rules, key="stratzy", name="Stratzy", budget=Budget(throws=45, value=1)),
    (
        Option("value", tuple(range(1, 11)), ASK, lambda rules, v: _budget(rules, value=int(v))),
        either(
            "throws",
            45,
            *((n, lambda rules, n: _budget(rules, throws=int(n))) for n in range(1, 61) if n != 45),
        ),
        *FIVE_DICE_READINGS,
        ORDER,
        FIVE_DICE_LIMITS,
    ),
)


def _budget(rules: RuleSet, throws: int | None = None, value: int | None = None) -> RuleSet:
    old = rules.budget
    assert old
    return replace(rules, budget=Budget(throws or old.throws, value or old.value))


GAMES = {game.rules.key: game for game in (YATZY, MAXI_YATZY, SUPERYATZY, STRATZY)}


def find(key: str, **options: Value) -> RuleSet:
    """The rule set with this key and these options; BadRules, in words, for one that is not there."""
    return printed(key).with_options(options)


def printed(key: str) -> Printed:
    """The game with this key and its options; BadRules where there is none."""
    if key not in GAMES:
        raise BadRules(_("There is no game “{rules}”; there are: {games}."), rules=key, games=", ".join(GAMES))
    return GAMES[key]
