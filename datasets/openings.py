"""Makes the openings that come with Kast, and their card: python -m datasets.openings --data FOLDER.

Every game as it is printed, and every choice that must be agreed before one, is solved whole, with the spread of final
totals; of each the first turns are kept, as many as it takes until what follows is quick to solve. A solve that was
killed goes on. Games whose table is in the folder already are not solved again: it should be empty at first.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from scorekeeper import advice, games, openings, position, tables
from scorekeeper.advice import Keep
from scorekeeper.options import ASK, Value
from scorekeeper.oracle import LIVE, SHIPPED, Oracle, opening_turns
from scorekeeper.refusal import Refusal
from scorekeeper.rules import RuleSet
from scorekeeper.solve import SPREAD, Cone
from web.exact import Progress

FEWEST = 2  # turns; while these are played the solver is compiled
ALSO: dict[str, dict[str, Value]] = {"maxi-yatzy": {"bonus": "tactic"}}  # the other sheet that is sold; costly to solve


@dataclass(frozen=True)
class Opening:
    """A game to ship: its options, and the seconds that one core may take for what follows."""

    rules: RuleSet
    options: dict[str, Value]
    live: float


def shipped() -> Iterator[Opening]:
    """Every game with its usual options, and what must be agreed in every way."""
    for key, printed in games.GAMES.items():
        asked = [option for option in printed.options if option.default == ASK]
        for choice in product(*(option.choices for option in asked)):
            options = dict(zip((option.key for option in asked), choice, strict=True))
            yield Opening(games.find(key, **options), options, LIVE)
    for key, options in ALSO.items():
        yield Opening(games.find(key, **options), options, 2 * LIVE)


def make(opening: Opening, data: Path, models: Path) -> dict[str, Any]:
    """Solve a game, or find its table, and write its opening: what the card says of it."""
    rules, began = opening.rules, time.monotonic()
    try:
        cone = tables.load(tables.path(data, rules), rules)
    except tables.ForeignTable:
        cone = Oracle(data, Progress(rules.name), models).make_table(rules, SPREAD)
    seconds = time.monotonic() - began
    turns = max(opening_turns(rules, opening.live), FEWEST)
    first = Cone(rules, cone.start, {filled: layer for filled, layer in cone.layers.items() if filled <= turns})
    packed, head = openings.pack(first)
    file = openings.path(models, rules)
    file.write_bytes(packed)
    values = sum(layer.sheets.size for layer in first.layers.values())
    print(f"{file.name}: {cone.value:.6f} points, {len(packed):,} bytes", flush=True)
    return {"name": named(opening), "turns": turns, "values": values, "bytes": len(packed), "worst": head["worst"]} | {
        "expected": cone.value,
        "seconds": seconds,
    }


def named(opening: Opening) -> str:
    """The game and its options, as the card lists it."""
    return " ".join([opening.rules.key, *(f"{key}={value}" for key, value in opening.options.items())])


def check(positions: Path, models: Path) -> tuple[int, float]:
    """How many positions the openings know, and the largest difference from what is expected of any play, points."""
    oracle, tried, worst = Oracle(models / "nothing", shipped=models), 0, 0.0
    for line in positions.read_text(encoding="utf-8").splitlines():
        plain = json.loads(line)
        there = position.read(plain)
        after = oracle.known(there.sheet)
        if after is None:
            continue
        plays = advice.plays(there.sheet, there.roll, there.left, after)
        found = {tuple(play.dice) if isinstance(play, Keep) else play.box: play.value for play in plays}
        for play in plain["expect"]["top"]:
            value = found[play["score"] if "score" in play else tuple(sorted(play["keep"]))]
            worst = max(worst, abs(value - play["value"]))
        tried += 1
    return tried, worst


def card(made: list[dict[str, Any]], checked: tuple[int, float] | None) -> str:
    """The card of the openings, in Markdown."""
    size = sum(one["bytes"] for one in made)
    value, deviation, chance = (f"{1 / step:.0f}" for step in openings.STEPS)
    rows = "\n".join(
        f"| {one['name']} | {one['turns']} | {one['values']:,} | {one['bytes']:,} | {one['worst']:.6f} "
        f"| {one['expected']:.4f} |"
        for one in made
    )
    against = (
        f"\nAgainst an independent program: in {checked[0]} positions that the openings know, no play differs by more\n"
        f"than {checked[1]:.6f} points.\n"
        if checked
        else ""
    )
    return f"""# The openings

What the sheets of the first turns are worth under best play, so that Kast advises exactly from the first throw on,
before anything is solved. What follows them is solved while the game goes on, in a few seconds.

Made on {datetime.now(UTC):%Y-%m-%d} by `python -m datasets.openings --data FOLDER`, which solves every game below whole
(backward induction in float32, `scorekeeper/solve.py`) and keeps its first turns: what a sheet is worth, how far games
end from that, and the chance of the bonus. {size / 1e6:.1f} MB in all.
A file is a header line (format, solver, fingerprint of the rules, precision, how it was made, checksum of all) and the
differences between neighbouring numbers, pressed with LZMA. Values are held in steps of 1/{value} point. Standard
deviations, in steps of 1/{deviation} point, and chances, of 1/{chance}, are shown and decide nothing.
A file that is for other rules, not whole or altered is refused, and the game is solved anew.

| game | turns | values | bytes | largest error of a value, points | best play expects |
|---|---:|---:|---:|---:|---:|
{rows}
{against}
The error is what the steps add; it was measured over all values of the file, and cannot be more than
{openings.STEP / 2:.6f}. No play seems better or worse by more than that, so none that is chosen costs more than twice
as much.
"""


def main() -> int:
    """Make all openings, or those of the games that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="only these games; the card is not written then")
    parser.add_argument(
        "--data", type=Path, required=True, help="where tables are kept, and what an interrupted solve needs"
    )
    parser.add_argument("--models", type=Path, default=SHIPPED, help="where the openings are written")
    parser.add_argument("--positions", type=Path, help="positions with their values, to check against")
    args = parser.parse_args()
    chosen = [opening for opening in shipped() if not args.games or opening.rules.key in args.games]
    made = [make(opening, args.data, args.models) for opening in chosen]
    checked = check(args.positions, args.models) if args.positions else None
    if checked:
        print(f"{checked[0]} positions, largest difference {checked[1]:.6f} points", flush=True)
    if not args.games:
        (args.models / "openings.md").write_text(card(made, checked), encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Refusal as refusal:
        sys.exit(str(refusal))
