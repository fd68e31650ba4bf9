"""The languages of the page. I/O: reads the translations once. May know: sentences, and refusals by their parts.

English is what the sentences are written in. Every other language is one file, translations/CODE/kast.po.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Protocol

from babel import Locale, negotiate_locale
from babel.dates import format_date, format_datetime, format_timedelta
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

from web import names

FOLDER = Path(__file__).parent / "translations"
SOURCE = "en"
ALSO = {"no": "nb", "nn": "nb"}  # who reads Norwegian of any kind reads bokmål rather than English


class Sentence(Protocol):
    """A refusal of the game or of the eye: an English template, and what goes into its gaps."""

    @property
    def template(self) -> str: ...
    @property
    def values(self) -> Mapping[str, object]: ...


@dataclass(frozen=True)
class Language:
    """One language: its code, what it calls itself, and its translations."""

    code: str
    translations: gettext.NullTranslations

    @property
    def own_name(self) -> str:
        """“Svenska”, “English”."""
        return (Locale.parse(self.code).get_display_name(self.code) or self.code).capitalize()

    def say(self, sentence: str, **values: object) -> str:
        """The sentence in this language, its {gaps} filled."""
        return self.translations.gettext(sentence).format(**values)

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """The sentence for n of something, with {n} and the other gaps filled."""
        return self.translations.ngettext(one, many, n).format(n=n, **values)

    def name(self, rules: str, english: str) -> str:
        """What the sheet of these rules calls a thing; what every sheet does where it has no word of its own."""
        own = f"{rules}\x04{english}"  # how gettext joins a context and a sentence
        found = self.translations.gettext(own)
        return self.translations.gettext(english) if found == own else found

    def box(self, rules: str, key: str) -> str:
        """The name of a box on the sheet of these rules."""
        return self.name(rules, names.BOXES.get(key, names.plain(key)))

    def option(self, rules: str, key: str) -> str:
        """What is asked by this option of these rules."""
        return self.name(rules, names.OPTIONS.get(key, names.plain(key)))

    def choice(self, rules: str, option: str, choice: str) -> str:
        """One answer to what an option asks."""
        return self.name(rules, names.CHOICES.get(option, {}).get(choice, names.plain(choice)))

    def help(self, level: str) -> str:
        """How much help this is."""
        return self.say(names.HELP[level])

    def explain(self, refusal: Sentence, rules: str = "") -> str:
        """The refusal in this language, with the names that the sheet uses in its gaps."""
        named = {"box": self.box, "option": self.option, "where": self.name}
        values = {
            gap: named[gap](rules, str(value)) if gap in named else value for gap, value in refusal.values.items()
        }
        return self.say(refusal.template, **values)

    def when(self, moment: datetime) -> str:
        """Day and hour, on the clock of this machine."""
        return format_datetime(moment.astimezone(), "EEE d MMM HH:mm", locale=self.code)

    def day(self, moment: datetime) -> str:
        """The day, with its year, on the clock of this machine."""
        return format_date(moment.astimezone(), "d MMM y", locale=self.code)

    def number(self, value: float, digits: int = 1) -> str:
        """The number with so many decimals, as this language writes them."""
        return str(format_decimal(value, "#,##0." + "0" * digits if digits else "#,##0", self.code))

    def percent(self, share: float, digits: int = 0) -> str:
        """A share of one in percent, with so many decimals."""
        pattern = Locale.parse(self.code).percent_formats[None].pattern
        return str(format_percent(share, pattern.replace("0", f"0.{'0' * digits}") if digits else pattern, self.code))

    def duration(self, seconds: float) -> str:
        """“12 seconds”, “2 minutes”."""
        return format_timedelta(timedelta(seconds=max(1, round(seconds))), threshold=1.5, locale=self.code)


def load(folder: Path = FOLDER) -> dict[str, Language]:
    """All languages by code, English first."""
    languages = {SOURCE: Language(SOURCE, gettext.NullTranslations())}
    for path in sorted(folder.glob("*/kast.po")):
        code = path.parent.name
        with path.open("rb") as file:
            catalog = read_po(file, locale=code)
        compiled = BytesIO()
        write_mo(compiled, catalog)
        compiled.seek(0)
        languages[code] = Language(code, gettext.GNUTranslations(compiled))
    return languages


def choose(languages: Iterable[str], chosen: str | None, accepted: Iterable[str]) -> str:
    """The code of the language to speak: the one chosen, else the first that the browser accepts, else English."""
    known = list(languages)
    if chosen in known:
        return str(chosen)
    wanted = [ALSO.get(code.split("-")[0], code.replace("-", "_")) for code in accepted]
    return negotiate_locale(wanted, known) or SOURCE
