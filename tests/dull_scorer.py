"""A second scorer, written dully from the printed rules: it tries every way to pick dice, and adds up.

It shares no code with the scorekeeper and imports nothing of it, so that where both agree, both are probably right.
Games, options and boxes have the names of the printed rules' tables; a sheet is a dict from box to points.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

Options = dict[str, str]
Dice = list[int]

UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
YATZY_LOWER = "pair two-pairs three-alike four-alike small-straight large-straight full-house chance yatzy"
MAXI_LOWER = (
    "pair two-pairs three-pairs three-alike four-alike five-alike small-straight large-straight full-straight"
    " full-house villa tower chance maxi-yatzy"
)
SUPER_LOWER = (
    "pair two-pairs three-pairs three-alike four-alike two-triples small-straight large-straight full-house"
    " cameron chance superyatzy"
)
SHEETS = {
    "yatzy": UPPER + YATZY_LOWER.split(),
    "stratzy": UPPER + YATZY_LOWER.split(),
    "maxi-yatzy": UPPER + MAXI_LOWER.split(),
    "superyatzy": UPPER + SUPER_LOWER.split(),
}
DICE = {"yatzy": 5, "stratzy": 5, "maxi-yatzy": 6, "superyatzy": 6}


def best_of(dice: Dice, how_many: int, fits: Callable[[list[int]], bool]) -> int:
    """The best sum of so many of the dice that, lowest first, fit; 0 where none do."""
    picks = [sorted(pick) for pick in combinations(dice, how_many)]
    return max([sum(pick) for pick in picks if fits(pick)], default=0)


def alike(pick: list[int]) -> bool:
    return min(pick) == max(pick)


def pairs(pick: list[int], same_value_twice: bool) -> bool:
    """2, 4 or 6 dice, lowest first, that are pairs side by side."""
    couples = [(pick[i], pick[i + 1]) for i in range(0, len(pick), 2)]
    values = [low for low, high in couples if low == high]
    return len(values) == len(couples) and (same_value_twice or len(set(values)) == len(values))


def two_parts(pick: list[int], big: int, small: int, same_value_twice: bool = False) -> bool:
    """`big` alike beside `small` alike, either of them the higher."""
    for first in (big, small):
        left, right = pick[:first], pick[first:]
        if alike(left) and alike(right) and (same_value_twice or left[0] != right[0]):
            return True
    return False


def straight(dice: Dice, faces: list[int], points: int) -> int:
    for face in faces:
        if face not in dice:
            return 0
    return points


def full_house(dice: Dice, same_value_twice: bool = False) -> int:
    return best_of(dice, 5, lambda pick: two_parts(pick, 3, 2, same_value_twice))


def six_alike(dice: Dice, points: int) -> int:
    return points if len(dice) == 6 and alike(dice) else 0


def common(box: str, dice: Dice) -> int | None:
    """Points in the boxes that every sheet pays alike; None for the others."""
    if box in UPPER:
        face = UPPER.index(box) + 1
        return sum([die for die in dice if die == face])
    if box == "pair":
        return best_of(dice, 2, alike)
    if box == "three-alike":
        return best_of(dice, 3, alike)
    if box == "four-alike":
        return best_of(dice, 4, alike)
    if box == "small-straight":
        return straight(dice, [1, 2, 3, 4, 5], 15)
    if box == "large-straight":
        return straight(dice, [2, 3, 4, 5, 6], 20)
    if box == "chance":
        return sum(dice)
    return None


def yatzy_points(options: Options, box: str, dice: Dice) -> int:
    """Boxes of Yatzy and of Stratzy."""
    if box == "two-pairs":
        return best_of(dice, 4, lambda pick: pairs(pick, options.get("two_pairs") == "four-alike"))
    if box == "full-house":
        return full_house(dice, options.get("full_house") == "five-alike")
    if box == "yatzy":
        return 50 if alike(dice) else 0
    raise KeyError(box)


def maxi_points(box: str, dice: Dice) -> int:
    if box == "two-pairs":
        return best_of(dice, 4, lambda pick: pairs(pick, False))
    if box == "three-pairs":
        return best_of(dice, 6, lambda pick: pairs(pick, False))
    if box == "five-alike":
        return best_of(dice, 5, alike)
    if box == "full-straight":
        return straight(dice, [1, 2, 3, 4, 5, 6], 21)
    if box == "full-house":
        return full_house(dice)
    if box == "villa":
        return best_of(dice, 6, lambda pick: two_parts(pick, 3, 3))
    if box == "tower":
        return best_of(dice, 6, lambda pick: two_parts(pick, 4, 2))
    if box == "maxi-yatzy":
        return six_alike(dice, 100)
    raise KeyError(box)


def super_points(options: Options, box: str, dice: Dice) -> int:
    same = options.get("pairs", "same") == "same"
    if box == "two-pairs":
        return best_of(dice, 4, lambda pick: pairs(pick, same))
    if box == "three-pairs":
        return best_of(dice, 6, lambda pick: pairs(pick, same))
    if box == "two-triples":
        return best_of(dice, 6, lambda pick: two_parts(pick, 3, 3))
    if box == "full-house":
        return full_house(dice)
    if box == "cameron":
        cameron = options.get("cameron", "six-alike")
        if cameron == "six-alike":
            return six_alike(dice, sum(dice) + 100)
        return straight(dice, [1, 2, 3, 4, 5, 6], 30 if cameron == "straight-30" else 21)
    if box == "superyatzy":
        return six_alike(dice, sum(dice) + int(options.get("superyatzy_extra", "50")))
    raise KeyError(box)


def box_points(game: str, options: Options, box: str, dice: Dice) -> int:
    """Points that these dice give in this box."""
    points = common(box, dice)
    if points is not None:
        return points
    if game == "maxi-yatzy":
        return maxi_points(box, dice)
    if game == "superyatzy":
        return super_points(options, box, dice)
    return yatzy_points(options, box, dice)


def upper_sum(sheet: dict[str, int]) -> int:
    return sum([points for box, points in sheet.items() if box in UPPER])


def bonus(game: str, options: Options, sheet: dict[str, int]) -> int:
    """The bonus: 63, in forced order 42, for 50; Maxi 84 for 100 or, Tactic, 75 for 50; Superyatzy 84 for 50."""
    if game == "maxi-yatzy":
        limit, pays = (75, 50) if options.get("bonus") == "tactic" else (84, 100)
    elif game == "superyatzy":
        limit, pays = 84, 50
    else:
        limit, pays = (42 if options.get("order") == "forced" else 63), 50
    limit = int(options.get("bonus_at", limit))
    return pays if upper_sum(sheet) >= limit else 0


def extra(game: str, options: Options, sheet: dict[str, int], throws_left: int) -> int:
    """Stratzy, at the end: +v for each throw left, and −v for each box marked X."""
    if game != "stratzy":
        return 0
    crosses = len(SHEETS["stratzy"]) - len(sheet)
    if throws_left and crosses:
        return 0  # not the end yet
    return throws_left * int(options["value"]) - crosses * int(options["value"])


def total(game: str, options: Options, sheet: dict[str, int], throws_left: int = 0) -> int:
    return sum(sheet.values()) + bonus(game, options, sheet) + extra(game, options, sheet, throws_left)


def legal(options: Options, game: str, sheet: dict[str, int]) -> list[str]:
    """Boxes that may be filled next."""
    still_open = [box for box in SHEETS[game] if box not in sheet]
    upper_open = [box for box in still_open if box in UPPER]
    if options.get("order") == "forced":
        return still_open[:1]
    if options.get("order") == "upper-first" and upper_open:
        return upper_open
    return still_open


def left_after(game: str, options: Options, left_before: int, throws: int) -> int | None:
    """What stands beside the box: Stratzy's throws left, Maxi's saved rerolls; None where nothing does."""
    if game == "stratzy":
        return left_before - throws
    if game == "maxi-yatzy" and options.get("saved_rerolls", "true") == "true":
        rerolls_used = throws - 1
        return left_before + 2 - rerolls_used
    return None


def throws_allowed(game: str, left_before: int) -> int:
    """Throws that a turn may use at most."""
    return left_before if game == "stratzy" else 3 + left_before


def starts_with(game: str, options: Options) -> int:
    """Throws, or saved rerolls, that a player holds before the first turn."""
    return int(options.get("throws", "45")) if game == "stratzy" else 0


def places(totals: list[int]) -> list[int]:
    """One more than the number of players who have more."""
    return [1 + len([other for other in totals if other > mine]) for mine in totals]
