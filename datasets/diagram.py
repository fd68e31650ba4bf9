"""A reliability diagram as SVG: for each bin a point, where what was said meets what was so."""

from __future__ import annotations

from collections.abc import Mapping

from datasets.honesty import Answers

SIDE, LEFT, TOP = 320, 60, 24  # of the square in which points lie, in pixels
COLOURS = ("#1f6f8b", "#c2571a", "#5b7f2b")


def reliability(answers: Mapping[str, Answers]) -> str:
    """The diagram of some named answers, each with its own colour; a point's area grows with the answers in its bin."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE + LEFT + 24} {SIDE + TOP + 60}" '
        'font-family="sans-serif" font-size="12">',
        "<title>Reliability diagram: the share of right answers by their confidence</title>",
        f'<rect width="{SIDE + LEFT + 24}" height="{SIDE + TOP + 60}" fill="#fff"/>',
        f'<path d="M{LEFT} {TOP}v{SIDE}h{SIDE}" fill="none" stroke="#333"/>',
        f'<path d="M{LEFT} {TOP + SIDE}L{LEFT + SIDE} {TOP}" stroke="#999" stroke-dasharray="4"/>',
        f'<text x="{LEFT + SIDE / 2}" y="{TOP + SIDE + 40}" text-anchor="middle">confidence</text>',
        f'<text transform="translate(18 {TOP + SIDE / 2}) rotate(-90)" text-anchor="middle">share right</text>',
    ]
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x, y = _place(tick, tick)
        lines.append(f'<text x="{x:.0f}" y="{TOP + SIDE + 18}" text-anchor="middle">{tick:g}</text>')
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{tick:g}</text>')
    for number, ((name, these), colour) in enumerate(zip(answers.items(), COLOURS, strict=False)):
        lines += _series(these, colour)
        y = TOP + 14 + 18 * number
        lines.append(f'<circle cx="{LEFT + 16}" cy="{y - 4}" r="5" fill="{colour}"/>')
        lines.append(f'<text x="{LEFT + 28}" y="{y}">{name} ({len(these.right)})</text>')
    return "\n".join([*lines, "</svg>", ""])


def _series(answers: Answers, colour: str) -> list[str]:
    points = [(*_place(one.said, one.right), one) for one in answers.bins]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    lines = [f'<polyline points="{path}" fill="none" stroke="{colour}"/>']
    for x, y, one in points:
        radius = 3 + 9 * (one.answers / len(answers.right)) ** 0.5
        said = f"{one.answers} answers, confidence {one.said:.3f}, right {one.right:.3f}"
        lines.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}" fill-opacity="0.5">'
            f"<title>{said}</title></circle>"
        )
    return lines


def _place(said: float, right: float) -> tuple[float, float]:
    return LEFT + SIDE * said, TOP + SIDE * (1 - right)
