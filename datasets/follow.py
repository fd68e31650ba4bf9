"""Follows clips of whole turns with the models as they are, and says how many were followed.

python -m datasets.follow CLIPS [--models FOLDER] [--json FILE]

A turn is right when every throw was told once, with its dice, and its kept dice, as they are: nobody had anything to
put right. It is followed when, besides, nobody was asked to look. It is silently wrong when a throw that Kast was sure
of is wrong, missing or made up, and nothing asked anybody to look. What was read of a clip is kept beside it, in
000123.told.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from recognizer import events, frames
from recognizer.pipeline import Eye
from recognizer.reader import MODELS, Reader
from web.watch import follow

SHARES = ("right", "followed", "silent")
EARLY, LATE = 0.15, 3.0  # seconds before and after a throw has come to rest in which it may be told


@dataclass
class Verdict:
    """One turn. `wrong`: what a person would have had to put right; `warned`: whether Kast asked anybody to look;
    `delays`: seconds from rest to report."""

    clip: str
    rules: str
    kinds: tuple[str, ...]
    wrong: list[str] = field(default_factory=list)
    warned: bool = False
    delays: list[float] = field(default_factory=list)
    throws: int = 0

    @property
    def right(self) -> bool:
        """Whether there was nothing to put right."""
        return not self.wrong

    @property
    def followed(self) -> bool:
        """Whether, besides, nobody was asked to look."""
        return self.right and not self.warned

    @property
    def silent(self) -> bool:
        """Whether something is wrong and nobody was told."""
        return not self.right and not self.warned


def watch(clip: Path, dice: int, eye: Eye) -> list[dict[str, Any]]:
    """What is told of a clip, as `kast watch --json` prints it."""
    return list(follow(frames.play(clip), dice, eye))


def judge(clip: str, truth: dict[str, Any], told: Sequence[dict[str, Any]]) -> Verdict:
    """Compares what was told of a turn with what is true of it."""
    kinds = tuple(sorted({other["kind"] for other in truth["other"]}))
    verdict = Verdict(clip, truth["rules"], kinds, throws=len(truth["throws"]))
    rolls = [event for event in told if event["event"] == events.SETTLED]
    verdict.warned = any(event["event"] in events.DOUBTS or not event["sure"] for event in told)
    for throw in truth["throws"]:
        near = [roll for roll in rolls if throw["at"] - EARLY <= roll["t"] <= throw["at"] + LATE]
        if not near:
            verdict.wrong.append(f"{throw['at']:.1f} s: missed")
            continue
        rolls.remove(near[0])
        verdict.delays.append(near[0]["t"] - throw["at"])
        verdict.wrong += [f"{throw['at']:.1f} s: {fault}" for fault in _faults(throw, near[0])]
    verdict.wrong += [f"{roll['t']:.1f} s: made up" for roll in rolls]
    return verdict


def _faults(throw: dict[str, Any], roll: dict[str, Any]) -> Iterable[str]:
    """What is wrong with a roll: its values, or which dice were kept."""
    seen, true = (sorted(die["value"] for die in one["dice"]) for one in (roll, throw))
    if seen != true:
        yield f"read {seen} of {true}"
    elif (kept := _kept(roll)) != (meant := _kept(throw)):
        yield f"kept {kept} of {meant}"


def _kept(throw: dict[str, Any]) -> list[int]:
    return sorted(throw["dice"][k]["value"] for k in throw["kept"])


def table(verdicts: Sequence[Verdict]) -> list[str]:
    """The figures in lines: of all turns, by rule set, and by what they contain."""
    parts: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        for name in ("all", verdict.rules, *verdict.kinds, *([] if verdict.kinds else ["undisturbed"])):
            parts[name].append(verdict)
    heads = {"": 20, "turns": 7, "throws": 8, **dict.fromkeys(SHARES, 10), "median s": 10, "95 % s": 8, "most s": 8}
    lines = ["".join(f"{head:>{wide}}" for head, wide in heads.items())]
    for name, some in parts.items():
        delays = sorted(delay for verdict in some for delay in verdict.delays)
        late = [statistics.median(delays), delays[int(0.95 * (len(delays) - 1))], delays[-1]] if delays else []
        lines.append(
            f"{name:20}{len(some):7}{sum(v.throws for v in some):8}"
            + "".join(f"{share(some, what):>10}" for what in SHARES)
            + "".join(f"{value:{wide}.2f}" for value, wide in zip(late, (10, 8, 8), strict=False))
        )
    return lines


def share(verdicts: Sequence[Verdict], what: str) -> str:
    """How many of them are so, in percent."""
    return f"{100 * sum(getattr(verdict, what) for verdict in verdicts) / len(verdicts):.1f} %"


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m datasets.follow", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("clips", type=Path, help="folder that python -m datasets.clips has filled")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder with the networks (default: those shipped)")
    parser.add_argument("--threads", type=int, default=1, help="threads to read with (default: %(default)s)")
    parser.add_argument("--again", action="store_true", help="follow clips again that were followed before")
    parser.add_argument("--only", nargs="*", default=[], metavar="CLIP", help="these alone, as in 000123")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(options.threads)
    eye, verdicts = Reader(options.models, options.threads), []
    for path in sorted(options.clips.glob("*.json")):
        if options.only and path.stem not in options.only:
            continue
        truth = json.loads(path.read_text("utf-8"))
        heard = path.with_suffix(".told")
        if options.again or not heard.exists():
            heard.write_text(json.dumps(watch(path.with_suffix(".avi"), truth["dice"], eye)), "utf-8")
        verdict = judge(path.stem, truth, json.loads(heard.read_text("utf-8")))
        verdicts.append(verdict)
        if not verdict.followed:
            how = "SILENT" if verdict.silent else "warned"
            print(f"{path.stem} {how} {'; '.join(verdict.wrong) or 'asked in vain'}", file=sys.stderr, flush=True)
    print("\n".join(table(verdicts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
