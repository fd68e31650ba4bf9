"""Help on the page: as much as each player has chosen, in words, and never in the way of the scores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.advice import Keep, Write
from scorekeeper.contest import Lead
from scorekeeper.dice import Roll
from scorekeeper.events import HELP
from scorekeeper.history import History
from scorekeeper.log import SqliteLog
from scorekeeper.position import Position
from scorekeeper.refusal import BadRules
from scorekeeper.sheet import Sheet
from tests.conftest import FIVE
from tests.test_desk import FixedReader
from tests.visit import begin, hidden, post, rows
from web.adviser import Accounts, Advice, Working
from web.app import create_app
from web.desk import Desk
from web.pictures import Pictures

KEEP = Advice(
    (
        Keep((6, 6, 6), 249.34),
        Write("full-house", 22, 249.336),
        Keep((2, 2, 6, 6), 247.2),
        Write("sixes", 18, 245.3),
        Keep((), 231.0),
        Keep((2,), 230.9),
        Write("chance", 22, 230.5),
        Write("ones", 0, 229.24),
    ),
    chances={"yatzy": 0.046, "sixes": 0.8, "ones": 0.5},
    bonus=0.871,
    spread=38.5,
)
WRITE = Advice((Write("full-house", 22, 249.3), Keep((6, 6, 6), 248.1), Write("ones", 0, 229.2)))


class ScriptedAdviser:
    """Answers what the script says, with an estimate as long as something is being worked out; raises exceptions."""

    def __init__(self) -> None:
        self.answer: Advice | Working | Exception | None = KEEP
        self.asked: list[Position | Sheet] = []
        self.foreseen: list[Sheet] = []
        self.closed = False

    def ask(self, position: Position) -> Advice:
        self.asked.append(position)
        if isinstance(self.answer, Exception):
            raise self.answer
        assert self.answer
        return self.answer if isinstance(self.answer, Advice) else Advice(KEEP.plays, working=self.answer)

    def prepare(self, sheet: Sheet, others: tuple[Sheet, ...] = ()) -> Working | None:
        self.asked.append(sheet)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer if isinstance(self.answer, Working) else None

    def foresee(self, sheet: Sheet) -> None:
        self.foreseen.append(sheet)

    def review(self, game: str, history: History) -> Accounts | Working:
        return Working(0)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def adviser() -> ScriptedAdviser:
    return ScriptedAdviser()


@pytest.fixture
def desk(tmp_path: Path, adviser: ScriptedAdviser) -> Iterator[Desk]:
    log, pictures = SqliteLog(tmp_path / "kast.sqlite3"), Pictures(tmp_path / "pictures")
    made = Desk(log, pictures, lambda: FixedReader(FIVE), adviser)
    yield made
    made.close()
    assert adviser.closed


@pytest.fixture
def client(desk: Desk) -> FlaskClient:
    app = create_app(desk, b"a key for tests")
    app.testing = True
    return app.test_client()


def rolled(client: FlaskClient, level: str, rules: str = "yatzy", dice: str = "66622", **options: str) -> str:
    """The address of a game in which everybody chose this help, and the first throw lies on the table."""
    game = begin(client, help=level, rules=rules, **options)
    post(client, game, "roll", dice=dice, throw="1")
    return game


def words(html: str) -> str:
    """What a piece of a page says, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def best(page: TestResponse) -> str:
    """The line that says what is best."""
    found = re.search(r'id="best"[^>]*>(.*?)</(?:a|div|p)>', page.text, re.S)
    return words(found[1]) if found else ""


def counsel(page: TestResponse) -> str:
    """What opens behind it."""
    found = re.search(r'<section class="bar counsel".*?</section>', page.text, re.S)
    return words(found[0]) if found else ""


def kept(page: TestResponse) -> list[str]:
    """What the dice that are marked on the table show."""
    return re.findall(r'class="slot keep" [^>]*aria-label="Die \d shows (\d)', page.text)


def test_help_is_chosen_with_the_game_and_points_of_the_boxes_are_usual(client: FlaskClient, desk: Desk) -> None:
    assert re.search(r'name="help" value="boxes" checked', client.get("/new/yatzy").text)
    for level in HELP:
        game = begin(client, help=level)
        assert desk.history(game.rsplit("/", 1)[-1]).game.help == (level, level)
    page = client.post("/new/yatzy", data={"player": ["Anna"], "help": "some"})
    assert page.status_code == 400


def test_without_help_the_sheet_tells_nothing_until_a_box_is_tapped(
    client: FlaskClient, adviser: ScriptedAdviser
) -> None:
    game = rolled(client, "none")
    page = client.get(game)
    assert {box: cells[0] for box, cells in rows(page).items()}["Sixes"] == ""
    assert "Write 18" in page.text
    assert post(client, game, "score", box="sixes", points="18").status_code == 303
    assert adviser.asked == []


def test_the_usual_help_is_the_points_of_the_boxes_and_nobody_is_asked(
    client: FlaskClient, adviser: ScriptedAdviser
) -> None:
    page = client.get(rolled(client, "boxes"))
    assert rows(page)["Sixes"][0] == "18"
    assert best(page) == ""
    assert kept(page) == []
    assert adviser.asked == []


def test_a_hint_says_what_to_keep_and_gives_no_figure(client: FlaskClient) -> None:
    page = client.get(rolled(client, "hint"))
    assert best(page) == "Keep 6 6 6"
    assert kept(page) == ["6", "6", "6"]
    assert rows(page)["Sixes"][0] == "18"
    assert rows(page)["Full house"][0] == "22"
    said = words(page.text.split("<main")[1])
    for figure in ("249", "245", "87", "38.5", "average", "−"):
        assert figure not in said


def test_a_hint_marks_the_box_in_which_to_write(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    adviser.answer = WRITE
    page = client.get(rolled(client, "hint"))
    assert best(page) == "Write 22 in Full house"
    assert rows(page)["Full house"][0] == "22 ★"
    assert 'aria-label="Full house: write 22, best"' in page.text
    assert rows(page)["Ones"][0] == "strike"
    assert kept(page) == []


def test_everything_says_what_is_best_what_it_brings_and_what_else_costs(client: FlaskClient) -> None:
    page = client.get(rolled(client, "everything"))
    assert best(page) == "Keep 6 6 6 249.3 on average"
    assert kept(page) == ["6", "6", "6"]
    told = counsel(page)
    assert "Write 22 in Full house 249.3 as good" in told
    assert "Write 18 in Sixes 245.3 4.0" in told
    assert "Throw all dice again 231.0 18.3" in told
    assert "Strike Ones 229.2 20.1" in told.split("All plays")[1]
    assert "Chance of the bonus: 87%." in told
    assert "Spread of the final total: ± 38.5 points (standard deviation)." in told
    assert "Sixes 80% Ones 50% Yatzy 4.6%" in told
    assert "Worked out exactly" in told


def test_in_the_last_rounds_what_wins_more_often_stands_beside_what_brings_more_points(
    client: FlaskClient, adviser: ScriptedAdviser
) -> None:
    adviser.answer = replace(KEEP, lead=Lead(Keep((), 231.0), chance=0.432, plain=0.418))
    page = client.get(rolled(client, "everything"))
    assert best(page) == "Keep 6 6 6 To win: Throw all dice again (43.2%) 249.3 on average"
    assert kept(page) == ["6", "6", "6"], "what is marked is still what is best for points"
    told = counsel(page)
    assert "To win: Throw all dice again (43.2%). The best play for points wins 41.8% of the time." in told
    assert "That is if the others play for points" in told
    hint = client.get(rolled(client, "hint"))
    assert best(hint) == "Keep 6 6 6 To win: Throw all dice again"
    assert "To win: Throw all dice again" in counsel(hint)
    assert "%" not in words(hint.text.split("<main")[1])
    assert "To win" not in client.get(rolled(client, "boxes")).text


def test_where_one_play_is_best_for_both_it_is_said_once(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    adviser.answer = replace(KEEP, lead=Lead(KEEP.plays[0], chance=0.5, plain=0.5))
    page = client.get(rolled(client, "everything"))
    assert best(page) == "Keep 6 6 6 249.3 on average"
    assert "The best play for points also gives the best chance to win: 50.0%." in counsel(page)
    assert best(client.get(rolled(client, "hint"))) == "Keep 6 6 6"


def test_a_chance_to_win_that_is_being_worked_out_is_waited_for(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    adviser.answer = replace(KEEP, weighing=True)
    page = client.get(rolled(client, "everything"))
    assert "The chance to win is being worked out." in counsel(page)
    assert "data-working" in page.text
    adviser.answer = KEEP
    assert "chance to win" not in client.get(rolled(client, "everything")).text


def test_the_adviser_is_told_who_else_plays(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    game = rolled(client, "everything")
    post(client, game, "score", box="sixes", points="18")
    post(client, game, "roll", dice="11122", throw="1")
    client.get(game)
    asked = adviser.asked[-1]
    assert isinstance(asked, Position)
    assert [other.points("sixes") for other in asked.others if isinstance(other, Sheet)] == [18]


def test_what_was_counted_in_simulated_games_says_so_and_is_no_finer_than_it_is_sure(
    client: FlaskClient, adviser: ScriptedAdviser
) -> None:
    adviser.answer = replace(KEEP, bonus=0.052, games=500, ends=tuple(range(100, 600)))
    told = counsel(client.get(rolled(client, "everything")))
    assert "Chance of the bonus: 5%. Spread of the final total: ± 38 points (standard deviation)." in told
    assert "Half of all games end between 225 and 474, nine in ten between 125 and 574." in told
    assert "Counted in 500 simulated games from the start of this turn." in told
    adviser.answer = replace(adviser.answer, drawn=True)
    told = counsel(client.get(rolled(client, "everything")))
    assert "Counted in 500 games, simulated for some turns, then drawn with the exact mean and spread." in told


def test_how_games_end_is_drawn_and_said_to_whoever_asked_for_everything(
    client: FlaskClient, adviser: ScriptedAdviser
) -> None:
    adviser.answer = replace(KEEP, ends=(180, 190, 200, 200, 210, 230))
    page = client.get(rolled(client, "everything"))
    (figure,) = re.findall(r'<figure class="spread">.*?</figure>', page.text, re.S)
    assert 'aria-hidden="true"' in figure, "the words say it"
    assert 'height="1.0"' in figure
    assert words(figure).startswith("Half of all games end between 190 and 210")
    assert "spread" not in client.get(rolled(client, "hint")).text
    assert "Games are being simulated" not in counsel(page)


def test_while_games_are_being_simulated_the_page_says_so_and_waits_for_them(
    client: FlaskClient, adviser: ScriptedAdviser
) -> None:
    adviser.answer = replace(KEEP, counting=True)
    page = client.get(rolled(client, "everything"))
    assert "Games are being simulated" in counsel(page)
    assert page.text.count("data-working") == 1
    assert "data-working" not in client.get(rolled(client, "hint")).text


def test_on_the_sheet_stands_what_each_box_costs_against_the_best_play(client: FlaskClient) -> None:
    page = client.get(rolled(client, "everything"))
    assert rows(page)["Full house"][0] == "22 ★"
    assert rows(page)["Sixes"][0] == "18 −4.0"
    assert rows(page)["Ones"][0] == "strike −20.1"
    assert 'aria-label="Sixes: write 18, costs 4.0"' in page.text


LABELS = {"en": "Estimate", "sv": "Uppskattning", "nb": "Anslag", "da": "Skøn", "fi": "Arvio"}


@pytest.mark.parametrize(
    ("code", "line", "sixes", "cost", "bonus", "work"),
    [
        ("en", "Keep 6 6 6 249.3 on average", "Sixes", "−4.0", "87%", "2% done. About 2 minutes left."),
        ("sv", "Behåll 6 6 6 249,3 i snitt", "Sexor", "−4,0", "87 %", "2 % klart. Ungefär 2 minuter kvar."),
        ("nb", "Behold 6 6 6 249,3 i snitt", "Seksere", "−4,0", "87 %", "2 % ferdig. Omtrent 2 minutter igjen."),
        ("da", "Behold 6 6 6 249,3 i snit", "Seksere", "−4,0", "87 %", "2 % færdigt. Cirka 2 minutter tilbage."),
        (
            "fi",
            "Pidä 6 6 6 keskimäärin 249,3",
            "Kuutoset",
            "−4,0",
            "87 %",
            "2 % valmiina.",
        ),
    ],
)
def test_words_and_numbers_are_those_of_the_players_language(
    client: FlaskClient, adviser: ScriptedAdviser, code: str, line: str, sixes: str, cost: str, bonus: str, work: str
) -> None:
    game = rolled(client, "everything")
    told = client.get(game, headers={"Accept-Language": code})
    assert best(told) == line
    assert cost in rows(told)[sixes][0]
    assert bonus in counsel(told)
    adviser.answer = Working(0.02, 110)
    waiting = client.get(game, headers={"Accept-Language": code})
    assert work in counsel(waiting)
    assert best(waiting) == f"{line.split(' 6 ', maxsplit=1)[0]} 6 6 6 {LABELS[code]}"


def test_where_there_is_one_play_only_no_list_of_others_is_shown(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    adviser.answer = Advice((Write("sixes", 18, 200.0),))
    told = counsel(client.get(rolled(client, "everything")))
    assert "Write 18 in Sixes · 200.0 on average" in told
    assert "Instead" not in told


def test_an_estimate_comes_at_once_is_called_one_and_tells_no_figures_that_it_does_not_know(
    client: FlaskClient, adviser: ScriptedAdviser
) -> None:
    adviser.answer = Working(0.4)
    page = client.get(rolled(client, "everything"))
    assert best(page) == "Keep 6 6 6 Estimate"
    assert kept(page) == ["6", "6", "6"]
    told = counsel(page)
    assert "An estimate, not worked out exactly. The best play is being worked out: 40% done." in told
    for figure in ("exactly: ", "249", "−", "Instead", "All plays"):
        assert figure not in told
    assert rows(page)["Sixes"][0] == "18"
    assert "data-working" in page.text


def test_a_hint_may_be_an_estimate_too(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    adviser.answer = replace(WRITE, working=Working(0.0))
    page = client.get(rolled(client, "hint"))
    assert best(page) == "Write 22 in Full house Estimate"
    assert rows(page)["Full house"][0] == "22 ★"
    adviser.answer = WRITE
    page = client.get(rolled(client, "hint"))
    assert best(page) == "Write 22 in Full house"
    assert "data-working" not in page.text


def test_each_player_has_help_of_their_own_and_can_change_it_at_any_time(client: FlaskClient) -> None:
    game = rolled(client, "everything")
    assert post(client, game, "help/1", help="none").status_code == 303
    assert "Help for Bo: No help" in client.get(game).text
    assert best(client.get(game)) == "Keep 6 6 6 249.3 on average"
    post(client, game, "score", box="sixes", points="18")
    post(client, game, "roll", dice="66622", throw="1")
    page = client.get(game)
    assert best(page) == ""
    assert kept(page) == []
    assert rows(page)["Sixes"] == ["18", ""]
    assert post(client, game, "help/1", help="hint").status_code == 303
    assert best(client.get(game)) == "Keep 6 6 6"


def test_the_players_page_shows_the_help_of_each_and_changes_it(client: FlaskClient, desk: Desk) -> None:
    game = rolled(client, "boxes")
    fields = hidden(client.get(f"{game}/players"), "help/1")
    assert client.post(f"{game}/help/1", data=fields | {"help": "hint"}).status_code == 303
    assert desk.history(game.rsplit("/", 1)[-1]).game.help == ("boxes", "hint")
    shown = re.findall(r'value="(\w+)" aria-current', client.get(f"{game}/players").text)
    assert shown == ["boxes", "hint"]


def test_the_same_people_keep_their_help_when_they_play_again(client: FlaskClient, desk: Desk) -> None:
    game = rolled(client, "hint")
    post(client, game, "help/1", help="everything")
    again = post(client, game, "again")
    assert desk.history(str(again.location).rsplit("/", 1)[-1]).game.help == ("hint", "everything")


def test_help_that_there_is_none_of_is_refused(client: FlaskClient) -> None:
    game = rolled(client, "hint")
    assert post(client, game, "help/0", help="more").status_code == 422
    assert post(client, game, "help/7", help="hint").status_code == 422
    assert best(client.get(game)) == "Keep 6 6 6"


def test_while_it_is_worked_out_the_page_says_how_far_and_scores_are_entered(
    client: FlaskClient, adviser: ScriptedAdviser
) -> None:
    adviser.answer = Working(0.4, 12.3)
    game = rolled(client, "everything")
    page = client.get(game)
    assert "The best play is being worked out: 40% done. About 12 seconds left." in counsel(page)
    assert "Look again" in page.text
    assert rows(page)["Sixes"][0] == "18"
    assert post(client, game, "score", box="sixes", points="18").status_code == 303
    assert rows(client.get(game))["Sixes"] == ["18", ""]


def test_before_the_throw_the_work_has_begun_already(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    adviser.answer = Working(0.0)
    game = begin(client, help="hint")
    assert best(client.get(game)).startswith("The best play is being worked out: 0% done.")
    assert [type(asked) for asked in adviser.asked] == [Sheet]
    adviser.answer = KEEP
    assert best(client.get(game)) == ""


def test_the_next_player_who_wants_help_has_it_in_time(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    game = begin(client, "Anna", "Bo", "Cecilia", help="hint")
    post(client, game, "help/1", help="boxes")
    post(client, game, "roll", dice="66622", throw="1")
    post(client, game, "score", box="sixes", points="18")
    post(client, game, "roll", dice="66622", throw="1")
    post(client, game, "score", box="sixes", points="18")
    adviser.foreseen.clear()
    adviser.answer = Working(0.5)
    client.get(game)
    assert adviser.foreseen == [], "first what the player whose turn it is waits for"
    adviser.answer = KEEP
    client.get(game)
    (anna,) = adviser.foreseen
    assert anna.points("sixes") == 18


def test_the_adviser_is_asked_about_the_position_on_the_table(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    game = begin(client, rules="maxi-yatzy", help="boxes")
    post(client, game, "roll", dice="111111", throw="1")
    post(client, game, "score", box="maxi-yatzy", points="100")
    post(client, game, "roll", dice="123456", throw="1")
    post(client, game, "score", box="full-straight", points="21")
    post(client, game, "help/0", help="hint")
    post(client, game, "roll", dice="123444", throw="2")
    client.get(game)
    asked = adviser.asked[-1]
    assert isinstance(asked, Position)
    assert (asked.roll, asked.left, asked.sheet.left) == (Roll.of(1, 2, 3, 4, 4, 4), 3, 2)
    assert asked.sheet.points("maxi-yatzy") == 100


def test_saved_rerolls_are_part_of_the_advice(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    adviser.answer = Advice((Write("sixes", 18, 300.0), Keep((6, 6, 6), 299.0)), marker=3.21)
    told = counsel(client.get(rolled(client, "everything", "maxi-yatzy", "666123")))
    assert "Write 18 in Sixes · 300.0 on average 2 rerolls are saved." in told
    assert "worth 3.2 points now" in told


def test_where_throws_are_counted_they_stand_against_the_boxes(client: FlaskClient) -> None:
    told = counsel(client.get(rolled(client, "hint", "stratzy", value="5", throws="20")))
    assert "Throws left: 19. Boxes after this one: 14." in told


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (BadRules("{name} has too many sheets to work out the best play.", name="Yatzy"), "Yatzy has too many sheets"),
        (RuntimeError("the solver is broken"), "The best play cannot be worked out at the moment."),
    ],
)
def test_an_adviser_that_fails_is_said_in_words_and_the_game_goes_on(
    client: FlaskClient, adviser: ScriptedAdviser, failure: Exception, sentence: str
) -> None:
    adviser.answer = failure
    game = begin(client, help="everything")
    assert best(client.get(game)).startswith(sentence)
    post(client, game, "roll", dice="66622", throw="1")
    assert best(client.get(game)).startswith(sentence)
    assert post(client, game, "score", box="sixes", points="18").status_code == 303


def test_after_the_end_nobody_is_asked(client: FlaskClient, adviser: ScriptedAdviser) -> None:
    game = begin(client, "Anna", rules="stratzy", value="5", throws="14", help="everything")
    for box in ("ones", "twos", "threes", "fours", "fives", "sixes"):
        assert post(client, game, "score", box=box, points="0").status_code == 303
    while "Well played" not in client.get(game).text:
        found = re.search(r'id="write-([a-z-]+)"', client.get(game).text)
        assert found
        post(client, game, "score", box=found[1], points="0")
    adviser.asked.clear()
    client.get(game)
    assert adviser.asked == []
