"""Sheets and results as CSV, as the spreadsheets of the language's countries open it. Pure.

May know: a game as the page shows it, records; names only through a Language.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from scorekeeper.refusal import _
from web.present import Cell, Table
from web.records import Finished
from web.words import Language

MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # at the beginning of a file it says that this is UTF-8
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would work out instead of showing it
SUMS = {"upper": _("Upper total"), "bonus": _("Bonus"), "extra": _("Extra"), "total": _("Total")}


def sheet(table: Table, language: Language) -> str:
    """A column for each player, a row for each box and sum; a strike is 0, an open box is empty."""
    players = table.columns
    lines: list[Sequence[str | int]] = [[table.rules.name, *(table.game.players[player] for player in players)]]
    for row in table.rows:
        name = language.box(table.rules.key, row.key) if row.key else language.say(SUMS[row.kind])
        lines.append([name, *(_figure(row.cells[player]) for player in players)])
    return _written(lines, language)


def results(games: Iterable[Finished], language: Language) -> str:
    """A line for each player in each game."""
    head = [_("Date"), _("Game"), _("Place"), _("Player"), _("Total")]
    lines: list[Sequence[str | int]] = [list(map(language.say, head))]
    for game in games:
        date = f"{game.at.astimezone():%Y-%m-%d %H:%M}"
        lines += [[date, game.rules.name, each.place, each.name, each.sheet.total] for each in game.entrants]
    return _written(lines, language)


def _figure(cell: Cell) -> str | int:
    if cell.kind in ("written", "struck", "sum"):
        return "" if cell.points is None else cell.points
    return "X" if cell.kind == "crossed" else ""


def _written(lines: Iterable[Sequence[str | int]], language: Language) -> str:
    """Where a comma is in the numbers, spreadsheets take a semicolon between the cells."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=";" if "," in language.number(0.5) else ",")
    writer.writerows([[_safe(cell) for cell in line] for line in lines])
    return MARK + file.getvalue()


def _safe(cell: str | int) -> str | int:
    """A name that looks like a formula is shown and not worked out (OWASP, CSV injection)."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
