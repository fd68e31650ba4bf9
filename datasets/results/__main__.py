"""Measures how well one can play, and writes it down: python -m datasets.results docs.

The figures are kept in results.json as soon as each is known, so that a run that was killed goes on; those for other
rules, or by another solver, are measured anew. The page and its plots are made of them, whatever is known by then.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from datasets.results import measure
from datasets.results.page import page, plots


def main() -> int:
    """Measure what is not known yet, the quickest first, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the folder of the page, its plots and its figures")
    parser.add_argument("only", nargs="*", help="only what is called so, as “best yatzy”")
    parser.add_argument("--write", action="store_true", help="measure nothing, write the page of what is known")
    args = parser.parse_args()
    known = read(args.out)
    tasks = measure.tasks()
    if unknown := set(args.only) - set(tasks):
        parser.error(f"nothing is called {', '.join(sorted(unknown))}; there are: {', '.join(tasks)}")
    left = [] if args.write else [key for key in tasks if not args.only or key in args.only]
    try:
        for number, key in enumerate(left, start=1):
            how, name, rules = tasks[key]
            if not measure.is_current(known.get(key), rules):
                known[key] = measure.stamped(how(name, rules), rules)
                _keep(args.out, known)
                figure = next(known[key][name] for name in ("expected", "mean", "gain") if name in known[key])
                print(f"{number} of {len(left)}: {key}, {figure}")
    finally:
        (args.out / "results.md").write_text(page(known), encoding="utf-8")
        for plot, drawn in plots(known).items():
            (args.out / plot).write_text(drawn, encoding="utf-8")
    return 0


def read(folder: Path) -> dict[str, measure.Figures]:
    """The figures that are known."""
    file = folder / "results.json"
    known: dict[str, measure.Figures] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return known


def _keep(folder: Path, known: dict[str, measure.Figures]) -> None:
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(known[key])}" for key in sorted(known))
    part = folder / "results.json.part"
    part.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    part.replace(folder / "results.json")


if __name__ == "__main__":
    sys.exit(main())
