"""The languages of the page: nothing untranslated, nothing left over, and every sheet's own names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from scorekeeper.games import GAMES
from scorekeeper.options import say
from scorekeeper.refusal import IllegalEvent
from web import names, words

ROOT = Path(__file__).parents[1]
KEYWORDS = {"_": None, "ngettext": (1, 2), "UnreadablePicture": None}
SPOKEN = ("web", "scorekeeper", "recognizer")
# What only the command line says, in English.
COMMAND_LINE = {
    *(ROOT / "web" / name for name in ("command.py", "exact.py", "eye.py", "move.py", "tell.py", "rulebook.py")),
    *(ROOT / "scorekeeper" / name for name in ("position.py", "tables.py", "openings.py")),
}
LANGUAGES = words.load()
OTHERS = sorted(set(LANGUAGES) - {words.SOURCE})

Id = str | tuple[str, ...]


def sentences() -> set[Id]:
    """All sentences that the page can say."""
    found: set[Id] = set()
    for folder in SPOKEN:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix == ".py" and path not in COMMAND_LINE:
                found |= set(_of(path, "python"))
            elif path.suffix == ".html":
                found |= set(_of(path, "jinja2.ext:babel_extract"))
    return found


def _of(path: Path, method: str) -> Iterator[Id]:
    options = {"trimmed": "true", "silent": "false"}
    for _line, message, _comments, _context in extract_from_file(method, path, KEYWORDS, options=options):
        yield message if isinstance(message, str) else tuple(message)


def catalog(code: str) -> Catalog:
    with (words.FOLDER / code / "kast.po").open("rb") as file:
        return read_po(file, locale=code)


def gaps(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", sentence))


def test_the_nordic_languages_are_there() -> None:
    assert OTHERS == ["da", "fi", "nb", "sv"]


@pytest.mark.parametrize("code", OTHERS)
def test_no_sentence_is_untranslated_or_left_over(code: str) -> None:
    translated = {
        message.id for message in catalog(code) if message.id and not message.context and all(parts(message.string))
    }
    assert sorted(map(str, sentences() - translated)) == []
    assert sorted(map(str, {m.id for m in catalog(code) if m.id and not m.context} - sentences())) == []


def parts(string: str | tuple[str, ...] | list[str] | None) -> list[str]:
    """One sentence, or one for each number."""
    return [string] if isinstance(string, str) else list(string or [""])


@pytest.mark.parametrize("code", OTHERS)
def test_a_name_of_its_own_belongs_to_a_game_and_to_a_thing_in_it(code: str) -> None:
    things = {
        *names.BOXES.values(),
        *names.OPTIONS.values(),
        *(c for all_ in names.CHOICES.values() for c in all_.values()),
    }
    for message in catalog(code):
        if message.context:
            assert message.context in GAMES
            assert message.id in things
            assert message.string


@pytest.mark.parametrize("code", OTHERS)
def test_translations_have_the_gaps_of_their_sentences_and_nothing_fuzzy(code: str) -> None:
    for message in catalog(code):
        if message.id:
            assert not message.fuzzy, message.id
            for string in parts(message.string):
                assert gaps(string) == set().union(*map(gaps, parts(message.id))), message.id


def test_every_box_option_and_choice_of_every_game_has_words() -> None:
    for printed in GAMES.values():
        assert {box.key for box in printed.rules.boxes} <= set(names.BOXES)
        for option in printed.options:
            assert option.key in names.OPTIONS
            spoken = {say(choice) for choice in option.choices if type(choice) is not int}
            assert spoken <= set(names.CHOICES.get(option.key, {}))


# Names as the printed sheets have them; the source is the table of names of the rule sets.
@pytest.mark.parametrize(
    ("code", "rules", "box", "name"),
    [
        ("sv", "yatzy", "ones", "Ettor"),
        ("sv", "yatzy", "three-alike", "Tretal"),
        ("sv", "yatzy", "small-straight", "Liten stege"),
        ("sv", "yatzy", "full-house", "Kåk"),
        ("sv", "maxi-yatzy", "full-house", "Kåk"),
        ("sv", "maxi-yatzy", "villa", "Hus"),
        ("sv", "maxi-yatzy", "tower", "Torn"),
        ("sv", "maxi-yatzy", "full-straight", "Full stege"),
        ("nb", "yatzy", "full-house", "Hus"),
        ("nb", "maxi-yatzy", "full-house", "Hytte"),
        ("nb", "maxi-yatzy", "villa", "Hus"),
        ("nb", "yatzy", "ones", "Enere"),
        ("nb", "yatzy", "chance", "Sjanse"),
        ("da", "superyatzy", "full-house", "Fuldt hus"),
        ("da", "superyatzy", "two-triples", "2 x 3 ens"),
        ("da", "superyatzy", "cameron", "Cameron"),
        ("da", "yatzy", "four-alike", "4 ens"),
        ("da", "maxi-yatzy", "full-straight", "Fuld straight"),
        ("fi", "yatzy", "ones", "Ykköset"),
        ("fi", "yatzy", "pair", "Pari"),
        ("fi", "maxi-yatzy", "villa", "Huvila"),
        ("fi", "yatzy", "full-house", "Täyskäsi"),
        ("en", "maxi-yatzy", "villa", "Villa"),
        ("en", "yatzy", "pair", "One pair"),
    ],
)
def test_boxes_are_called_what_the_printed_sheet_calls_them(code: str, rules: str, box: str, name: str) -> None:
    assert LANGUAGES[code].box(rules, box) == name


def test_a_name_with_the_game_as_context_goes_before_the_common_one(tmp_path: Path) -> None:
    (tmp_path / "is").mkdir()
    (tmp_path / "is" / "kast.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgid "Full house"\nmsgstr "Fullt hús"\n\nmsgctxt "maxi-yatzy"\nmsgid "Full house"\nmsgstr "Kofi"\n',
        encoding="utf-8",
    )
    icelandic = words.load(tmp_path)["is"]  # one more file is one more language
    assert icelandic.box("yatzy", "full-house") == "Fullt hús"
    assert icelandic.box("maxi-yatzy", "full-house") == "Kofi"


def test_a_box_of_a_house_rule_is_shown_as_it_is_written() -> None:
    assert LANGUAGES["sv"].box("our-own", "lucky-sevens") == "Lucky sevens"


def test_a_refusal_is_explained_with_the_names_of_the_sheet() -> None:
    refusal = IllegalEvent("{points} points cannot be in {box}.", points=7, box="pair")
    assert LANGUAGES["sv"].explain(refusal, "yatzy") == "I Ett par kan det inte stå 7 poäng."
    assert LANGUAGES["en"].explain(refusal, "yatzy") == "7 points cannot be in One pair."


@pytest.mark.parametrize(
    ("chosen", "accepted", "spoken"),
    [
        (None, ["sv-SE", "en"], "sv"),
        (None, ["en-GB", "sv"], "en"),
        (None, ["ja", "sv"], "sv"),
        (None, ["ja"], "en"),
        (None, [], "en"),
        (None, ["nb-NO"], "nb"),
        (None, ["nn", "en"], "nb"),
        (None, ["no"], "nb"),
        (None, ["fi-FI"], "fi"),
        ("sv", ["en"], "sv"),
        ("tlh", ["sv"], "sv"),
    ],
)
def test_the_language_is_the_chosen_one_else_the_browsers_else_english(
    chosen: str | None, accepted: list[str], spoken: str
) -> None:
    assert words.choose(LANGUAGES, chosen, accepted) == spoken
