"""The jobs that workers run for job-level searches: handlers that are installed where they run, named in `tengen.jobs`.

Each takes a position and the moves that are prohibited in it, and answers with a `Finding`. What is decided carries its
proof.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from tengen.game import BLACK, Move, Position, TengenError
from tengen.grid import Json, Task
from tengen.play import Budget
from tengen.play.engine import LEVELS, Engine
from tengen.prove import Defence, defend, settle, write_rest, write_solution
from tengen.search.finding import Finding
from tengen.search.values import undecided
from tengen.solve import solve

ENGINE_NODES = 20_000
VERIFIER_NODES = 2_000_000
SOLVER_NODES = 400_000
MAX_OPEN = 60
"""If the verifier leaves so few moves open, they are all told at once, with the proof that the others lose."""
BATCH = 8
"""If the verifier, asked alone, is cut short, so many moves are told at once."""
LINES = 3
"""So many moves are told at once."""
HOPE, FEAR = 0.5, 0.5
"""From which chance on a win is worth a search for its proof, and up to which a loss is."""
REPLY_NODES = 2_000
"""What the verifier may spend on one move. Little: better a few moves stay open than that it ends halfway."""
GROWTH = 8
"""So many more moves at most are told of a node that has needed many."""
_DOUBTS = 2
"""If a node has needed more moves than these, the engine may be wrong about it."""
AS_IN_THESIS: dict[str, int | float] = {"lines": 1, "grows": 0, "max_open": 0, "hope": 0.99, "fear": 0.01}
"""Options with which a job tells one move at a time, or that all lose."""


def engine(arguments: Json, task: Task) -> Json:
    """J(n, C): the engine's best moves outside C; that all of them lose, by the verifier; that n is won, by the solver.

    Takes `nodes` and `level` for the engine, `verifier_nodes` and `reply_nodes` for the verifier, `solver_nodes` and
    `order` for the proof of a win. The solver is asked if the engine gives the side to move a chance of `hope` or
    better, the verifier if it gives it `fear` or less. With `max_open` above 0, a loss may leave so many moves open.
    `lines` moves are told at once, of those that the engine thinks the same of and of those that the verifier, cut
    short, has not refuted. A node that needs many moves gets more of them at once: as many again as are in C, up to
    `grows`, from a verifier with as many times more nodes, who is asked whatever the engine thinks. See `AS_IN_THESIS`
    for sure losses and single moves alone.

    Raises:
        TengenError: if the arguments make no sense.
    """
    position, prohibited = _question(arguments)
    hope, fear = _share(arguments, "hope", HOPE), _share(arguments, "fear", FEAR)
    growth = min(len(prohibited), _count(arguments, "grows", GROWTH, least=0))
    lines = _count(arguments, "lines", LINES) + growth
    choices = Engine(level=_count(arguments, "level", LEVELS), threads=1, seed=0).analyse(
        position,
        Budget(nodes=_count(arguments, "nodes", ENGINE_NODES)),
        lines=lines,
        prohibited=prohibited,
        control=task.control,
    )
    chance = (choices[0].win or 0.0) if choices else 0.0
    nodes = (choices[0].nodes or 0) if choices else 0
    if choices and chance >= hope:
        won, spent = _won(position, arguments, task)
        nodes += spent
        if won:
            return Finding("win", proof=won, nodes=nodes).as_json()
    status = undecided(choices[0].status or "stable") if choices else f"{position.turn.opponent.letter}4"
    moves = [choice.move for choice in choices if undecided(choice.status or "stable") == status]
    is_in_danger = chance <= fear or growth > _DOUBTS
    if is_in_danger and not (position.game.maker_breaker and position.turn is BLACK):  # the breaker attacks nobody
        limit = _count(arguments, "verifier_nodes", VERIFIER_NODES) * (1 + growth)
        defence = _defence(position, prohibited, arguments, task, limit)
        nodes += defence.nodes
        if lost := _lost(defence, arguments, nodes, status):
            return lost
        unrefuted = [move.move for move in defence.moves if move.move not in moves]
        moves += unrefuted[: max(0, lines - len(moves))]
    if not moves:
        return Finding("nothing", nodes=nodes).as_json()
    likely = choices[0].win if choices else None
    return Finding("move", moves[0], status, likely, tuple(moves[1:]), nodes=nodes).as_json()


def verifier(arguments: Json, task: Task) -> Json:
    """That every move outside C loses, by the verifier; else the most promising one that it leaves open.

    Takes `order`, `reply_nodes` for each reply, `nodes`, `max_open` and `batch`.

    Raises:
        TengenError: if the arguments make no sense.
    """
    position, prohibited = _question(arguments)
    defence = _defence(position, prohibited, arguments, task, _count(arguments, "nodes", VERIFIER_NODES))
    status = f"{defence.attacker.letter}4"
    if lost := _lost(defence, arguments, defence.nodes, status):
        return lost
    if not defence.moves:
        return Finding("nothing", nodes=defence.nodes).as_json()
    first, *more = [move.move for move in defence.moves[: _count(arguments, "batch", BATCH)]]
    return Finding("move", first, status, None, tuple(more), nodes=defence.nodes).as_json()


def lambda_proof(arguments: Json, task: Task) -> Json:
    """A win of the side to move of a lambda order, quiet moves included from order 3 on; nothing if none is found.

    Takes `order` and `solver_nodes`.

    Raises:
        TengenError: if the arguments make no sense.
    """
    position, _ = _question(arguments)
    won, nodes = _won(position, {"order": 3, **arguments}, task)
    return (Finding("win", proof=won, nodes=nodes) if won else Finding("nothing", nodes=nodes)).as_json()


def settlement(arguments: Json, task: Task) -> Json:
    """The value of a position on a small board, by the plain solver. Takes `nodes`.

    Raises:
        TengenError: if the arguments make no sense.
    """
    position, _ = _question(arguments)
    found = settle(position, nodes=_count(arguments, "nodes", VERIFIER_NODES), stop=lambda: task.is_aborted)
    if found.value == "unknown" or found.missing is not None:
        return Finding("nothing", nodes=found.nodes).as_json()
    return Finding(found.value, proof=_written(found.write_proof), nodes=found.nodes).as_json()


def _question(arguments: Json) -> tuple[Position, list[Move]]:
    text, prohibited = arguments.get("position"), arguments.get("prohibited", [])
    if not isinstance(text, str) or not isinstance(prohibited, list):
        raise TengenError("a job needs a position, and a list of the moves that are prohibited")
    position = Position.parse(text)
    moves = [Move.parse(str(move)) for move in prohibited]
    for move in moves:
        if not position.is_legal(move):
            raise TengenError(f"{move} is no legal move in {position}")
    return position, moves


def _count(arguments: Json, name: str, default: int, *, least: int = 1) -> int:
    number = arguments.get(name, default)
    if type(number) is not int or not least <= number < 1 << 62:
        raise TengenError(f"{name} must be a whole number from {least} on, not {number!r}")
    return number


def _share(arguments: Json, name: str, default: float) -> float:
    share = arguments.get(name, default)
    if type(share) not in (int, float) or not 0 <= share <= 1:
        raise TengenError(f"{name} must be a number from 0 to 1, not {share!r}")
    return float(share)


def _won(position: Position, arguments: Json, task: Task) -> tuple[bytes, int]:
    """The proof of a win of the side to move, empty if none is found, and the nodes that it took."""
    order, nodes = _count(arguments, "order", 2), _count(arguments, "solver_nodes", SOLVER_NODES)
    solution = solve(position, f"order {order}", nodes=nodes, control=task.control)
    if solution.strategy is None:
        return b"", solution.nodes
    return _written(lambda file: write_solution(file, solution)), solution.nodes


def _defence(position: Position, prohibited: list[Move], arguments: Json, task: Task, nodes: int) -> Defence:
    return defend(
        position,
        prohibited=prohibited,
        order=_count(arguments, "order", 2),
        reply_nodes=_count(arguments, "reply_nodes", REPLY_NODES),
        nodes=nodes,
        control=task.control,
    )


def _lost(defence: Defence, arguments: Json, nodes: int, status: str) -> Json | None:
    """The loss that the verifier has found; None if it was cut short or leaves too many moves open."""
    most = _count(arguments, "max_open", MAX_OPEN, least=0)
    if defence.result == "unknown" or defence.wins_at_once or len(defence.moves) > most:
        return None
    still_open = tuple(move.move for move in defence.moves)
    left_out = [*defence.prohibited, *still_open]
    proof = _written(lambda file: write_rest(file, defence.position, defence.attacker, defence.replies, left_out))
    return Finding("loss", None, status, None, still_open, proof, nodes).as_json()


def _written(write: Callable[[Any], object]) -> bytes:
    file = BytesIO()
    write(file)
    return file.getvalue()
