"""The page with our figures beside those of the documents, made from what `reproduce.py` kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from experiments import Experiment

from tengen.arena.plots import Series, lines

STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #333 } text.soft { fill: #666; font-size: 11px }
.grid { stroke: #ddd } .axis { stroke: #999 } .line { fill: none; stroke: var(--own); stroke-width: 2 }
text.name { fill: var(--own); font-weight: 600 }
.c0 { --own: #a45f27 } .c1 { --own: #2b6c99 } .c2 { --own: #2f7d5b } .c3 { --own: #8a4a8f }
.c4 { --own: #b3453a } .c5 { --own: #5d6b1f } .c6 { --own: #3d5a80 } .c7 { --own: #7a5c3e }
@media (prefers-color-scheme: dark) {
svg { background: #fdfbf7 } }
</style>"""


def write_page(experiments: Sequence[Experiment], results: Path, *, is_quick: bool) -> Path:
    """Writes index.md and its pictures beside the kept results; says which experiments are still to be run."""
    parts = [
        "# Results\n",
        "What the documents report, and ours beside it. This page is made by `make reproduce`"
        f"{' QUICK=1, in a small version' if is_quick else ''}; do not edit it.\n",
    ]
    for document, group in groupby(experiments, lambda experiment: experiment.document):
        parts.append(f"## {document}\n")
        for experiment in group:
            file = results / f"{experiment.name}.json"
            parts.append(f"### {experiment.title}\n")
            parts += _section(experiment, file, results) if file.exists() else ["Not run yet.\n"]
    page = results / "index.md"
    page.write_text("\n".join(parts))
    return page


def _section(experiment: Experiment, file: Path, results: Path) -> list[str]:
    found: dict[str, Any] = json.loads(file.read_text())
    table = ["| | reported | here |", "| --- | --- | --- |"]
    table += [f"| {' | '.join(_cell(text) for text in row)} |" for row in found["rows"]]
    pictures = []
    for count, (title, foot, curves) in enumerate(found["plots"]):
        picture = results / f"{experiment.name}-{count}.svg"
        series = [Series(name, points, colour % 8) for colour, (name, points) in enumerate(curves)]
        drawn = lines(title, series, foot=foot)
        start, rest = drawn.split(">", 1)
        picture.write_text(f'{start} xmlns="http://www.w3.org/2000/svg">{STYLE}{rest}\n')
        pictures.append(f"![{title}]({picture.name})\n")
    how = f"`{found['command']}`; {found['seconds']:,.0f} s on {found['date']}, {found['machine']}.\n"
    return [*table, "", *pictures, *([experiment.remark + "\n"] if experiment.remark else []), how]


def _cell(text: str) -> str:
    return text.replace("|", "\\|") or "–"
