"""What a turn is, laid out for the kernels. May know: rules, dice, reach, the kernels: import it to solve."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from scorekeeper.dice import FACES, ladders
from scorekeeper.kernels import Turn
from scorekeeper.reach import par
from scorekeeper.rules import RuleSet


@lru_cache(maxsize=8)
def laid_out(rules: RuleSet) -> Turn:
    """What a turn is in every sheet of these rules, as the kernels read it."""
    steps = ladders(rules.dice)
    rolls = steps.keeps[: steps.rolls]
    amounts = [sorted(rules.attainable[box.key]) for box in rules.boxes]
    rows = np.cumsum([0, *map(len, amounts)])
    paid = [
        [(i, row + attainable.index(points)) for i, roll in enumerate(rolls) if (points := box.score(roll))]
        for box, attainable, row in zip(rules.boxes, amounts, rows, strict=False)
    ]
    entries = np.concatenate(paid).astype(np.uint32)
    faces = [len(set(keep.dice)) for keep in steps.keeps]
    sizes = [len(keep) % rules.dice for keep in steps.keeps]  # all dice first
    order = sorted(range(len(steps.keeps) - 1), key=lambda keep: (sizes[keep], faces[keep]))
    counts = [[sum(sizes[k] == size and faces[k] == n for k in order) for n in FACES] for size in range(rules.dice)]
    return Turn(
        upper=np.array([box.upper for box in rules.boxes]),
        rows=rows,
        points=np.concatenate(amounts),
        pays=(np.concatenate(amounts) - par(rules)).astype(np.float32),
        begins=np.cumsum([0, *map(len, paid)]),
        rolls=np.ascontiguousarray(entries[:, 0]),
        amounts=np.ascontiguousarray(entries[:, 1]),
        more=steps.more.reshape(-1),
        counts=np.array(counts),
        keeps=np.array(order, np.uint32),
        fewer=np.concatenate([steps.fewer[keep, : faces[keep]] for keep in order]),
        size=len(steps.keeps),
        income=rules.income,
        carries=rules.carries,
    )
