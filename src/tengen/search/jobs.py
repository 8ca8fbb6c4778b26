"""The jobs that workers run for job-level searches: handlers that are installed where they run, named in `tengen.jobs`.

Each takes a position and the moves that are prohibited in it, and answers with a `Finding`. What is decided carries its
proof.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from tengen.game import Move, Position, TengenError
from tengen.grid import Json, Task
from tengen.play import Budget
from tengen.play.engine import Engine
from tengen.prove import Defence, defend, settle, write_rest, write_solution
from tengen.prove.verifier import REPLY_NODES
from tengen.search.finding import Finding
from tengen.search.values import undecided
from tengen.solve import solve

ENGINE_NODES = 20_000
VERIFIER_NODES = 2_000_000
SOLVER_NODES = 400_000
MAX_OPEN = 60
"""If the verifier leaves so few moves open, they are all told at once, with the proof that the others lose."""
BATCH = 8
"""If the engine gives its best move up and the verifier was cut short, so many moves are told at once."""
_SURE = 0.99
"""From this chance on the engine's win is worth a search for its proof."""


def engine(arguments: Json, task: Task) -> Json:
    """J(n, C): the engine's best move outside C; that all of these lose, by the verifier; that n is won, by the solver.

    Takes `nodes` for the engine, `verifier_nodes`, and `solver_nodes` with `order` for the proof of a win. With
    `max_open` above 0, a loss may leave so many moves open; with `batch` above 1, so many moves that look lost are told
    at once. With 0 and 1 there are sure losses and single moves alone, as in Lin's thesis.

    Raises:
        TengenError: if the arguments make no sense.
    """
    position, prohibited = _question(arguments)
    player = Engine(threads=1, seed=0)
    judgement = player.judge(
        position,
        prohibited,
        Budget(nodes=_count(arguments, "nodes", ENGINE_NODES)),
        verifier_nodes=_count(arguments, "verifier_nodes", VERIFIER_NODES),
        control=task.control,
    )
    choice, defence = judgement.choice, judgement.defence
    nodes = (0 if choice is None else choice.nodes or 0) + (0 if defence is None else defence.nodes)
    if defence is not None and (lost := _lost(defence, arguments, nodes)):
        return lost
    if choice is not None and (choice.win or 0.0) >= _SURE:
        won, spent = _won(position, arguments, task)
        nodes += spent
        if won:
            return Finding("win", proof=won, nodes=nodes).as_json()
    if choice is None:
        return _next_open(defence, arguments, nodes)
    status = undecided(choice.status or judgement.status)
    more = [] if defence is None else [move.move for move in defence.moves if move.move != choice.move]
    batch = _count(arguments, "batch", BATCH) - 1
    return Finding("move", choice.move, status, choice.win, tuple(more[:batch]), nodes=nodes).as_json()


def verifier(arguments: Json, task: Task) -> Json:
    """That every move outside C loses, by the verifier; else the most promising one that it leaves open.

    Takes `order`, `reply_nodes` for each reply, `nodes`, `max_open` and `batch`.

    Raises:
        TengenError: if the arguments make no sense.
    """
    position, prohibited = _question(arguments)
    defence = defend(
        position,
        prohibited=prohibited,
        order=_count(arguments, "order", 2),
        reply_nodes=_count(arguments, "reply_nodes", REPLY_NODES),
        nodes=_count(arguments, "nodes", VERIFIER_NODES),
        control=task.control,
    )
    return _lost(defence, arguments, defence.nodes) or _next_open(defence, arguments, defence.nodes)


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


def _won(position: Position, arguments: Json, task: Task) -> tuple[bytes, int]:
    """The proof of a win of the side to move, empty if none is found, and the nodes that it took."""
    order, nodes = _count(arguments, "order", 2), _count(arguments, "solver_nodes", SOLVER_NODES)
    solution = solve(position, f"order {order}", nodes=nodes, control=task.control)
    if solution.strategy is None:
        return b"", solution.nodes
    return _written(lambda file: write_solution(file, solution)), solution.nodes


def _lost(defence: Defence, arguments: Json, nodes: int) -> Json | None:
    """The loss that the verifier has found; None if it was cut short or leaves too many moves open."""
    most = _count(arguments, "max_open", MAX_OPEN, least=0)
    if defence.result == "unknown" or defence.wins_at_once or len(defence.moves) > most:
        return None
    still_open = tuple(move.move for move in defence.moves)
    left_out = [*defence.prohibited, *still_open]
    proof = _written(lambda file: write_rest(file, defence.position, defence.attacker, defence.replies, left_out))
    return Finding("loss", None, f"{defence.attacker.letter}4", None, still_open, proof, nodes).as_json()


def _next_open(defence: Defence | None, arguments: Json, nodes: int) -> Json:
    """The most promising moves that the verifier leaves open; whoever is to move is in trouble."""
    if defence is None or not defence.moves:
        return Finding("nothing", nodes=nodes).as_json()
    status = f"{defence.attacker.letter}4"
    first, *more = [move.move for move in defence.moves[: _count(arguments, "batch", BATCH)]]
    return Finding("move", first, status, None, tuple(more), nodes=nodes).as_json()


def _written(write: Callable[[Any], object]) -> bytes:
    file = BytesIO()
    write(file)
    return file.getvalue()
