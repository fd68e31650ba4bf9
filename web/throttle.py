"""How much one device may ask for: forms, pictures, new games, wrong codes. A browser on this computer may always.

Each process counts for itself. May know: limits, requests.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from time import monotonic

from flask import Blueprint, current_app, request
from werkzeug.exceptions import TooManyRequests

from web import hosts
from web.limits import Limit, caller

blueprint = Blueprint("throttle", __name__)

ALL = "all"  # devices together
BEGINNINGS = ("pages.begin", "pages.try_it", "pages.again")
LIVE = "camera.see"


class Limits:
    """What is counted, for each device. A family comes nowhere near."""

    def __init__(self) -> None:
        self.posts = Limit(1000, 1 / 50)
        self.frames = Limit(200, 1 / 20)
        self.uploads = Limit(60, 2)
        self.games = Limit(60, 10)
        self.codes = Limit(10, 30)  # wrong ones
        self.all_codes = Limit(100, 5)  # wrong ones of all devices: at this pace the first in 2**40 takes millennia


def _limits() -> Limits:
    found: Limits = current_app.extensions["limits"]
    return found


def now() -> float:
    """Seconds on the clock of this application."""
    clock: Callable[[], float] = current_app.extensions.get("clock", monotonic)
    return clock()


def _demand(seconds: float) -> None:
    if seconds > 0:
        raise TooManyRequests(retry_after=ceil(seconds))


@blueprint.before_app_request
def demand_measure() -> None:
    """Before anything of the request is read."""
    if request.method != "POST" or hosts.is_here():
        return
    limits, who = _limits(), caller(request.remote_addr or "")
    _demand(limits.posts.take(who, now()))
    if request.endpoint == LIVE:
        _demand(limits.frames.take(who, now()))
    elif request.mimetype == "multipart/form-data":
        _demand(limits.uploads.take(who, now()))
    if request.endpoint in BEGINNINGS:
        _demand(limits.games.take(who, now()))


def demand_codes() -> None:
    """Whoever has tried too many wrong codes waits, with a right one, too."""
    if not hosts.is_here():
        limits = _limits()
        _demand(max(limits.codes.wait(caller(request.remote_addr or ""), now()), limits.all_codes.wait(ALL, now())))


def count_wrong_code() -> None:
    """A code was wrong."""
    if not hosts.is_here():
        limits = _limits()
        limits.codes.take(caller(request.remote_addr or ""), now())
        limits.all_codes.take(ALL, now())
