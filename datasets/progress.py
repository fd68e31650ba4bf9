"""How long the whole will still take, said once a minute while its steps run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

EVERY = 60.0  # seconds between two lines
TELLING = 0.02  # share of a step from which its own pace is a better guess than the estimate


@dataclass(frozen=True)
class Step:
    """One step: what it does in words, an estimate in seconds of what is left of it, the work, and how much of it is
    done (0 to 1), where that can be told."""

    name: str
    seconds: float
    run: Callable[[], None]
    share: Callable[[], float] | None = None


def left(steps: Sequence[Step], index: int, spent: float, before: float, share: float) -> float:
    """Seconds that the whole will take from now on: step `index` has run for `spent` seconds, in which its share done
    grew from `before` to `share`; the steps after it take what was estimated."""
    ahead = sum(step.seconds for step in steps[index + 1 :])
    if share - before > TELLING:
        return spent * (1 - share) / (share - before) + ahead
    return max(steps[index].seconds - spent, 0.0) + ahead


def run(steps: Sequence[Step], say: Callable[[str], None] = lambda line: print(line, flush=True)) -> None:
    """Runs the steps in order, saying what is begun and, once a minute, what is left."""
    for index, step in enumerate(steps):
        begun, before = time.monotonic(), _share(step)

        def line(index: int = index, step: Step = step, begun: float = begun, before: float = before) -> str:
            seconds = left(steps, index, time.monotonic() - begun, before, _share(step))
            return f"[{index + 1}/{len(steps)}] {step.name}; about {words(seconds)} left in all"

        say(line())
        over = threading.Event()
        watch = threading.Thread(target=_watch, args=(over, line, say), daemon=True)
        watch.start()
        try:
            step.run()
        finally:
            over.set()
            watch.join()


def _watch(over: threading.Event, line: Callable[[], str], say: Callable[[str], None]) -> None:
    while not over.wait(EVERY):
        say(line())


def _share(step: Step) -> float:
    return step.share() if step.share else 0.0


def words(seconds: float) -> str:
    """3 h 05 min, 12 min, less than a minute."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"
