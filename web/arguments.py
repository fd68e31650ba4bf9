"""Arguments that several commands have, and what they are read as. May know: which games there are."""

from __future__ import annotations

import argparse
from pathlib import Path

from scorekeeper import games


def count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 1000:
        raise ValueError(f"{number} is not a count from 1 to 1000")
    return number


def days(text: str) -> int:
    return 0 if text == "0" else count(text)


def add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="where games, pictures and tables are kept (default: where the system keeps such data)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for other programs")


def add_rules(parser: argparse.ArgumentParser, nargs: str | None) -> None:
    parser.add_argument("rules", nargs=nargs, metavar="RULES", help=f"{', '.join(games.GAMES)}, or a TOML file")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="play with this option, one of those that kast rules lists; may be given again",
    )
