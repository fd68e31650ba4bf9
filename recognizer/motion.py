"""What has changed between pictures of one table, looked at small. Pure; knows nothing of dice.

Exposure and lamps change all of a picture by one factor a colour, which is taken out; what remains is what has moved.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import inf

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float32]
Box = tuple[float, float, float, float]

WIDTH = 240  # longer side in pixels of the small picture: the smallest dice that are read are six of them wide
LEAST = 9.0  # grey levels that noise does not reach once it is smoothed
NOISE = 5.0  # times the deviation of the noise
FEW = 8  # changed pixels that make no motion
TOUCHED = 0.06  # share of a die's box that has changed when the die has moved
OTHER = 20.0  # grey levels by which a place looks otherwise than before
MIDDLE, LIKE = 0.7, 0.2  # of the sides of a box; share of that which may look otherwise while the same die lies there
REMEMBERED = 40  # pictures
CHANGED = 0.3  # share of a place that looks otherwise when something else was there
BARE = 3  # pictures in a row that show a place without what lies there now, which nothing rolls over for so long
OPEN, EMPTY = 0.1, 0.7  # most of the table round it that is covered meanwhile; least of the place that looks otherwise


def small(image: Image) -> Floats:
    """A picture (H, W, 3), BGR, with a longer side of WIDTH, 0 to 255, smoothed a little: (h, w, 3)."""
    zoom = WIDTH / max(image.shape[:2])
    shape = max(1, round(image.shape[1] * zoom)), max(1, round(image.shape[0] * zoom))
    shrunk = cv2.resize(image, shape, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
    return np.asarray(cv2.blur(shrunk, (3, 3)), np.float32)


def difference(before: Floats, after: Floats) -> Floats:
    """(h, w): levels between two small pictures in the colour that differs most, once the brightness common to all is
    taken out.

    The factors are medians over pixels that are neither burnt out nor black, so that what moves does not count.
    """
    coarse, now = before[::3, ::3], after[::3, ::3]
    fit = ((coarse > 15) & (coarse < 240) & (now > 15) & (now < 240)).all(axis=2)
    enough = fit.sum() > fit.size // 10
    gain = np.median(now[fit] / coarse[fit], axis=0).astype(np.float32) if enough else np.ones(3, np.float32)
    up, down = np.maximum(gain, 1), np.maximum(1 / gain, 1)
    blue, green, red = cv2.split(np.abs(np.minimum(before * up, 255) - np.minimum(after * down, 255)))
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.float32)  # much faster than a maximum over an axis


def changed(before: Floats, after: Floats) -> Mask:
    """(h, w): where two small pictures differ by more than noise; everywhere if their sizes do."""
    if before.shape != after.shape:
        return np.ones(after.shape[:2], np.bool_)
    apart = difference(before, after)
    return np.asarray(apart > max(LEAST, NOISE * 1.48 * float(np.median(apart))))


def is_quiet(mask: Mask) -> bool:
    """Whether so little has changed that nothing has moved."""
    return int(mask.sum()) < FEW


def touches(mask: Mask, box: Box) -> bool:
    """Whether what lies in a box (left, top, width, height; longer sides of the picture) has changed."""
    part = mask[_slices(box, mask.shape)]
    return bool(part.size and part.mean() > TOUCHED)


@dataclass(frozen=True)
class Seen:
    """A small picture and when it was taken, in seconds."""

    at: float
    picture: Floats


@dataclass(frozen=True)
class Coming:
    """How what is in a box came there: how much of what is round about, 0 to 1, looked otherwise in the two pictures
    just before; and when the place was last seen without it, what is round about in view; -inf for never."""

    covered: float
    bare: float


class Past:
    """The last small pictures, to find out afterwards how a die came to the place where it lies."""

    def __init__(self) -> None:
        self._seen: deque[Seen] = deque(maxlen=REMEMBERED)
        self._kept: Floats | None = None
        self._others: dict[float, Mask] = {}

    def keep(self) -> None:
        """The newest picture is remembered until the next one is kept."""
        self._kept = self._seen[-1].picture

    def is_as_kept(self, box: Box) -> bool:
        """Whether the middle of a box looks as it did in the picture that was kept: there may be others beside it."""
        now = self._seen[-1].picture
        if self._kept is None or self._kept.shape != now.shape:
            return False
        return bool((difference(self._kept, now)[_slices(_grown(box, MIDDLE), now.shape)] > OTHER).mean() <= LIKE)

    def add(self, at: float, picture: Floats) -> None:
        if self._seen and self._seen[-1].picture.shape != picture.shape:
            self._seen.clear()
        self._others.clear()
        self._seen.append(Seen(at, picture))

    def coming(self, box: Box, others: tuple[Box, ...] = ()) -> Coming | None:
        """How a box came to look as it does now; None where it has never looked otherwise.

        Round about is the box grown to three times its size, without itself and `others`.
        """
        shape = self._seen[-1].picture.shape
        inner, outer = _slices(box, shape), _slices(_grown(box, 3.0), shape)
        ring = np.ones(shape[:2], np.bool_)
        for other in (box, *others):
            ring[_slices(_grown(other, 1.4), shape)] = False
        around = ring[outer]
        covered = list[float]()
        bare = list[float]()
        for seen in reversed(self._seen):
            apart = self._other(seen)
            inside = apart[inner].mean()
            if not covered and inside <= CHANGED:
                continue
            covered.append(float(apart[outer][around].mean()) if around.any() else 0.0)
            bare = [*bare, seen.at] if inside >= EMPTY and covered[-1] <= OPEN else []
            if len(covered) >= 2 and (len(bare) == BARE or inside <= CHANGED):
                break
        return Coming(max(covered[:2]), bare[0] if len(bare) == BARE else -inf) if covered else None

    def _other(self, seen: Seen) -> Mask:
        """Where an earlier picture looks otherwise than the newest; found once for each."""
        if seen.at not in self._others:
            self._others[seen.at] = np.asarray(difference(seen.picture, self._seen[-1].picture) > OTHER)
        return self._others[seen.at]


def _grown(box: Box, times: float) -> Box:
    left, top, width, height = box
    return left - width * (times - 1) / 2, top - height * (times - 1) / 2, width * times, height * times


def _slices(box: Box, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """The pixels of a small picture within a box, at least one."""
    left, top, width, height = (side * WIDTH for side in box)
    x, y = (int(np.clip(round(low), 0, limit - 1)) for low, limit in zip((left, top), shape[1::-1], strict=False))
    right = int(np.clip(round(left + width), x + 1, max(shape[1], x + 1)))
    bottom = int(np.clip(round(top + height), y + 1, max(shape[0], y + 1)))
    return slice(y, bottom), slice(x, right)
