"""What a vote over several readings says lies on the table at rest, and whether it is beyond doubt. Pure.

Knows dice and their tracks; no times, no rolls, no games.
"""

from __future__ import annotations

from collections.abc import Sequence

from recognizer.tracker import AGREEING, Track, distance

CLEAR = 0.75  # mean confidence of what is certainly meant when dice are counted, and share of a face that is clear
LIKELY = 0.65  # mean confidence of a die whose face is clear
HESITATION = 4  # readings after which a roll is reported although they are not sure of it
CROWDED = 0.55  # sides between the middles of two boxes below which the less certain may be a side face of the other
DOUBTFUL = 0.9  # mean confidence of what may be one


def table(tracks: Sequence[Track], expected: int | None, *, quiet: bool) -> list[Track] | None:
    """What lies at rest once the vote is done, from top to bottom; None while one is undecided or overlooked, and,
    unless all those expected lie there, while anything moves.

    What is hardly a die, or may be a side face of one, is none where there are enough without it, and is not counted on
    while what is more likely one moves.
    """
    clear = [track for track in tracks if track.confidence >= CLEAR and not _is_side(track, tracks)]
    if expected is not None and len(clear) >= expected:
        tracks = clear
    ripe = [track for track in tracks if track.ripe]
    if any(track.missed if track.ripe else not track.missed and len(track.readings) > 1 for track in tracks):
        return None
    if len(ripe) != expected and (not quiet or len(ripe) < len(tracks)):
        return None
    if any(_is_surer(track, ripe) for track in tracks if not track.ripe and not track.missed):
        return None
    return ordered(ripe)


def _is_surer(track: Track, others: Sequence[Track]) -> bool:
    """Whether this is more likely a die than one of the others, which is hardly any."""
    return any(other.confidence < min(CLEAR, track.confidence) for other in others)


def _is_side(track: Track, tracks: Sequence[Track]) -> bool:
    """Whether this may be a side face of a die that is seen as well."""
    surer = (other for other in tracks if other.confidence > track.confidence)
    return track.confidence < DOUBTFUL and any(distance(track.box, other.box) < CROWDED for other in surer)


def ordered(tracks: Sequence[Track]) -> list[Track]:
    """From top to bottom of the picture."""
    return sorted(tracks, key=lambda track: (track.box[1], track.box[0]))


def are_sure(dice: Sequence[Track], came: Sequence[bool], sures: Sequence[bool], *, counted: bool) -> bool:
    """Whether the last readings of every die agree, and most were sure as a whole (`sures`); or, where as many lie
    there as are expected (`counted`), every face is clear after one reading more: it is hardly in doubt then that each
    is a die. `came`: which of them came to a place where nothing was, while all else lay still, and are therefore dice,
    however little they look like it."""
    likely = all(new or die.confidence >= LIKELY for die, new in zip(dice, came, strict=True))
    clear = all(die.clarity >= CLEAR and len(die.readings) >= HESITATION for die in dice)
    return all(die.agreed for die in dice) and ((counted and likely and clear) or 3 * sum(sures) >= 2 * AGREEING)
