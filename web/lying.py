"""The dice on the table, and what the eye made of each. May know: a game as the page shows it, its pictures."""

from __future__ import annotations

from dataclasses import dataclass

from recognizer.reader import Die
from scorekeeper.dice import FACES
from scorekeeper.events import Rolled
from web.pictures import Pictures
from web.present import Table

LIKELY = 0.01  # an alternative below this is not worth naming before the others


@dataclass(frozen=True)
class Lying:
    """The roll on the table.

    photo: the name of its picture, nothing where there is none or it has been deleted.
    doubts: which dice, counted from 0, a camera has read that is not sure of them, and nobody has corrected.
    faces: for each die, 1 to 6, the likeliest first.
    """

    photo: str
    doubts: frozenset[int]
    faces: tuple[list[int], ...]


def likeliest(die: Die | None) -> list[int]:
    """1 to 6, the likeliest first where the eye had an opinion worth following."""
    likely = [die.face, *(face for face, share in die.alternatives if share >= LIKELY)] if die else []
    return [*likely, *(face for face in FACES if face not in likely)]


def look(at: Table, pictures: Pictures) -> Lying:
    """What is known of the dice on the table."""
    try:
        shot = pictures.shot(at.picture)
    except (LookupError, OSError):
        return Lying("", frozenset(), tuple(likeliest(None) for _die in at.dice))
    last, seen, faces = at.last_roll, list(shot.reading.dice), []
    for face in at.dice:  # in the order in which they were entered, which need not be that of the picture
        die = next((die for die in seen if die.face == face), None)
        faces.append(likeliest(die))
        if die:
            seen.remove(die)
    read = isinstance(last, Rolled) and last.source == "camera"
    return Lying(shot.name, shot.doubtful if read else frozenset(), tuple(faces))
