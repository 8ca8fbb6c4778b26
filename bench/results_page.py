"""The page with our figures beside those of the documents, made from what `reproduce.py` kept."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from experiments import Document, Experiment
from figures import Figure, Plot, Verdict

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
VERDICTS = {
    Verdict.MET: "the same result",
    Verdict.BETTER: "the same task for less; the machines differ too",
    Verdict.WORSE: "the same task, or as near as it can be had, and ours falls short",
    Verdict.DIFFERENT: "the task could be repeated only in a part or in another way; the section says what compares",
}


@dataclass(frozen=True)
class Found:
    """What an experiment gave, if it has been run."""

    experiment: Experiment
    kept: dict[str, Any] | None

    @property
    def figures(self) -> list[Figure]:
        return [] if self.kept is None else self.experiment.figures(self.kept["lines"])

    @property
    def plots(self) -> list[Plot]:
        return [] if self.kept is None else self.experiment.plots(self.kept["lines"])


def write_page(experiments: Sequence[Experiment], results: Path, *, is_quick: bool) -> Path:
    """Writes index.md and its pictures beside the kept results; says which experiments are still to be run."""
    files = {one.name: results / f"{one.name}.json" for one in experiments}
    found = [Found(one, _read(files[one.name])) for one in experiments]
    documents = list(dict.fromkeys(one.document for one in experiments))
    parts = [*_introduction(found, documents, is_quick), *_summary(found), *_missing(documents)]
    for document, group in groupby(found, lambda one: one.experiment.document):
        parts.append(f"## {document.name}\n")
        for one in group:
            parts.append(f"### {one.experiment.title}\n")
            parts += ["Not run yet.\n"] if one.kept is None else _section(one, one.kept, results)
    page = results / "index.md"
    page.write_text("\n".join(parts))
    return page


def _read(file: Path) -> dict[str, Any] | None:
    if not file.exists():
        return None
    kept: dict[str, Any] = json.loads(file.read_text())
    return kept


def _introduction(found: list[Found], documents: list[Document], is_quick: bool) -> list[str]:
    run = [one.kept for one in found if one.kept is not None]
    machines = " and ".join(dict.fromkeys(kept["machine"] for kept in run)) or "nothing yet"
    dates = sorted({kept["date"] for kept in run})
    when = f", {dates[0]}" + (f" to {dates[-1]}" if len(dates) > 1 else "") if dates else ""
    hours = sum(kept["seconds"] for kept in run) / 3600
    return [
        "# Results\n",
        "Every number of the documents that Tengen is built from, as far as it can be repeated, with ours beside it. "
        f"This page is made by `make reproduce`{' QUICK=1, in a small version' if is_quick else ''}; do not edit it.\n",
        f"**Measured on** {machines}{when}; the machine also did other work. {len(run)} of {len(found)} experiments "
        f"have been run, in {hours:.1f} hours. The figures of each are kept beside this page in a JSON file.\n",
        "**To repeat it:** `make reproduce` (hours; ended and begun again, it goes on where it was), `make reproduce "
        "QUICK=1` (small versions, in minutes), `python bench/reproduce.py NAME` (one; `--list` has the names). "
        "Experiments on real games need those beside the checkout, and are left out without them.\n",
        "**The documents:**\n",
        *(f"- *{one.name}*: {one.about}." for one in documents),
        "",
    ]


def _summary(found: list[Found]) -> list[str]:
    table = ["| figure | reported | here | verdict |", "| --- | --- | --- | --- |"]
    for one in found:
        link = f"[{one.experiment.title}](#{_anchor(one.experiment.title)})"
        reported = [figure for figure in one.figures if figure.reported and not figure.is_detail]
        if reported:
            table.append(f"| **{link}** | | | |")
        table += [f"| {_cells(f.what, f.reported, f.here, f.verdict or '')} |" for f in reported]
    meanings = [f"- *{verdict}*: {meaning}." for verdict, meaning in VERDICTS.items()]
    return ["## Summary\n", *table, "", *meanings, ""]


def _missing(documents: list[Document]) -> list[str]:
    table = ["| document | what | why not |", "| --- | --- | --- |"]
    for document in documents:
        table += [f"| {_cells(document.name, what, reason)} |" for what, reason in document.missing]
    return ["## What could not be repeated\n", *table, ""]


def _section(one: Found, kept: dict[str, Any], results: Path) -> list[str]:
    figures = one.figures
    if any(figure.reported for figure in figures):
        table = ["| | reported | here | verdict |", "| --- | --- | --- | --- |"]
        table += [f"| {_cells(f.what, f.reported or '–', f.here, f.verdict or '–')} |" for f in figures]
    else:
        table = ["| | here |", "| --- | --- |", *(f"| {_cells(f.what, f.here)} |" for f in figures)]
    pictures = []
    for count, (title, foot, curves) in enumerate(one.plots):
        picture = results / f"{one.experiment.name}-{count}.svg"
        series = [Series(name, points, colour % 8) for colour, (name, points) in enumerate(curves)]
        start, rest = lines(title, series, foot=foot).split(">", 1)
        picture.write_text(f'{start} xmlns="http://www.w3.org/2000/svg">{STYLE}{rest}\n')
        pictures.append(f"![{title}]({picture.name})\n")
    remark = [one.experiment.remark + "\n"] if one.experiment.remark else []
    how = f"`{kept['command']}`; {kept['seconds']:,.0f} s on {kept['date']}, {kept['machine']}.\n"
    return [*table, "", *pictures, *remark, how]


def _cells(*texts: str) -> str:
    return " | ".join(text.replace("|", "\\|") for text in texts)


def _anchor(title: str) -> str:
    """What a heading is called in links, here and in the pages made of this."""
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())
