"""The engine's look at a second move, as a job: which third moves are sensible, and how good are they?"""

from __future__ import annotations

from tengen.game import Position, TengenError
from tengen.grid import Json, Task
from tengen.play import Budget
from tengen.play.engine import Engine

KIND = "opening"
LOOK_NODES = 2_000
LINES = 8


def look(arguments: Json, task: Task) -> Json:
    """The best moves in a `position` with the chance of each for the side to move. Takes `nodes` and `lines`.

    Raises:
        TengenError: if the arguments make no sense.
    """
    text, nodes, lines = arguments.get("position"), arguments.get("nodes", LOOK_NODES), arguments.get("lines", LINES)
    if not isinstance(text, str) or type(nodes) is not int or type(lines) is not int:
        raise TengenError("a look needs a position, and numbers of nodes and lines")
    found = Engine(threads=1, seed=0).analyse(
        Position.parse(text), Budget(nodes=nodes), lines=lines, control=task.control
    )
    return {"moves": [[str(choice.move), choice.win] for choice in found], "nodes": nodes}
