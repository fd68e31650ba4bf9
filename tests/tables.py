"""Scripts of what lies on a table, line by line, and what a settler makes of them.

A line is a time or a span at ten pictures a second, and what is read: “1.0-1.3  6@2,1 5@4,1~ 3@8,1^ | busy unsure”.
A die is its face and the middle of its box, in sides of dice; ~ says that its place has just changed, ^ that a hand
had been over its place before it was seen there, ? that it is hardly a die, % that its face is hard to make out, = that
nobody remembers its place without it, ! that its place lay bare until just before, * that the picture of it is not that
of the die that lay there before. After the bar: `busy`, something moves in the picture; `unsure`, the reader was not
sure. Whatever else is written there is a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import inf

from recognizer.events import Arrival, Box, Event, Sight
from recognizer.reader import Die
from recognizer.settle import Settler

SEEN = Arrival(same=True)
DIE = re.compile(r"(\d)@([\d.]+),([\d.]+)([~^?*%=!]*)")


def die(face: int, x: float, y: float, marks: str = "") -> Die:
    """A die of a script: certain, hardly one, or one whose face is as likely another."""
    confidence = 0.5 if "?" in marks or "%" in marks else 0.99
    alternatives = ((face % 6 + 1, 0.49),) if "%" in marks else ()
    return Die(face, (x - 0.5, y - 0.5, 1.0, 1.0), confidence, alternatives)


def sights(script: str) -> Iterator[tuple[Sight, dict[Box, Arrival]]]:
    """Each reading of a script, with how the dice came that lie in boxes."""
    for line in filter(None, map(str.strip, script.splitlines())):
        when, _, rest = line.partition(" ")
        what, _, remarks = rest.partition("|")
        first, _, last = when.partition("-")
        found = [(die(int(face), float(x), float(y), marks), marks) for face, x, y, marks in DIE.findall(what)]
        moving = frozenset(k for k, (_die, marks) in enumerate(found) if "~" in marks)
        came = {
            one.box: Arrival(
                0.4 * ("^" in marks), "=" in marks, "*" not in marks, float(first) - 0.1 if "!" in marks else -inf
            )
            for one, marks in found
        }
        for step in range(round(float(first) * 10), round(float(last or first) * 10) + 1):
            busy = bool(moving) or "busy" in remarks
            yield Sight(step / 10, tuple(one for one, _ in found), "unsure" not in remarks, moving, not busy), came


def follow(script: str, expected: int | None = 5, settler: Settler | None = None) -> list[Event]:
    """The events of a script."""
    return run(sights(script), settler or Settler(expected))


def run(seen: Iterable[tuple[Sight, dict[Box, Arrival]]], settler: Settler) -> list[Event]:
    return [event for sight, came in seen for event in settler.see(sight, lambda box, came=came: came.get(box, SEEN))]  # type: ignore[misc]


def say(event: Event) -> str:
    """An event as a line: “1.2 settled 66541 kept 66”."""
    faces = [one.face for one in event.dice]
    digits = "".join(map(str, sorted(faces)))
    kept = "".join(str(face) for face in sorted(faces[k] for k in event.kept))
    return (
        f"{event.at:.1f} {event.what} {digits}" + (f" kept {kept}" if kept else "") + ("" if event.sure else " unsure")
    )


def told(script: str, expected: int | None = 5) -> list[str]:
    """What a script leads to, but for dice that begin to roll."""
    return [say(event) for event in follow(script, expected) if event.what != "rolling"]
