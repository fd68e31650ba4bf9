"""House rules: made from a printed sheet or as text, named, and kept. I/O: their folder. May know: the rules.

Each is a TOML file that a person can read, change and pass on. One that cannot be played is never kept, and one that
somebody has spoilt by hand hides no other.
"""

from __future__ import annotations

import logging
import re
import threading
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from scorekeeper import games, houserules
from scorekeeper.options import Printed
from scorekeeper.refusal import BadRules, Refusal, Unsaved, _, check
from scorekeeper.rules import Bonus, Box, RuleSet
from web import journal
from web.security import write_private

logger = logging.getLogger(__name__)

MOST_KEPT = 40
LARGEST = 20_000  # letters of a file


class House:
    """The house rules in one folder, by the name of their file."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, threading.Lock()

    def __iter__(self) -> Iterator[tuple[str, RuleSet]]:
        """(file name, rule set), by name."""
        for path in sorted(self._folder.glob("*.toml"))[:MOST_KEPT]:
            try:
                yield path.stem, _parsed(path.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError, Refusal) as error:
                logger.warning("house rules that cannot be played are left out: %s", journal.described(error))

    def find(self, key: str) -> RuleSet | None:
        """The house rules in the file with this name."""
        return dict(self).get(key)

    def keep(self, rules: RuleSet, instead: str = "") -> str:
        """Keep these rules, in place of those in the file `instead` if that is given; the name of their file.

        BadRules where their name is taken or there are too many, Unsaved where the disk fails.
        """
        key = file_name(rules.name)
        with self._lock:
            kept = {path.stem for path in self._folder.glob("*.toml")} - {instead}
            names = {game.rules.name.casefold() for game in games.GAMES.values()}
            taken = key in kept or key in games.GAMES or rules.name.strip().casefold() in names
            check(not taken, _("There is a game called {name} already."), name=rules.name)
            check(len(kept) < MOST_KEPT, _("There are {most} house rules already. Delete one first."), most=MOST_KEPT)
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                write_private(self._folder / f"{key}.toml", houserules.to_toml(rules).encode())
                if instead and instead != key:
                    self._delete(instead)
            except OSError as error:
                raise Unsaved(_("The rules cannot be kept: {reason}."), reason=error.strerror) from error
        return key

    def delete(self, key: str) -> None:
        """Delete the house rules in the file with this name, where there are any. Games played by them go on."""
        with self._lock:
            self._delete(key)

    def _delete(self, key: str) -> None:
        if key in {path.stem for path in self._folder.glob("*.toml")}:
            (self._folder / f"{key}.toml").unlink(missing_ok=True)


@lru_cache(maxsize=MOST_KEPT)
def _parsed(text: str) -> RuleSet:
    return houserules.from_toml(text)


def file_name(name: str) -> str:
    """The name in letters that every disk takes: “Mummon säännöt” is “mummon-saannot”; BadRules where none is left."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate({0xE6: "ae", 0xF8: "o", 0xDF: "ss"}))
    key = "-".join(re.findall(r"[a-z0-9]+", plain.encode("ascii", "ignore").decode()))[:40].strip("-")
    check(bool(key), _("The name of a game has at least one letter from a to z, or a digit."))
    return key


def offered(key: str, house: House | None) -> Printed | None:
    """The printed game with this key, or the house rules in the file with this name, which leave nothing to choose."""
    if key in games.GAMES:
        return games.GAMES[key]
    rules = house.find(key) if house else None
    return Printed(rules, ()) if rules else None


def more_boxes(rules: RuleSet) -> list[Box]:
    """Boxes of other sheets, which this one has not."""
    there, found = {box.key for box in rules.boxes}, dict[str, Box]()
    for game in games.GAMES.values():
        found |= {box.key: box for box in game.rules.boxes if box.key not in there}
    return list(found.values())


def changed(printed: Printed, form: Mapping[str, str], boxes: list[str]) -> RuleSet:
    """The game as a form has changed it; BadRules says what cannot be.

    form: an answer for each option of the game, and name, dice, throws, bonus-at, bonus-points; saves, if saves-asked.
    What is empty or not there stays as it is. For each box points-KEY: its fixed points, empty for what the dice show.
    boxes: the keys of those that are played.
    """
    options = {o.key: o.parse(form[o.key]) for o in printed.options if form.get(o.key)}
    rules = printed.with_options(options)
    known = [*rules.boxes, *more_boxes(rules)]
    return replace(
        rules,
        name=" ".join(form.get("name", "").split()),
        dice=_number(form, "dice", rules.dice),
        throws=_number(form, "throws", rules.throws),
        saves_rerolls="saves" in form if "saves-asked" in form else rules.saves_rerolls,
        bonus=Bonus(_number(form, "bonus-at", rules.bonus.at), _number(form, "bonus-points", rules.bonus.points)),
        boxes=tuple(_box(box, form) for box in known if box.key in boxes),
    )


def _box(box: Box, form: Mapping[str, str]) -> Box:
    field = f"points-{box.key}"
    if field not in form:
        return box
    return replace(box, points=_number(form, field, 0) if form[field].strip() else None)


def _number(form: Mapping[str, str], field: str, usual: int) -> int:
    text = form.get(field, "").strip()
    if not text:
        return usual
    check(bool(re.fullmatch(r"[0-9]{1,4}", text)), _("“{text}” is no whole number."), text=text)
    return int(text)


def read(text: str) -> RuleSet:
    """The rule set that somebody has written as TOML; BadRules says what is wrong with it."""
    if len(text) > LARGEST:
        raise BadRules(_("The text is longer than {most} letters."), most=LARGEST)
    return houserules.from_toml(text)
