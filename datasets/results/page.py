"""The page of results, in Markdown, and its plots: everything in them is in the figures. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from datasets.results import measure
from datasets.results.plots import Point, curves, dots
from scorekeeper import games
from scorekeeper.rules import MOST_POINTS
from web.bench_exact import split

Figures = Mapping[str, Mapping[str, Any]]

PLAYERS = {"best": "best play", "hunter": "bonus hunter", "greedy": "greedy", "simple": "simple rule"}
ORDERS = ("free", "forced", "upper-first")


def page(known: Figures) -> str:
    """The page of these figures; what they lack is said to be missing."""
    drawn = plots(known)
    missing = [key for key in measure.tasks() if key not in known]
    gap = f"\nNot worked out yet: {', '.join(missing)}.\n" if missing else ""
    return f"""# How well one can play

{headline(known)}

All figures are made by `python -m datasets.results docs`, which keeps them in [results.json](results.json).
{gap}
## Best play

What the final total of one sheet is expected to be if every play is the one with the largest expectation, how far it
spreads, and how often it brings the bonus: all three exact, by backward induction over every sheet ([how](exact.md)).
Of plays that are worth the same the first one is taken; another could have another spread. Wherever an independent
program has worked out the same, the expected totals agree within 0.0001 points.

{best_table(known)}

{_image(drawn, "results-best.svg", "Expected final totals of each game, with one standard deviation to both sides")}

## What saved rerolls add to Maxi Yatzy

A reroll not used is kept as a marker, which pays for one in a later turn. Expected final totals, exact:

{saved_table(known)}

{_image(drawn, "results-saved.svg", "Expected final totals of Maxi Yatzy with and without saved rerolls")}

## What a marker is worth

{marker_text(known)}

{_image(drawn, "results-marker.svg", "What one marker more is worth before each turn, and how many are held")}

## Other ways to play

{players_text(known)}

{_image(drawn, "results-players.svg", "Expected final totals of four ways to play")}

## Playing to win

{duels_text(known)}
"""


def plots(known: Figures) -> dict[str, str]:
    """The plots by the name of their file."""
    best = {
        _title(name): [Point(known[f"best {name}"]["expected"], known[f"best {name}"]["deviation"])]
        for name in measure.rows()
        if f"best {name}" in known
    }
    saved = {f"{sheet}, {order} order": [Point(off, 0, 0), Point(on, 0, 1)] for sheet, order, off, on in _saved(known)}
    players = {
        _title(name): [
            Point(known[f"{player} {name}"]["expected"], 0, number)
            for number, player in enumerate(PLAYERS)
            if f"{player} {name}" in known
        ]
        for name in measure.COMPARED
        if f"best {name}" in known
    }
    watched = {name: known[f"markers {name}"] for name in measure.SAVING if f"markers {name}" in known}
    lines = {f"{_sheet(name)}: worth of one marker more, points": found["worth"] for name, found in watched.items()}
    lines |= {f"{_sheet(name)}: markers held": found["held"] for name, found in watched.items()}
    drawn = {
        "results-best.svg": best and dots("Best play: expected final total ± standard deviation", "points", best),
        "results-saved.svg": saved
        and dots("Maxi Yatzy: saved rerolls", "expected final total, points", saved, ("not saved", "saved")),
        "results-marker.svg": lines and curves("Maxi Yatzy: markers under best play", "turn", "points, markers", lines),
        "results-players.svg": players
        and dots("Four ways to play", "expected final total, points", players, list(PLAYERS.values())),
    }
    return {name: plot for name, plot in drawn.items() if plot}


def _image(drawn: Mapping[str, str], file: str, shows: str) -> str:
    """The plot in this file, where it could be drawn."""
    return f"![{shows}]({file})" if file in drawn else ""


def headline(known: Figures) -> str:
    """The results in a sentence or two, as the README has them."""
    best = {name: known[f"best {name}"]["expected"] for name in measure.rows() if f"best {name}" in known}
    named = {"Yatzy": "yatzy", "Superyatzy": "superyatzy", "Maxi Yatzy": "maxi-yatzy"}
    means = [f"{best[name]:.2f} in {game}" for game, name in named.items() if name in best]
    said = f"Best play expects, in points: {', '.join(means)}."
    plain, saving = best.get("maxi-yatzy:saved_rerolls=false"), best.get("maxi-yatzy")
    if plain and saving:
        said += f" Of the last, saved rerolls bring {saving - plain:.2f}."
    return said


def command(name: str) -> str:
    """The command that works out a row of best play."""
    key, options = split(name)
    return " ".join(
        ["kast solve", key, *(f"--option {option}={value}" for option, value in options.items()), "--spread"]
    )


def best_table(known: Figures) -> str:
    """A row for each game and its options, where it is known."""
    lines = ["| game | expected | standard deviation | chance of the bonus | command |", "|---|---:|---:|---:|---|"]
    for name in measure.rows():
        if found := known.get(f"best {name}"):
            figures = f"{found['expected']:.4f} | {found['deviation']:.2f} | {found['bonus']:.2%}"
            lines.append(f"| {_title(name)} | {figures} | `{command(name)}` |")
    return "\n".join(lines)


def _saved(known: Figures) -> list[tuple[str, str, float, float]]:
    """(sheet, order, expected without saved rerolls, and with them), where both are known."""
    rows = {rules.fingerprint: known.get(f"best {name}") for name, rules in measure.rows().items()}
    found = []
    for name in measure.SAVING:
        key, options = split(name)
        for order in ORDERS:
            pair = [
                rows[games.find(key, **options, order=order, saved_rerolls=saves).fingerprint]
                for saves in (False, True)
            ]
            if pair[0] and pair[1]:
                found.append((_sheet(name), order, pair[0]["expected"], pair[1]["expected"]))
    return found


def saved_table(known: Figures) -> str:
    """What saved rerolls add to each sheet in each order."""
    lines = ["| sheet | order | not saved | saved | adds |", "|---|---|---:|---:|---:|"]
    lines += [
        f"| {sheet} | {order} | {off:.2f} | {on:.2f} | {on - off:.2f} |" for sheet, order, off, on in _saved(known)
    ]
    return "\n".join(lines)


def marker_text(known: Figures) -> str:
    """The worth of a marker before each turn, and when one box is open."""
    watched = {name: known[f"markers {name}"] for name in measure.SAVING if f"markers {name}" in known}
    if not watched:
        return "Not worked out yet."
    some = next(iter(watched.values()))
    columns = "".join(f" {_sheet(name)}: worth | markers held |" for name in watched)
    lines = [f"| before turn |{columns}", "|---:|" + "---:|---:|" * len(watched)]
    for turn in range(len(some["worth"])):
        cells = [
            f"{found['worth'][turn]:.2f} ± {found['error'][turn]:.2f} | {found['held'][turn]:.1f}"
            for found in watched.values()
        ]
        lines.append(f"| {turn + 1} | {' | '.join(cells)} |")
    table = "\n".join(lines)
    times = (0, len(some["worth"]) // 2 - 1, len(some["worth"]) - 1)
    means = ", ".join(f"{some['worth'][turn]:.2f} before turn {turn + 1}" for turn in times)
    last = ", ".join(f"{points:.2f}" for points in some["last"])
    return f"""What one marker more would add to the expected final total before a turn: exact for each sheet,
averaged over the sheets of {some["games"]:,} simulated games of best play, with the standard error of that average.
Before turn 1 there is one sheet only, so that nothing is averaged.
On the {_sheet(next(iter(watched)))} sheet it is {means}.

{table}

At the very end, with only Maxi Yatzy open, the first marker and each further one add, exactly, {last} points."""


def players_text(known: Figures) -> str:
    """What other players get, beside best play."""
    lines = ["| game | player | expected | against best play | chance of the bonus |", "|---|---|---:|---:|---:|"]
    for name in measure.COMPARED:
        for player, called in PLAYERS.items():
            found, best = known.get(f"{player} {name}"), known.get(f"best {name}")
            if found and best:
                error = f" ± {found['error']:.2f}" if "error" in found else ""
                bonus = f" ± {found['bonus_error']:.2%}" if "error" in found else ""
                less = found["expected"] - best["expected"]
                lines.append(
                    f"| {_title(name)} | {called} | {found['expected']:.2f}{error} | {less:.2f} "
                    f"| {found['bonus']:.2%}{bonus} |"
                )
    table = "\n".join(lines)
    return f"""- *Best play* is that of the table above.
- A *bonus hunter* plays as would be best if the bonus paid {MOST_POINTS:,} points. Exact.
- *Greedy* plays every turn, as well as can be, as though the game ended with it. {measure.GAMES["greedy"]:,} simulated
  games.
- A *simple rule*: keep what shows most often, the higher of equals, throw the others up to twice, write where it pays
  most. {measure.GAMES["simple"]:,} simulated games.

Simulated games come with the standard error; they are the same ones each time (seed {measure.SEED}).

{table}"""


def duels_text(known: Figures) -> str:
    """What it brings to play the last rounds to end ahead, and not for points."""
    found = {name: known[f"duels {name}"] for name in measure.DUELS if f"duels {name}" in known}
    if not found:
        return "Not worked out yet."
    lines = [
        "| game | games | for points | to win | gained | without asking again | most in one game |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, duel in found.items():
        gained, exact = (f"{duel[gain]:+.2%} ± {duel[f'{gain}_error']:.2%}" for gain in ("gain", "exact_gain"))
        figures = f"{duel['points']:.1%} | {duel['ahead']:.1%} | {gained} | {exact} | {duel['most_exact_gain']:+.1%}"
        lines.append(f"| {_title(name)} | {duel['games']:,} | {figures} |")
    table, some = "\n".join(lines), next(iter(found.values()))
    return f"""Two play as is best for points until each has {some["rounds"]} boxes left; now the one begins, now the
other. From there one of them plays for the best chance to end ahead, as Kast advises, and the other for points to the
end. The table tells how often the first one wins, and how often with the same dice if both go on for points; a tie
counts one half. The last turn is weighed exactly and not played. *Without asking again*: the gain, exactly, of whoever
pays no heed to what the other gets from there on, averaged over the same games; and the most that it is in one of them.
Standard errors are of the gains.

{table}"""


def _title(name: str) -> str:
    """A game and its options in words."""
    key, options = split(name)
    return ", ".join([games.printed(key).rules.name, *(_words(option, value) for option, value in options.items())])


def _words(option: str, value: str) -> str:
    words = option.replace("_", " ")
    if value in ("true", "false"):
        return words if value == "true" else f"no {words}"
    return f"{value} {words}" if option == "order" else f"{words} {value}"


def _sheet(name: str) -> str:
    """The Maxi Yatzy sheet of this name."""
    return str(split(name)[1].get("bonus", games.printed(split(name)[0]).options[0].default)).capitalize()
