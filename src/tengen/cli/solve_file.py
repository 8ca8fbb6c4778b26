"""`tengen solve --file`: every position of a file solved, or where its games miss a win."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import typer

from tengen.cli.common import EXIT_BAD_INPUT, counted, out, print_json, standard_input
from tengen.cli.searching import progress_bar
from tengen.game import Colour, Game, Move, Position, TengenError
from tengen.prove.checker.processes import answers_in_order
from tengen.record import RecordError, read_text, recognise
from tengen.record.files import decode, position_lines, read_bytes
from tengen.solve import Solution

Search = Callable[..., Solution]
"""Solves a position, with the options that were given; keywords override them."""


def solve_file(name: str, game: Game | None, search: Search, side: Colour | None, jobs: int, json: bool) -> None:
    """Answers for each position line, or for each game; `-` is standard input.

    Raises:
        Exit: with the code for bad input, if a line could not be read; the others are answered all the same.
        TengenError: if a record could not be read, or there is nothing in the file.
        OSError: if the file cannot be read, or a process was killed.
    """
    text = standard_input() if name == "-" else decode(read_bytes(name))
    format = recognise(text)
    try:
        if format is not None:
            work: Callable[[Any], dict[str, Any]] = partial(_missed_win, search, side)
            show, what = _print_missed, "games"
            items: list[Any] = [
                (record.root.get("GN") or record.root.get("EV"), str(record.position()))
                for record in read_text(text, format.name, game)
            ]
        else:
            work = partial(_solve_line, search, game)
            show, what = _print_line, "positions"
            items = list(position_lines(text).values())
    except TengenError as error:
        raise RecordError(f"{name}: {error}") from error
    if not items:
        raise RecordError(f"{name}: there is neither a position nor a game in it")
    failed = False
    with progress_bar(is_wanted=not (json and out.is_terminal)) as bar:  # which would break the lines of JSON
        task = bar.add_task(what, total=len(items))
        for number, answer in enumerate(answers_in_order(work, items, jobs), 1):
            bar.advance(task)
            failed |= "error" in answer
            if json:
                print_json({"number": number, **answer})
            else:
                show(number, answer)
    if failed:
        raise typer.Exit(EXIT_BAD_INPUT)


def _solve_line(search: Search, game: Game | None, line: str) -> dict[str, Any]:
    try:
        return search(Position.parse(line, game)).as_json()
    except TengenError as error:
        return {"result": "unknown", "error": str(error), "position": line.strip()}


def _missed_win(search: Search, side: Colour | None, game: tuple[str | None, str]) -> dict[str, Any]:
    """The first move of a game, given as its name and final position, that lets go of a forced win."""
    name, text = game
    played = Position.parse(text)
    answer: dict[str, Any] = {"game": name, "moves": len(played.turns), "missed": None, "undecided": 0}
    for number, (position, (colour, move)) in enumerate(played.replay(), 1):
        if side in (None, colour):
            solution = search(position)
            if solution.strategy is None:
                answer["undecided"] += solution.result != "none"
            elif (wins := _still_wins(search, position, move)) is None:
                answer["undecided"] += 1
            elif not wins:
                found = solution.as_json()
                kept_keys = ("attacker_moves", "first_move", "line", "position")
                answer["missed"] = {
                    "move": number,
                    "side": str(colour),
                    "played": str(move),
                    **{key: found[key] for key in kept_keys},
                }
                break
    return answer


def _still_wins(search: Search, position: Position, move: Move) -> bool | None:
    """Whether there is a win that begins with the move; None if that is not known."""
    kept = search(position, first=move, method="traditional", shortest=False, all_moves=False)
    if kept.result == "none" and not kept.is_exhaustive:
        return None  # what the search left out may still win
    return {"win": True, "none": False}.get(kept.result)


def _print_line(number: int, answer: dict[str, Any]) -> None:
    if "error" in answer:
        out.print(f"{number}: {answer['error']}", style="red")
        return
    detail = f" in {answer['attacker_moves']}: {answer['first_move']}" if answer["first_move"] is not None else ""
    out.print(
        f"{number}: {answer['result']}{detail} ({counted(answer['nodes'], 'node')}, {answer['seconds']:.3f} s)",
    )


def _print_missed(number: int, answer: dict[str, Any]) -> None:
    name = f" {answer['game']}" if answer["game"] else ""
    if answer["missed"] is None:
        undecided = f", {counted(answer['undecided'], 'position')} undecided" if answer["undecided"] else ""
        out.print(f"{number}{name}: no win missed{undecided}")
    else:
        missed = answer["missed"]
        out.print(
            f"{number}{name}: move {missed['move']}, {missed['side']} played {missed['played']} but "
            f"{missed['first_move']} wins in {missed['attacker_moves']}",
        )
