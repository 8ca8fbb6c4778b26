"""`tengen check`: is a proof file right?"""

from __future__ import annotations

import sys
from dataclasses import asdict
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import Annotated

import typer

from tengen.cli.common import JsonOption, out, print_json
from tengen.cli.searching import CORES, reported_progress
from tengen.game import TengenError
from tengen.prove import NoProofError, Verdict
from tengen.prove import check as check_file

_SHOWN_LEAVES = 20


def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Proofs (.tpf) or breakers' strategies (.tbs); - for standard input."),
    ],
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=256, help="Processes for one file.")] = CORES,
    json: JsonOption = False,
) -> None:
    """Check proofs and breakers' strategies. Exit code: 0 all accepted, 1 one refused. With --json an object a file."""
    refused = False
    for name in files:
        if name == "-":
            with NamedTemporaryFile() as copy:  # a proof is read twice
                copyfileobj(sys.stdin.buffer, copy)
                copy.flush()
                verdict = _checked(copy.name, jobs, "standard input")
        else:
            verdict = _checked(name, jobs, name)
        refused |= not verdict.accepted
        if json:
            print_json({"file": name, **asdict(verdict), "seconds": round(verdict.seconds, 6)})
        else:
            _print(name, verdict)
    raise typer.Exit(1 if refused else 0)


def _checked(path: str, jobs: int, name: str) -> Verdict:
    with reported_progress("nodes") as report:
        try:
            return check_file(path, jobs=jobs, progress=report)
        except NoProofError as error:
            raise TengenError(str(error).replace(path, name)) from error


def _print(name: str, verdict: Verdict) -> None:
    figures = f"{verdict.nodes:,} nodes, {verdict.seconds:.1f} s"
    if verdict.accepted:
        out.print(f"{name}: accepted ({figures})", style="bold", soft_wrap=True)
        out.print(f"  {verdict.claim}", soft_wrap=True)
        if verdict.zones:
            sizes = ", ".join("every square" if zone is None else str(len(zone)) for zone in verdict.zones)
            out.print(f"  squares of the zones Z1, Z2, Z3: {sizes}")
        if verdict.holds_on_infinite_board:
            out.print("  it holds on the infinite board")
        return
    out.print(f"{name}: refused ({figures})", style="bold red", soft_wrap=True)
    out.print(f"  {verdict.reason}", soft_wrap=True)
    if verdict.node is not None:
        out.print(f"  at node {verdict.node}: {' '.join(verdict.line) or 'the first position'}", soft_wrap=True)
    for leaf in verdict.open_leaves[:_SHOWN_LEAVES]:
        out.print(f"  open: {leaf}", soft_wrap=True)
    if len(verdict.open_leaves) > _SHOWN_LEAVES:
        out.print("  … (--json lists more)")
