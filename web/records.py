"""All finished games together: best sheets, averages, who won against whom. Pure. May know: the game.

People are the same where their names are, whatever is capital; they are called as in their latest game. Games are the
same where their rules are, whatever these are called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from statistics import mean

from scorekeeper.game import Game
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet


@dataclass(frozen=True)
class Entrant:
    """Somebody in a finished game; `place` from 1, those who share the first have no other."""

    name: str
    place: int
    sheet: Sheet

    @property
    def who(self) -> str:
        """By what the same person is known in other games."""
        return self.name.strip().casefold()


@dataclass(frozen=True)
class Finished:
    """A finished game: its id, when the last entry was written, and those who played to the end, the winner first."""

    id: str
    at: datetime
    rules: RuleSet
    entrants: tuple[Entrant, ...]

    @classmethod
    def of(cls, id_: str, at: datetime, game: Game) -> Finished:
        """The record of a game that is over."""
        entrants = [Entrant(game.players[p], game.places[p], game.sheets[p]) for p in game.order]
        return cls(id_, at, game.rules, tuple(sorted(entrants, key=lambda entrant: entrant.place)))


@dataclass(frozen=True)
class Kind:
    """Games by the same rules, the latest first."""

    rules: RuleSet
    games: tuple[Finished, ...]

    @property
    def best(self) -> list[tuple[Entrant, Finished]]:
        """The sheets, the highest total first, and of equal ones the earliest."""
        sheets = [(entrant, game) for game in reversed(self.games) for entrant in game.entrants]
        return sorted(sheets, key=lambda found: -found[0].sheet.total)

    @property
    def people(self) -> list[tuple[str, list[Sheet]]]:
        """Everybody who played, whoever did most often first, and their sheets."""
        names, sheets = _names(self.games), defaultdict[str, list[Sheet]](list)
        for game in self.games:
            for entrant in game.entrants:
                sheets[entrant.who].append(entrant.sheet)
        return sorted(((names[who], theirs) for who, theirs in sheets.items()), key=lambda found: -len(found[1]))

    @property
    def sheets(self) -> list[Sheet]:
        """All of them."""
        return [entrant.sheet for game in self.games for entrant in game.entrants]


@dataclass(frozen=True)
class Duel:
    """Two people in all games that both played: how often each ended before the other, and how often they shared."""

    names: tuple[str, str]
    wins: tuple[int, int]
    shared: int

    @property
    def games(self) -> int:
        return sum(self.wins) + self.shared


def kinds(games: Iterable[Finished]) -> list[Kind]:
    """The games (the latest first), by their rules, what was played most often first."""
    by_rules = defaultdict[str, list[Finished]](list)
    for game in games:
        by_rules[game.rules.fingerprint].append(game)
    return sorted((Kind(same[0].rules, tuple(same)) for same in by_rules.values()), key=lambda kind: -len(kind.games))


def duels(games: Sequence[Finished]) -> list[Duel]:
    """Every two people who met, those who met most often first."""
    names, found = _names(games), defaultdict[tuple[str, str], list[int]](lambda: [0, 0, 0])
    for game in games:
        for pair in combinations(sorted(game.entrants, key=lambda entrant: entrant.who), 2):
            first, second = pair
            won = 2 if first.place == second.place else int(second.place < first.place)
            found[first.who, second.who][won] += 1
    met = [Duel((names[one], names[other]), (n[0], n[1]), n[2]) for (one, other), n in found.items()]
    return sorted(met, key=lambda duel: (-duel.games, duel.names))


def average(sheets: Sequence[Sheet], box: str) -> float:
    """Points in this box on average; one that stayed open counts as 0."""
    return mean(sheet.points(box) or 0 for sheet in sheets)


def total(sheets: Sequence[Sheet]) -> float:
    """The total on average."""
    return mean(sheet.total for sheet in sheets)


def _names(games: Iterable[Finished]) -> dict[str, str]:
    """What everybody was called last; the latest game comes first."""
    names = dict[str, str]()
    for game in games:
        for entrant in game.entrants:
            names.setdefault(entrant.who, entrant.name)
    return names
