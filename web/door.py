"""Who is let in: the tables that a browser has joined, and that it sees no game of any other.

A table is where a family, or some people in a club, play many games. Whoever begins a game has joined its table; other
screens join by its code. What a browser has joined stands in its session. A browser on this computer sees all. Games
without a table, the house rules and the camera at the computer belong to the table of the house, whose id is empty.
May know: the desk, codes, requests.
"""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, current_app, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.log import Saved
from scorekeeper.refusal import UnusableLog, _
from web import codes, hosts, security, throttle
from web.desk import Desk, UnknownGame
from web.follow import OwnCamera
from web.house import House

blueprint = Blueprint("door", __name__)

MOST_JOINED = 20  # tables that a browser holds; the one it was at longest ago is forgotten
NOT_FOUND = 404
HOUSE = ""  # the table of the house
WRONG = _("No table here has this code. Look at the screen that shows it, and try again.")


def _desk() -> Desk:
    found: Desk = current_app.extensions["kast"]
    return found


def _key() -> bytes:
    return bytes(current_app.config["SECRET_KEY"])


@blueprint.before_app_request
def demand_joined() -> None:
    """Whatever names a game, in its path or as “?game=”, is there only for those at its table."""
    game = (request.view_args or {}).get("game", request.args.get("game"))
    if game is not None and not _is_open(str(game)):
        raise UnknownGame(game)


def _is_open(game: str) -> bool:
    with suppress(UnusableLog):
        return has_joined(_desk().table_of(game))
    return hosts.is_here()


def has_joined(table: str) -> bool:
    """Whether this browser may see the games of this table."""
    return table in session.get("tables", ()) or hosts.is_here()


def joined() -> list[str]:
    """The tables of this browser, the one it was at last first; on this computer that of the house is among them."""
    known = list(session.get("tables", ()))
    return [*known, HOUSE] if hosts.is_here() and HOUSE not in known else known


def enter(table: str) -> None:
    """From now on this browser sees the games of this table, and begins the next one there."""
    known = session.get("tables", [])
    if known[:1] != [table]:
        session["tables"] = [table, *(other for other in known if other != table)][:MOST_JOINED]


def sit(game: str) -> None:
    """This browser is at the table of this game."""
    enter(_desk().table_of(game))


def current() -> str:
    """The table at which this browser begins a game: where it was last, or a new one."""
    known = joined()
    return known[0] if known else new()


def new() -> str:
    """A table that nobody has joined yet, the same whenever the form is sent again."""
    return security.derived_id(_key(), f"table {security.form_token()} {request.form.get('request', '')}")


def chosen() -> str:
    """The table that the form names by its code, or a new one where it says so, or the current one."""
    match request.form.get("table", ""):
        case "new":
            return new()
        case text:
            found = codes.find(_key(), joined(), text)
            return current() if found is None else found


def code(table: str) -> str:
    """The code of a table of this browser."""
    return codes.code(_key(), table)


def way_in(path: str, table: str | None) -> str:
    """The path by which another screen joins this table and comes to this path."""
    return path if table is None else f"{url_for('door.scan', text=code(table)).rstrip('/')}{path}"


def games() -> list[Saved]:
    """All games that this browser may see, the latest first."""
    everything, seen = hosts.is_here(), set(session.get("tables", ()))
    return [saved for saved in _desk().games() if everything or _table_of(saved) in seen]


def _table_of(saved: Saved) -> str | None:
    with suppress(UnusableLog):
        return _desk().table_of(saved.game)
    return None


def house() -> House | None:
    """The house rules, where this browser may see them."""
    found: House | None = current_app.extensions["house"]
    return found if has_joined(HOUSE) else None


def own_camera() -> OwnCamera | None:
    """The camera at the computer, where this browser may look through it."""
    found: OwnCamera | None = current_app.extensions["camera"]
    return found if has_joined(HOUSE) else None


@blueprint.get("/join/<text>/")
@blueprint.get("/join/<text>/<path:to>")
def scan(text: str, to: str = "") -> ResponseReturnValue:
    """A code has been scanned: join, and leave it behind."""
    path = f"/{to}"
    return _join(text, path if security.OWN_PATH.fullmatch(path) else "/")


@blueprint.get("/join")
def ask() -> str:
    return _ask()


@blueprint.post("/join")
def type_() -> ResponseReturnValue:
    """A code has been typed."""
    return _join(request.form.get("code", ""), "/")


def _ask(refusal: str = "") -> str:
    return render_template("join.html", refusal=refusal)


def _join(text: str, to: str) -> ResponseReturnValue:
    throttle.demand_codes()
    table = codes.find(_key(), _desk().tables() | {HOUSE}, text)
    if table is None:
        throttle.count_wrong_code()
        return _ask(g.language.say(WRONG)), NOT_FOUND
    security.form_token()  # makes the session last
    enter(table)
    return redirect(to, 303)
