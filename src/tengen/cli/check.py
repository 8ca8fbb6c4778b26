"""`tengen check`: is a proof file right?"""

from __future__ import annotations

import sys
from dataclasses import asdict
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import Annotated

import typer

from tengen.cli.common import EXIT_BAD_INPUT, EXIT_FILE_TROUBLE, JsonOption, counted, err, out, print_json, trouble
from tengen.cli.searching import CORES, reported_progress
from tengen.prove import NoProofError, Verdict
from tengen.prove import check as check_file

_SHOWN_LEAVES = 20
_EXIT_REFUSED = 1


def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Proofs (.tpf) or breakers' strategies (.tbs); - for standard input."),
    ],
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=256, help="Processes for one file.")] = CORES,
    json: JsonOption = False,
) -> None:
    """Check proofs and breakers' strategies. Exit code: 0 all accepted, 1 one refused, else the worst that happened.

    With --json an object a file; one that is no proof, or cannot be read, has an "error" and is not accepted.
    """
    worst = 0
    for name in files:
        try:
            verdict = _judged(name, jobs)
        except (NoProofError, OSError) as error:  # the other files have a right to a verdict
            worst = max(worst, EXIT_FILE_TROUBLE if isinstance(error, OSError) else EXIT_BAD_INPUT)
            reason = trouble(error) if isinstance(error, OSError) else str(error)
            if json:
                print_json({"file": name, "accepted": False, "error": reason})
            err.print(f"tengen: {reason}", style="red")
            continue
        worst = max(worst, 0 if verdict.accepted else _EXIT_REFUSED)
        if json:
            print_json({"file": name, **asdict(verdict), "seconds": round(verdict.seconds, 6)})
        else:
            _print(name, verdict)
    raise typer.Exit(worst)


def _judged(name: str, jobs: int) -> Verdict:
    if name != "-":
        return _checked(name, jobs)
    with NamedTemporaryFile() as copy:  # a proof is read twice
        copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        try:
            return _checked(copy.name, jobs)
        except NoProofError as error:
            raise NoProofError(str(error).replace(copy.name, "standard input")) from error


def _checked(path: str, jobs: int) -> Verdict:
    with reported_progress("nodes") as report:
        return check_file(path, jobs=jobs, progress=report)


def _print(name: str, verdict: Verdict) -> None:
    figures = f"{counted(verdict.nodes, 'node')}, {verdict.seconds:.1f} s"
    if verdict.accepted:
        out.print(f"{name}: accepted ({figures})", style="bold")
        out.print(f"  {verdict.claim}")
        if verdict.zones:
            sizes = ", ".join("every square" if zone is None else str(len(zone)) for zone in verdict.zones)
            out.print(f"  squares of the zones Z1, Z2, Z3: {sizes}")
        if verdict.holds_on_infinite_board:
            out.print("  it holds on the infinite board")
        return
    out.print(f"{name}: refused ({figures})", style="bold red")
    out.print(f"  {verdict.reason}")
    if verdict.node is not None:
        out.print(f"  at node {verdict.node}: {' '.join(verdict.line) or 'the first position'}")
    for leaf in verdict.open_leaves[:_SHOWN_LEAVES]:
        out.print(f"  open: {leaf}")
    if len(verdict.open_leaves) > _SHOWN_LEAVES:
        out.print("  … (--json lists more)")
