"""`tengen join`: one proof made of several."""

from __future__ import annotations

from typing import Annotated

import typer

from tengen.cli.common import JsonOption, counted, out, print_json
from tengen.cli.searching import reported_progress
from tengen.prove import join as join_files


def join(
    output: Annotated[str, typer.Argument(metavar="OUT", help="The proof to write.")],
    main: Annotated[str, typer.Argument(metavar="MAIN", help="A proof with open leaves.")],
    parts: Annotated[list[str], typer.Argument(metavar="PART", help="Proofs of positions that it leaves open.")],
    json: JsonOption = False,
) -> None:
    """Fill the open leaves of a proof with other proofs. Exit code: 0 nothing is open any more, 1 something is."""
    with reported_progress("writing the proof") as report:
        nodes, still_open = join_files(output, main, parts, progress=report)
    if json:
        print_json({"file": output, "nodes": nodes, "open": still_open})
    else:
        leaves = counted(still_open, "open leaf", "open leaves")
        out.print(f"wrote {output}: {counted(nodes, 'node')}, {leaves}")
    raise typer.Exit(1 if still_open else 0)
