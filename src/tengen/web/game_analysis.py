"""A whole game looked over: what each position is worth, and which wins were missed or left open.

Values are kept in the record as SGF's V, from -1 (White wins for sure) to 1 (Black does), faults as BM with the win as
a variation: 2 for a win that was missed, beside the move, 1 for one that was left open, after it.

Faults are those of `arena.audit`, which are proved, and moves that let a win go which the engine had proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tengen.arena.audit import Finding, Question, Verdict, findings_by_move
from tengen.game import BLACK, Position, TengenError
from tengen.play import Budget, Choice, Engine
from tengen.record import Node
from tengen.solve import Control
from tengen.web.document import Document
from tengen.web.tasks import Tell, Work

LENGTH = 12
"""Attacking moves of the longest wins by double threats that are looked for."""
LET_GO = 0.8
"""A win that the engine had proved is gone if it thinks no more than this of the position afterwards."""


def game_analysis(document: Document, node: int, budget: Budget) -> Work:
    """The work of looking over the line through a node, to its end along first variations.

    Raises:
        TengenError: if the node is not there, or a move on the line is illegal.
    """
    with document.lock:
        here = document.tree.node(node)
        path = [*here.path(), *list(here.main_line())[1:]]
        line = [(document.tree.number(one), document.record.position(one)) for one in path]
    end = line[-1][1]

    def work(control: Control, tell: Tell) -> dict[str, Any]:
        engine = Engine()
        values: dict[int, float] = {}
        best: dict[int, Choice] = {}
        findings: list[dict[str, Any]] = []
        found: list[tuple[int, Finding]] = []
        checked = 0

        def known() -> dict[str, Any]:
            done, of = len(values) + checked, len(line) + len(end.turns)
            return {"values": {**values}, "findings": [*findings], "done": done, "of": of}

        for number, position in line:
            if control.stopped:
                break
            if not position.is_over and (choices := engine.analyse(position, budget, control=control)):
                best[number] = choices[0]
            values[number] = _value(position, best.get(number))
            tell(known)
        by_number = {len(position.turns): number for number, position in line}
        for move, faults in findings_by_move(Question("", ("", ""), end), length=LENGTH, control=control):
            checked += 1
            for fault in faults:
                if fault.verdict.is_fault:
                    found.append((by_number[move], fault))
                    findings.append({"node": by_number[move], **fault.as_json()})
            tell(known)
        judged = {number for number, _ in found}
        for number, fault in _wins_let_go(line, values, best):
            if number not in judged:
                found.append((number, fault))
                findings.append({"node": number, **fault.as_json()})
        _keep(document, values, found)
        return known()

    return work


def _value(position: Position, best: Choice | None) -> float:
    """What a position is worth to Black, from -1 to 1."""
    if best is None:
        return 0.0 if position.winner is None else 1.0 if position.winner is BLACK else -1.0
    win = 0.5 if best.win is None else best.win
    return round((2 * win - 1) * (1 if position.turn is BLACK else -1), 4)


def _wins_let_go(
    line: Sequence[tuple[int, Position]], values: Mapping[int, float], best: Mapping[int, Choice]
) -> Iterator[tuple[int, Finding]]:
    """Moves before which the engine had proved a win, of which it sees little after them."""
    for (before, position), (after, later) in pairwise(line):
        if before not in values or after not in values:
            continue
        sign = 1 if position.turn is BLACK else -1
        if values[before] * sign >= 1 and values[after] * sign < LET_GO and before in best:
            turn, played = later.turns[-1]
            win = tuple(best[before].line or (best[before].move,))
            number = len(later.turns)
            yield after, Finding(Verdict.MISSED, number, turn, "", played, position, win, (len(win) + 1) // 2)


def _keep(document: Document, values: dict[int, float], found: list[tuple[int, Finding]]) -> None:
    properties = {number: {"V": [f"{value:g}"]} for number, value in values.items()}
    for number, fault in found:
        known = properties.setdefault(number, {})
        known["BM"] = max(known.get("BM", []), ["2" if fault.verdict is Verdict.MISSED else "1"])
    if not properties:
        return
    with document.lock:
        there = {number: new for number, new in properties.items() if _is_there(document, number)}
        document.annotate(there)
        for number, fault in found:
            if number in there:
                _add_win(document, number, fault)


def _is_there(document: Document, number: int) -> bool:
    try:
        document.tree.node(number)
    except TengenError:
        return False
    return True


def _add_win(document: Document, number: int, fault: Finding) -> None:
    """Puts the win that was missed beside the move, or the one that was left open after it."""
    node = document.tree.node(number)
    start = number if fault.better is not None or node.parent is None else document.tree.number(node.parent)
    turn = document.position(start).turn
    tip: Node | None = None
    first: Node | None = None
    for move in fault.win:
        tip = Node({turn.letter: [str(move)]}, tip)
        first = first or tip
        turn = turn.opponent
    if first is not None:
        document.graft(start, [first], "analysis")
