"""Small plots as SVG, to stand in a page that brings the colours (`.c0` and so on) along.

All but boards are drawn 440 units wide, so that their texts can still be read on a phone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from tengen.diagram import Area
from tengen.game import Square

WIDTH = 440
_LINE = 26
"""The height of a row with a name."""


class Series(NamedTuple):
    """A line of a plot."""

    name: str
    points: Sequence[tuple[float, float]]
    colour: int
    """Which of the page's colours."""


class _Scale:
    """Maps values to places."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = (low, high) if high > low else (low - 1, low + 1)
        self._start, self._end = start, end

    def __call__(self, value: float) -> float:
        return self._start + (value - self.low) / (self.high - self.low) * (self._end - self._start)

    def ticks(self, count: int) -> list[float]:
        """Round values within the range."""
        step = _round_step((self.high - self.low) / count)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _round_step(rough: float) -> float:
    size = 10.0 ** math.floor(math.log10(rough))
    return next(factor * size for factor in (1, 2, 5, 10) if factor * size >= rough * 0.999)


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _svg(height: float, title: str, parts: Sequence[str], width: float = WIDTH) -> str:
    label = escape(title, quote=True)
    return f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{escape(text)}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _width(text: str) -> float:
    """About how wide a text is, bold or not: rather too wide."""
    return sum(10.8 if letter.isupper() else 8.4 for letter in text)


def shortened(name: str, letters: int = 20) -> str:
    """A name that fits."""
    return name if len(name) <= letters else name[: letters - 1] + "…"


def error_bars(title: str, rows: Sequence[tuple[str, float, float]]) -> str:
    """Values with their errors, one row each."""
    names = [shortened(name, 18) for name, _, _ in rows]
    left = max(map(_width, names)) + 12
    low = min(value - error for _, value, error in rows)
    high = max(value + error for _, value, error in rows)
    pad = (high - low) * 0.04
    x = _Scale(low - pad, high + pad, left, WIDTH - 18)
    bottom = len(rows) * _LINE + 6
    parts = []
    for tick in x.ticks(7):
        parts.append(_rule(x(tick), 0, x(tick), bottom, "axis" if tick == 0 else "grid"))
        parts.append(_text(x(tick), bottom + 15, _number(tick), "middle", "soft"))
    for number, ((full, value, error), name) in enumerate(zip(rows, names, strict=True)):
        y = number * _LINE + _LINE / 2 + 3
        parts.append(_text(left - 8, y + 4, name, "end"))
        parts.append(f"<g><title>{escape(full)}: {value:+.0f} ± {error:.0f}</title>")
        parts.append(_rule(x(value - error), y, x(value + error), y, "bar c0"))
        parts.append(f'<circle cx="{x(value):.1f}" cy="{y:.1f}" r="5" class="dot c0"/></g>')
    return _svg(bottom + 22, title, parts)


def histogram(title: str, values: Sequence[int], bins: int = 24) -> str:
    """How often values came, in bins of equal width."""
    low, high = min(values), max(values)
    width = max(1, math.ceil((high - low + 1) / bins))
    counts = [0] * ((high - low) // width + 1)
    for value in values:
        counts[(value - low) // width] += 1
    height, left = 150, 34
    y = _Scale(0, max(counts), height, 10)
    slot = (WIDTH - left - 8) / len(counts)
    parts = []
    for tick in y.ticks(4):
        if tick == int(tick):
            parts.append(_rule(left, y(tick), WIDTH - 8, y(tick), "axis" if tick == 0 else "grid"))
            parts.append(_text(left - 6, y(tick) + 4, _number(tick), "end", "soft"))
    every = max(1, math.ceil(len(counts) * 34 / (WIDTH - left)))
    for number, count in enumerate(counts):
        start = low + number * width
        span = str(start) if width == 1 else f"{start} to {start + width - 1}"
        x = left + number * slot
        gap = min(2.0, slot / 5)
        parts.append(
            f'<rect x="{x + gap / 2:.1f}" y="{y(count):.1f}" width="{slot - gap:.1f}" height="{height - y(count):.1f}" '
            f'class="fill c0"><title>{span}: {count}</title></rect>'
        )
        if number % every == 0:
            parts.append(_text(x + slot / 2, height + 16, str(start), "middle", "soft"))
    return _svg(height + 24, title, parts)


def stacked(title: str, rows: Sequence[tuple[str, Sequence[tuple[str, int, str]]]]) -> str:
    """Shares of rows: each part of a row has a name, a count and a class for its colour."""
    left = max(_width(shortened(name)) for name, _ in rows) + 12
    longest = max(sum(count for _, count, _ in parts) for _, parts in rows) or 1
    unit = (WIDTH - left - 44) / longest
    drawn = []
    for number, (name, shares) in enumerate(rows):
        y = number * (_LINE + 2) + 4
        drawn.append(_text(left - 8, y + 16, shortened(name), "end"))
        x = left
        for what, count, kind in shares:
            if count:
                drawn.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{count * unit:.1f}" height="{_LINE - 4}" class="fill {kind}">'
                    f"<title>{escape(name)}, {escape(what)}: {count}</title></rect>"
                )
                x += count * unit
        drawn.append(_text(x + 6, y + 16, str(sum(count for _, count, _ in shares)), "start", "soft"))
    return _svg(len(rows) * (_LINE + 2) + 6, title, drawn)


def lines(
    title: str,
    series: Sequence[Series],
    marks: Sequence[tuple[float, str]] = (),
    band: Sequence[tuple[float, float, float]] = (),
    foot: str = "",
) -> str:
    """Lines over a common axis, each named at its end; `marks` are levels with names, `band` is an interval over x."""
    values = [y for line in series for _, y in line.points] + [level for level, _ in marks]
    values += [end for _, *ends in band for end in ends]
    low, high = min(values), max(values)
    pad = (high - low or 1) * 0.07
    height, left = 190, 42
    named = [line._replace(name=shortened(line.name, 13)) for line in series if line.name]
    right = WIDTH - (max(_width(line.name) for line in named) + 8 if named else 14)
    x = _Scale(0, max(x for line in series for x, _ in line.points), left, right)
    y = _Scale(low - pad, high + pad, height, 8)
    parts = []
    for tick in y.ticks(4):
        parts.append(_rule(left, y(tick), right, y(tick), "axis" if tick == 0 else "grid"))
        parts.append(_text(left - 6, y(tick) + 4, _number(round(tick, 6)), "end", "soft"))
    for tick in x.ticks(5):
        if tick == int(tick):
            parts.append(_text(x(tick), height + 16, _number(tick), "middle", "soft"))
    if band:
        outline = [(x(at), y(upper)) for at, _, upper in band] + [(x(at), y(lower)) for at, lower, _ in reversed(band)]
        parts.append(f'<polygon points="{_path(outline)}" class="band c0"/>')
    for level, name in marks:
        parts.append(_rule(left, y(level), right, y(level), "mark"))
        parts.append(_text(left + 4, y(level) - 5 if level >= 0 else y(level) + 14, name, "start", "soft"))
    for line, place in zip(named, _apart([y(line.points[-1][1]) for line in named], height), strict=True):
        parts.append(_text(right + 6, place + 4, line.name, "start", f"c{line.colour} name"))
    for line in series:
        points = [(x(a), y(b)) for a, b in line.points]
        parts.append(f'<polyline points="{_path(points)}" class="line c{line.colour}"/>')
    if foot:
        parts.append(_text((left + right) / 2, height + 32, foot, "middle", "soft"))
    return _svg(height + (38 if foot else 22), title, parts)


def board(title: str, area: Area, stones: Sequence[tuple[Square, str]]) -> str:
    """A part of a board with stones on it, each with a class for its colour."""
    unit, overhang = 10, 4
    width, height = (area.right - area.left + 1) * unit, (area.top - area.bottom + 1) * unit
    xs = [(number + 0.5) * unit for number in range(area.right - area.left + 1)]
    ys = [(number + 0.5) * unit for number in range(area.top - area.bottom + 1)]
    parts = [_rule(x, ys[0] - overhang, x, ys[-1] + overhang, "grid") for x in xs]
    parts += [_rule(xs[0] - overhang, y, xs[-1] + overhang, y, "grid") for y in ys]
    for square, kind in stones:
        x, y = xs[square.x - area.left], ys[area.top - square.y]
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="4.4" class="fill {kind}"/>')
    return _svg(height, title, parts, width)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _apart(places: Sequence[float], height: float, gap: float = 15) -> list[float]:
    """Moves places apart that lie too close together for texts."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = list(places)
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + gap)
    excess = max([0.0, *(place - height for place in moved)])
    for below, above in pairwise(order[::-1]):
        moved[below] = min(moved[below], height) if excess else moved[below]
        moved[above] = min(moved[above], moved[below] - gap) if excess else moved[above]
    return moved
