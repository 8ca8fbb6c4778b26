"""`tengen agents`: who can play, and with which parameters."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from tengen.cli.common import JsonOption, out, print_json
from tengen.game import TengenError
from tengen.play import AgentKind, agent_kinds


def agents(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Explain this agent; list all if left out.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the agents that can play, or explain one with its parameters."""
    kinds = agent_kinds()
    if name is not None and name not in kinds:
        raise TengenError(f"{name!r} is no agent; there are {', '.join(kinds)}")
    chosen = list(kinds.values()) if name is None else [kinds[name]]
    if json:
        for kind in chosen:
            print_json(_entry(kind))
    elif name is None:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in ("agent", "parameters", "what it does"):
            table.add_column(heading, overflow="fold")
        for kind in chosen:
            entry = _entry(kind)
            parameters = ", ".join(parameter["name"] for parameter in entry.get("parameters", ()))
            table.add_row(kind.name, parameters, entry.get("help", entry.get("problem")))
        out.print(table)
        out.print(
            "\nParameters follow a colon: monte-carlo:seconds=1, minimax:threats,depth=4; "
            "'tengen agents NAME' explains them. Play with: tengen play --against NAME",
        )
    else:
        _explain(chosen[0])


def _entry(kind: AgentKind) -> dict[str, Any]:
    head = {"name": kind.name, "package": kind.package}
    try:
        parameters = [
            {
                "name": parameter.name,
                "type": parameter.type_name,
                "default": parameter.default,
                "required": parameter.is_required,
                "help": parameter.help,
            }
            for parameter in kind.parameters
        ]
        return {**head, "help": kind.help, "parameters": parameters}
    except TengenError as error:  # a package's agent that cannot be loaded must not hide the others
        return {**head, "problem": str(error)}


def _explain(kind: AgentKind) -> None:
    out.print(kind.help)
    for parameter in kind.parameters:
        default = parameter.default
        if parameter.is_required:
            default = "needed"
        elif isinstance(default, bool):
            default = "yes" if default else "no"
        note = "" if default is None else f" ({default})"
        about = f": {parameter.help}" if parameter.help else ""
        out.print(f"  {parameter.name} = {parameter.type_name}{note}{about}")
