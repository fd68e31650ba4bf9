"""What the adviser answers about a position, from what is solved of it. Pure. May know: advice, how games end."""

from __future__ import annotations

from functools import lru_cache

from scorekeeper import advice, contest, outlook
from scorekeeper.advice import Play
from scorekeeper.contest import Floats
from scorekeeper.estimate import Estimate
from scorekeeper.position import Position
from scorekeeper.prospect import Prospect
from scorekeeper.simulate import Outcomes
from scorekeeper.solve import Layer
from web.adviser import Advice, Working


def estimated(position: Position, working: Working) -> Advice:
    """The advice while what is needed for an exact one is being solved."""
    return Advice(_estimates(position), working, outlook.chances(position.sheet, position.roll, position.left))


def exact(
    position: Position, after: Layer, outcomes: Outcomes | None, with_spread: Layer | None, weighed: Floats | None
) -> Advice:
    """The advice, with how the game ends: exactly where that is solved too, else as simulated games tell."""
    sheet, roll, left = position.sheet, position.roll, position.left
    plays = advice.plays(sheet, roll, left, after)
    ends = outcomes.totals if outcomes else ()
    end: Prospect | Outcomes | None = outlook.prospect(sheet, roll, left, with_spread) if with_spread else None
    if end is None and ends:
        end = outcomes
    return Advice(
        tuple(plays),
        chances=outlook.chances(sheet, roll, left),
        bonus=end.bonus if end else None,
        spread=end.spread if end else None,
        games=len(ends) if ends and not with_spread else None,
        ends=ends,
        drawn=bool(outcomes and outcomes.drawn),
        counting=outcomes is None,
        marker=outlook.marker(sheet, roll, left, after, plays[0].value),
        lead=contest.lead(plays, sheet, roll, left, weighed) if weighed is not None and weighed.size else None,
        weighing=weighed is None,
    )


@lru_cache(maxsize=64)  # a page asks again and again while it waits
def _estimates(position: Position) -> tuple[Play, ...]:
    return tuple(advice.plays(position.sheet, position.roll, position.left, Estimate.after(position.sheet)))
