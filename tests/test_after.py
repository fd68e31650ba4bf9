"""After the game, on the page: who won and why, in words, lines and tables; all games; the sheet to print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scorekeeper.events import Amended, Begun, Rolled, Scored, Seated
from scorekeeper.games import find
from scorekeeper.history import Entry, History, replay
from scorekeeper.log import SqliteLog
from scorekeeper.refusal import Refusal
from scorekeeper.rules import RuleSet
from tests.conftest import FIVE
from tests.test_desk import FixedReader
from tests.test_review import looked_back
from tests.test_solve import SMALL, SMALL_GAMES
from web.adviser import Accounts, Nobody, Working
from web.app import create_app
from web.desk import Desk
from web.pictures import Pictures


class Reviewer(Nobody):
    """Looks back on games at once, or answers what it is told to."""

    def __init__(self) -> None:
        self.answer: Working | Refusal | None = None
        self.asked: list[str] = []

    def review(self, game: str, history: History) -> Accounts | Working:
        self.asked.append(game)
        if isinstance(self.answer, Refusal):
            raise self.answer
        return self.answer or looked_back(history)


@pytest.fixture
def reviewer() -> Reviewer:
    return Reviewer()


@pytest.fixture
def desk(tmp_path: Path, reviewer: Reviewer) -> Iterator[Desk]:
    pictures = Pictures(tmp_path / "pictures")
    made = Desk(SqliteLog(tmp_path / "kast.sqlite3"), pictures, lambda: FixedReader(FIVE), reviewer)
    yield made
    made.close()


@pytest.fixture
def client(desk: Desk) -> FlaskClient:
    return create_app(desk, b"a key for tests").test_client()


def play(desk: Desk, game: str, *entries: Entry, rules: RuleSet = SMALL, players: tuple[str, ...] = ("Anna",)) -> None:
    begun = Begun(rules, players)
    desk.begin(game, "begin", begun)
    for seq, entry in enumerate(entries, 1):
        desk.act(game, seq, f"r{seq}", entry)


def turn(box: str, *dice: int) -> list[Entry]:
    """A turn of which only the last throw is shown."""
    thrown = replay([Begun(SMALL, ("Anna",)), Rolled(dice, 3)]).game
    return [Rolled(dice, 3), Scored(box, thrown.choices[box])]


ANNA = [*turn("ones", 1, 1), *turn("sixes", 6, 6), *turn("pair", 5, 5), *turn("chance", 6, 5)]
BO = [*turn("ones", 2, 3), *turn("sixes", 6, 1), *turn("pair", 2, 2), *turn("chance", 1, 2)]


def both(one: list[Entry], other: list[Entry]) -> list[Entry]:
    """Two players, turn by turn; each turn is two entries."""
    pairs = [(one[n : n + 2], other[n : n + 2]) for n in range(0, len(one), 2)]
    return [entry for a, b in pairs for entry in (*a, *b)]


def words(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


def table(page: str, row: str) -> list[str]:
    """The cells of the first row of figures that begins so."""
    for line in re.findall(r"<tr.*?</tr>", page, re.S):
        cells = [words(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", line, re.S)]
        if cells[:1] == [row]:
            return cells[1:]
    raise AssertionError(row)


def test_dice_less_choices_on_top_of_what_was_expected_is_the_total(client: FlaskClient, desk: Desk) -> None:
    play(desk, "game", *both(ANNA, BO), players=("Anna", "Bo"))
    page = client.get("/g/game/after").text
    expected = float(re.search(r"Best play expects ([\d.]+) points", page)[1])  # type: ignore[index]
    assert "Anna wins!" in page
    for name, total in (("Anna", 60), ("Bo", 18)):
        dice, choices, shown = table(page, name)
        assert shown == str(total)
        assert expected + float(dice.replace("−", "-")) + float(choices.replace("−", "-")) == pytest.approx(
            total, abs=0.2
        )
    assert table(page, "Chance")[:2] == ["11", "3"]


def test_the_choices_that_cost_most_are_told_in_words(client: FlaskClient, desk: Desk) -> None:
    mistake: list[Entry] = [
        *(Rolled((6, 6), 1, source="camera"), Rolled((6, 2), 2, (6,), "camera"), Rolled((2, 3), 3, (2,), "camera")),
        Scored("pair", 0),
    ]
    play(desk, "game", *mistake, *ANNA[:4], *ANNA[6:])
    page = words(client.get("/g/game/after").text)
    assert re.findall(r"Turn 1 Anna .*? more\.", page) == [
        "Turn 1 Anna kept 6. Writing 12 in Sixes would have been worth 6.0 points more.",
        "Turn 1 Anna kept 2. Keeping 6 would have been worth 4.8 points more.",
        "Turn 1 Anna struck One pair. Writing 5 in Chance would have been worth 2.7 points more.",
    ]
    assert "not every throw was shown" in page, "of the other turns"


def test_of_a_game_without_mistakes_it_is_said(client: FlaskClient, desk: Desk) -> None:
    play(desk, "game", *ANNA)
    page = client.get("/g/game/after").text
    assert "No choice cost much" in page or "The choices that cost most" in page
    (account,) = looked_back(desk.history("game"))
    assert ("No choice cost much" in page) == (not account.worst(3, 0.5))


def test_corrections_stand_beside_dice_and_choices(client: FlaskClient, desk: Desk) -> None:
    play(desk, "game", *ANNA, Amended(0, "chance", 4))
    page = client.get("/g/game/after").text
    assert table(page, "Anna")[2] == "−7.0"
    assert "Corrections by hand changed what could be expected by −7.0 points" in page


def test_the_lines_end_at_the_totals_and_their_names_stand_beside_them(client: FlaskClient, desk: Desk) -> None:
    play(desk, "game", *both(ANNA, BO), players=("Anna", "Bo"))
    page = client.get("/g/game/after").text
    plots = re.findall(r"<svg class=\"plot\".*?</svg>", page, re.S)
    assert [re.findall(r">([A-Za-z ]+)</text>", plot) for plot in plots] == [
        ["Anna", "Bo"], ["expected", "so far"], ["expected", "so far"],
    ]  # fmt: skip
    for plot in plots[1:]:
        lines = [points.split() for points in re.findall(r'points="(.*?)"', plot)]
        assert [len(line) for line in lines] == [5, 5]
        assert lines[0][-1] == lines[1][-1]
    assert table(page, "1") == ["Ones", "2", "2", *table(page, "1")[3:]], "the figures are there as a table, too"


def test_while_it_is_worked_out_the_page_is_there_and_says_how_far_it_is(
    client: FlaskClient, desk: Desk, reviewer: Reviewer
) -> None:
    play(desk, "game", *ANNA)
    reviewer.answer = Working(0.42)
    page = client.get("/g/game/after").text
    assert "Well played, Anna!" in page
    assert "42% done" in page
    assert "data-working" in page
    assert "Look again" in page
    reviewer.answer = Refusal("It is too large.")
    page = client.get("/g/game/after").text
    assert "It is too large." in page
    assert "Box by box" in page


def test_a_game_that_goes_on_is_not_looked_back_on(client: FlaskClient, desk: Desk, reviewer: Reviewer) -> None:
    play(desk, "game", *ANNA[:4])
    assert client.get("/g/game/after").location == "/g/game"
    assert reviewer.asked == []
    assert client.get("/g/nowhere/after").status_code == 404


def test_the_page_of_a_finished_game_leads_there_and_begins_the_work(
    client: FlaskClient, desk: Desk, reviewer: Reviewer
) -> None:
    play(desk, "game", *ANNA)
    page = client.get("/g/game").text
    assert "/g/game/after" in page
    assert "/g/game/sheet" in page
    assert reviewer.asked == ["game"]


def test_whoever_left_is_not_compared(client: FlaskClient, desk: Desk) -> None:
    play(desk, "game", Seated((0,)), *ANNA, players=("Anna", "Bo"))
    page = client.get("/g/game/after").text
    assert not re.search(r"\bBo\b", words(page.partition("Dice and choices")[2].partition("Keep it")[0]))


def test_the_sheet_to_print_shows_every_cell_as_the_paper_does(client: FlaskClient, desk: Desk) -> None:
    rules = SMALL_GAMES["saved rerolls"]
    play(
        desk, "game", Rolled((1, 1), 1), Scored("ones", 2), Rolled((2, 3), 1), Scored("pair", 0), rules=rules,
        players=("Anna",),
    )  # fmt: skip
    page = client.get("/g/game/sheet").text
    assert table(page, "Ones") == ["2 2"], "two rerolls were saved"
    assert table(page, "One pair") == ["strike 4"]
    assert table(page, "Sixes") == [""]
    assert table(page, "Total") == ["2"]
    assert table(page, "Bonus from 7") == ["0"]


def test_all_games_are_listed_with_the_best_sheets_the_averages_and_who_won(client: FlaskClient, desk: Desk) -> None:
    assert "No game has been finished yet" in client.get("/history").text
    play(desk, "game-1", *both(ANNA, BO), players=("Anna", "Bo"))
    play(desk, "game-2", *both(BO, ANNA), players=("anna", "Bo"))
    play(desk, "game-3", *both(ANNA, ANNA), players=("Bo", "ANNA"))
    play(desk, "going-on", *ANNA[:2], players=("Anna",))
    play(desk, "other", *ANNA, rules=SMALL_GAMES["a bonus that everybody has"], players=("Cilla",))
    page = client.get("/history").text
    assert table(page, "ANNA – Bo") == ["3", "1 – 1", "1"]
    best = words(page.partition('id="best"')[2].partition("</ol>")[0])
    assert re.findall(r"\d (\w+) \d+ \w+ \d{4} (\d+)", best)[:3] == [("Anna", "60"), ("Bo", "60"), ("Bo", "60")]
    assert table(page, "Games") == ["3", "3", "3"] or table(page, "Games")[0] == "3"
    assert "going-on" not in page
    assert "bonus 20 from 7" in page
    other = find("yatzy").fingerprint
    assert client.get(f"/history?rules={other}").status_code == 200
    kind = SMALL_GAMES["a bonus that everybody has"].fingerprint
    assert "Cilla" in client.get(f"/history?rules={kind}").text.partition('id="best"')[2].partition("</ol>")[0]


def test_a_game_that_cannot_be_read_hides_no_other(client: FlaskClient, desk: Desk, tmp_path: Path) -> None:
    play(desk, "game", *ANNA)
    desk._log.append("damaged", 0, "r", Scored("ones", 1))
    assert "Anna 60" in client.get("/history").text


def test_the_start_page_leads_to_all_games(client: FlaskClient, desk: Desk) -> None:
    assert "/history" in client.get("/").text
    play(desk, "game", *ANNA)
    assert "/history" in client.get("/").text


def test_records_that_were_recalled_are_not_read_again(
    client: FlaskClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(desk, "game", *ANNA)
    play(desk, "going-on", *ANNA[:2])
    desk._log.append("damaged", 0, "r", Scored("ones", 1))
    desk.recall()
    read, log_read = list[str](), desk._log.read

    def note(game: str, start: int = 0) -> list[Entry]:
        read.append(game)
        return log_read(game, start)

    monkeypatch.setattr(desk._log, "read", note)
    assert "Anna 60" in client.get("/history").text
    assert set(read) == {"damaged"}
    desk.act("game", 9, "later", Amended(0, "chance", 4))
    assert "Anna 53" in client.get("/history").text
