"""The pages of a game. A route is request → event → redirect.

May know: the desk, the game's events, how to show them.
"""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, Response, abort, current_app, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from scorekeeper import games, throws
from scorekeeper.events import USUAL_HELP, Amended, Begun, Reread, Rolled, Scored
from scorekeeper.game import MOST_PLAYERS
from scorekeeper.history import Entry, Rewound
from scorekeeper.options import ASK, Printed
from scorekeeper.refusal import Refusal, StaleEntry, Unsaved, UnusableLog, _, demand
from web import door, house, lying, present, security, telling
from web.desk import Desk
from web.help import Help
from web.question import Question

blueprint = Blueprint("pages", __name__)

MOST_LISTED = 30


def desk() -> Desk:
    """The desk of this application."""
    found: Desk = current_app.extensions["kast"]
    return found


def number(field: str) -> int:
    """A whole number of the form; 400 where it is none."""
    value = request.form.get(field, type=int)
    return abort(400) if value is None else value


def parse_dice(text: str) -> tuple[int, ...]:
    """Dice written as digits, “13665”; 400 for anything else."""
    if len(text) > 40 or any(digit not in "123456" for digit in text):
        abort(400)
    return tuple(map(int, text))


@blueprint.before_app_request
def demand_own_form() -> None:
    """Whatever changes something comes from a form that this browser was given here, and from a page of ours."""
    if request.method == "POST" and not (security.is_from_here() and security.is_own(request.form.get("token", ""))):
        abort(400)


def table(game: str) -> present.Table:
    """The game with this id as the page shows it; UnknownGame where there is none."""
    return present.Table(game, desk().history(game))


def show(game: str, refusal: Refusal | None = None) -> str:
    """The game's page, and what could not be done, in words."""
    at = table(game)
    mending = at.game.roll is not None and "mend" in request.args
    draft = parse_dice(request.args.get("dice", "".join(map(str, at.dice)) if mending else ""))[: at.rules.dice]
    entering = mending or (bool(at.next_throws) and (not at.game.roll or "again" in request.args))
    if at.game.finished:
        desk().review(game)  # so that it is there when somebody asks how it went
    return render_template(
        "game.html",
        table=at,
        rules=at.rules,
        help=Help(at, g.language, desk().advise(at.game) if at.is_advised else None),
        draft=draft,
        entering=entering and not at.game.finished,
        mending=mending,
        lying=lying.look(at, desk().pictures),
        done=telling.last_act(at, g.language),
        spoken=telling.spoken(at, g.language),
        winners=present.together(at.winners, g.language),
        refusal=g.language.explain(refusal, at.rules.key) if refusal else "",
    )


def status(refusal: Exception) -> int:
    """The HTTP status that goes with a refusal, of the game or of the eye."""
    match refusal:
        case StaleEntry():
            return 409
        case UnusableLog():
            return 500
        case Unsaved():
            return 503
    return 422


def act(game: str, entry: Entry, then: str = "pages.game") -> ResponseReturnValue:
    """Do this in the game and show it, or the page `then` of it, or say why it cannot be."""
    try:
        desk().act(game, number("seq"), request.form.get("request", "")[:64] or abort(400), entry)
    except Refusal as refusal:
        return show(game, refusal), status(refusal)
    return redirect(url_for(then, game=game), 303)


@blueprint.get("/")
def start() -> str:
    listed = []
    for saved in door.games()[:MOST_LISTED]:
        with suppress(UnusableLog):  # one game that cannot be read hides no other
            listed.append((saved, table(saved.game)))
    return render_template(
        "start.html",
        going_on=[(saved, at) for saved, at in listed if not at.game.finished],
        finished=[(saved, at) for saved, at in listed if at.game.finished],
        games=[(key, printed.rules) for key, printed in games.GAMES.items()],
        ours=list(door.house() or ()),
        is_stranger=not door.joined(),
    )


@blueprint.post("/language")
def language() -> ResponseReturnValue:
    session["language"] = request.form.get("code", "")[:16]
    back = request.form.get("back", "")
    return redirect(back if security.OWN_PATH.fullmatch(back) else "/", 303)


@blueprint.get("/new/<key>")
def new(key: str) -> str:
    return _new(key)


def _tables() -> list[tuple[str, str]]:
    """The tables at which this browser may begin a game, the current one first: code, and who played there last."""
    latest = dict[str, str]()
    for saved in door.games():
        with suppress(UnusableLog):
            if (at := desk().table_of(saved.game)) not in latest:
                latest[at] = ", ".join(desk().history(saved.game).game.players)
    return [(door.code(at), latest.get(at, "")) for at in door.joined()]


def _offered(key: str) -> Printed:
    return house.offered(key, door.house()) or abort(404)


def _new(key: str, refusal: Refusal | None = None) -> str:
    printed = _offered(key)
    return render_template(
        "new.html",
        base=key,
        rules=printed.rules,
        questions=[Question(option) for option in printed.options],
        most=MOST_PLAYERS,
        usual_help=USUAL_HELP,
        tables=_tables(),
        refusal=g.language.explain(refusal, printed.rules.key) if refusal else "",
    )


@blueprint.post("/new/<key>")
def begin(key: str) -> ResponseReturnValue:
    printed = _offered(key)
    try:
        answers = [(option, request.form.get(option.key, "").strip()) for option in printed.options]
        for option, text in answers:
            demand(bool(text) or option.default != ASK, _("Please answer first: {option}"), option=option.key)
        rules = printed.with_options({option.key: option.parse(text) for option, text in answers if text})
        players = tuple(name for name in request.form.getlist("player") if name.strip())
        helps = (request.form.get("help", USUAL_HELP),) * len(players)
        return _begin(Begun(rules, players, helps, "concealed" in request.form, door.chosen()))
    except Refusal as refusal:
        return _new(key, refusal), status(refusal)


def _begin(event: Begun, then: str = "pages.game") -> ResponseReturnValue:
    wanted = request.form.get("request", "") or abort(400)
    game = security.derived_id(current_app.config["SECRET_KEY"], f"{security.form_token()} {wanted}")
    desk().begin(game, wanted[:64], event)
    door.sit(game)
    return redirect(url_for(then, game=game), 303)


@blueprint.post("/try")
def try_it() -> ResponseReturnValue:
    """A first game for somebody without dice or camera at hand."""
    rules = next(iter(games.GAMES.values())).rules
    players = g.language.say(_("You")), g.language.say(_("Friend"))
    return _begin(Begun(rules, players, table=door.current()), "photos.offer")


@blueprint.get("/g/<game>")
def game(game: str) -> str:
    door.sit(game)
    return show(game)


@blueprint.get("/g/<game>/seq")
def seq(game: str) -> Response:
    """How many entries the game has, by which an open page knows that it is no longer as it was."""
    return Response(str(desk().count(game)), mimetype="text/plain", headers={"Cache-Control": "no-store"})


@blueprint.post("/g/<game>/roll")
def roll(game: str) -> ResponseReturnValue:
    return act(game, Rolled(parse_dice(request.form.get("dice", "")), number("throw")))


@blueprint.post("/g/<game>/reread")
def reread(game: str) -> ResponseReturnValue:
    """The roll on the table, with one die read otherwise, or counted as another throw."""
    dice = list(parse_dice(request.form.get("dice", "")))
    if "die" in request.form and 0 <= number("die") < len(dice):
        dice[number("die")] = number("face")
    return act(game, Reread(tuple(dice), number("throw")))


@blueprint.post("/g/<game>/score")
def score(game: str) -> ResponseReturnValue:
    return act(game, Scored(request.form.get("box", ""), number("points")))


@blueprint.post("/g/<game>/rewind")
def rewind(game: str) -> ResponseReturnValue:
    return act(game, Rewound(number("to")))


@blueprint.get("/g/<game>/cell/<int:player>/<box>")
def cell(game: str, player: int, box: str) -> str:
    at = table(game)
    if player >= len(at.game.players) or box not in at.rules.attainable:
        abort(404)
    turns = [turn for turn in throws.turns(at.history) if (turn.player, turn.box) == (player, box)]
    return render_template(
        "cell.html",
        table=at,
        rules=at.rules,
        player=player,
        box=box,
        turns=turns[-1:],
        trace=telling.trace(at.history, player, box, g.language),
        there=desk().pictures.has,
    )


@blueprint.post("/g/<game>/cell/<int:player>/<box>")
def amend(game: str, player: int, box: str) -> ResponseReturnValue:
    points = None if request.form.get("points") == "open" else number("points")
    return act(game, Amended(player, box, points))


@blueprint.post("/g/<game>/again")
def again(game: str) -> ResponseReturnValue:
    """The same people play by the same rules once more, in their order, at their table; whoever has left does not."""
    history = desk().history(game)
    now = history.game
    players, helps = (tuple(values[player] for player in now.order) for values in (now.players, now.help))
    return _begin(Begun(now.rules, players, helps, now.concealed, history.table))
