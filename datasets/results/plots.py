"""Plots as SVG that can be read on light and on dark: no fonts or scripts of others, shapes besides colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

WIDTH, ROW, TOP, EDGE = 760, 18, 48, 16  # pixels
LETTER, NAME = 6.3, 110  # of a letter; of a name in a legend
STYLE = """<style>
.paper{fill:#fff}.ink{fill:#24292f}.grid{stroke:#d0d7de}.s0{color:#1f6f8b}.s1{color:#c2571a}.s2{color:#5b7f2b}.s3{color:#7a4fa3}
@media (prefers-color-scheme:dark){.paper{fill:#0d1117}.ink{fill:#e6edf3}.grid{stroke:#3d444d}
.s0{color:#6cc0dc}.s1{color:#f0955c}.s2{color:#a3cf6b}.s3{color:#c3a3e6}}
</style>"""
SHAPES = (  # about the origin, one for each series
    '<circle r="4.5"/>',
    '<rect x="-4" y="-4" width="8" height="8"/>',
    '<path d="M0-5.5L5.5 0L0 5.5L-5.5 0z"/>',
    '<path d="M0-5L5 4L-5 4z"/>',
)


@dataclass(frozen=True)
class Point:
    """A value on a row, and how far from it a line reaches to both sides; which series it is of, from 0."""

    value: float
    reach: float = 0.0
    series: int = 0


def dots(title: str, unit: str, rows: Mapping[str, Sequence[Point]], series: Sequence[str] = ()) -> str:
    """Rows with points on one axis. series: their names, where there are several."""
    ends = [end for points in rows.values() for p in points for end in (p.value - p.reach, p.value + p.reach)]
    left = 2 * EDGE + LETTER * max(map(len, rows))
    axis = Axis.over(min(ends), max(ends), left, WIDTH - 2 * EDGE)
    head = TOP + (ROW if series else 0)
    bottom = head + ROW * len(rows)
    body = [f'<path class="grid" d="M{axis(tick):.1f} {head}V{bottom}"/>' for tick in axis.ticks]
    body += [_text(axis(tick), bottom + 16, f"{tick:g}", "middle") for tick in axis.ticks]
    body.append(_text((left + WIDTH) / 2, bottom + 34, unit, "middle"))
    body += _legend(series, left)
    for number, (name, points) in enumerate(rows.items()):
        y = head + ROW * (number + 0.5)
        body.append(_text(left - 12, y + 4, name, "end"))
        for point in points:
            if point.reach:
                sides = f"M{axis(point.value - point.reach):.1f} {y}H{axis(point.value + point.reach):.1f}"
                body.append(f'<path class="s{point.series}" stroke="currentColor" stroke-width="2" d="{sides}"/>')
            body.append(_mark(axis(point.value), y, point.series, f"{name}: {point.value:.2f}"))
    return _svg(title, bottom + 44, body)


def curves(title: str, across: str, up: str, lines: Mapping[str, Sequence[float]]) -> str:
    """Values of several series at 1, 2, 3 …, on an axis that begins at 0."""
    high, left = 240, 56
    head = TOP + ROW * len(lines)
    count = max(map(len, lines.values()))
    wide = Axis(1, count, left + 12, WIDTH - 2 * EDGE, 1)
    tall = Axis.over(0, max(map(max, lines.values())), head + high, head)
    body = [f'<path class="grid" d="M{left} {tall(tick):.1f}H{WIDTH - EDGE}"/>' for tick in tall.ticks]
    body += [_text(left - 8, tall(tick) + 4, f"{tick:g}", "end") for tick in tall.ticks]
    body += [_text(wide(turn), head + high + 18, str(turn), "middle") for turn in range(1, count + 1)]
    body.append(_text((left + WIDTH) / 2, head + high + 36, across, "middle"))
    turned = f"translate(16 {head + high / 2}) rotate(-90)"
    body.append(f'<text class="ink" transform="{turned}" text-anchor="middle">{escape(up)}</text>')
    body += _legend(list(lines), left, down=True)
    for number, (name, values) in enumerate(lines.items()):
        at = [(wide(turn), tall(value)) for turn, value in enumerate(values, start=1)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        body.append(f'<polyline class="s{number}" points="{path}" fill="none" stroke="currentColor"/>')
        for turn, ((x, y), value) in enumerate(zip(at, values, strict=True), start=1):
            body.append(_mark(x, y, number, f"{name}, {turn}: {value:.2f}"))
    return _svg(title, head + high + 46, body)


@dataclass(frozen=True)
class Axis:
    """Values from `low` to `high` on the pixels from `begin` to `end`, with a tick every `step`."""

    low: float
    high: float
    begin: float
    end: float
    step: float

    @classmethod
    def over(cls, least: float, most: float, begin: float, end: float) -> Axis:
        """An axis over these values, and one more at least, with four to ten steps of 1, 2 or 5 and noughts."""
        most = max(most, least + 1)
        rough = (most - least) / 8
        power = 10.0 ** floor(log10(rough))
        step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
        return cls(floor(least / step) * step, -floor(-most / step) * step, begin, end, step)

    def __call__(self, value: float) -> float:
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    @property
    def ticks(self) -> list[float]:
        return [self.low + self.step * n for n in range(round((self.high - self.low) / self.step) + 1)]


def _legend(series: Sequence[str], left: float, down: bool = False) -> Iterator[str]:
    for number, name in enumerate(series):
        x, y = (left + 12, TOP + ROW * number) if down else (left + NAME * number + 6, TOP)
        yield _mark(x, y, number)
        yield _text(x + 12, y + 4, name)


def _mark(x: float, y: float, series: int, says: str = "") -> str:
    said = f"<title>{escape(says)}</title>" if says else ""
    at = f'transform="translate({x:.1f} {y:.1f})"'
    return f'<g class="s{series}" fill="currentColor" {at}>{SHAPES[series]}{said}</g>'


def _text(x: float, y: float, says: str, anchor: str = "start") -> str:
    return f'<text class="ink" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(says)}</text>'


def _svg(title: str, height: float, body: Sequence[str]) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" font-family="sans-serif" '
        'font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        STYLE,
        f'<rect class="paper" width="{WIDTH}" height="{height:.0f}"/>',
        f'<text class="ink" x="{EDGE}" y="26" font-size="15" font-weight="bold">{escape(title)}</text>',
        *body,
    ]
    return "\n".join([*lines, "</svg>", ""])
