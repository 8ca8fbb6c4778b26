"""Checks a proof file from its first line to its last."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tengen.prove.checker.board import Board
from tengen.prove.checker.breaker import check_breaker
from tengen.prove.checker.file import Survey, body, whole_if_breaker
from tengen.prove.checker.hold import HoldWalk
from tengen.prove.checker.text import NUMBER, REPLY, Refused
from tengen.prove.checker.win import WinWalk

MAX_LEAVES = 1_000
MAX_LEAF_LETTERS = 1_000_000
_BETWEEN_REPORTS = 1024


@dataclass(frozen=True)
class Verdict:
    """What a check found."""

    accepted: bool
    reason: str | None
    """Why it was refused."""
    node: int | None
    """At which node it was refused: the number of its line in the body, from 1."""
    line: tuple[str, ...]
    """The moves of both sides that lead there."""
    claim: str
    """The claim in words."""
    nodes: int
    zones: tuple[tuple[str, ...] | None, ...] = ()
    """Of an accepted win: the zones Z1, Z2, Z3 of the first position, None for every square of the infinite board."""
    holds_on_infinite_board: bool = False
    open_leaves: tuple[str, ...] = ()
    """The positions whose proofs are left to other files, at most 1,000 of them."""
    seconds: float = 0.0


def check(path: str | Path, *, progress: Callable[[int, int], object] | None = None) -> Verdict:
    """Checks a proof file, or a file with a breaker's strategy, compressed or not.

    Args:
        path: the file.
        progress: called now and then with the nodes done and the nodes in all.

    Raises:
        NoProofError: if it is no proof file.
        OSError: if it cannot be read.
    """
    start = time.perf_counter()
    content = None
    try:
        content = whole_if_breaker(path)
        if content is not None:
            shown = check_breaker(content, progress)
            seconds = time.perf_counter() - start
            return Verdict(True, None, None, (), shown.words, shown.parts, (), True, seconds=seconds)
    except Refused as refusal:
        claim = "a breaker's strategy" if content is not None else ""
        return Verdict(False, str(refusal), None, (), claim, 0, seconds=time.perf_counter() - start)
    walk: WinWalk | HoldWalk | None = None
    claim, nodes, number = "", 0, 0
    leaves: tuple[str, ...] = ()
    try:
        survey = Survey(path)
        header, nodes, claim = survey.header, survey.nodes, survey.header.claim_in_words
        board = survey.board()
        if survey.open:
            leaves = tuple(_open_leaves(path, survey, board))
            first_leaf = leaves[0] if leaves else "damaged"
            raise Refused(f"{survey.open} positions are left to other files; the first is {first_leaf}")
        if header.claim == "win":
            walk = WinWalk(board, header, survey.referenced)
        else:
            walk = HoldWalk(board, header, "black" if header.claim == "draw" else header.attacker, survey.referenced)
        halves = 2 if header.claim == "draw" else 1
        for number, text in body(path):
            if halves == 2 and number > 1 and text.startswith("0 "):
                halves = 1
                walk.finish()
                walk = HoldWalk(board, header, "white", survey.referenced)
            walk.feed(number, text)
            if progress is not None and number % _BETWEEN_REPORTS == 0:
                progress(number, nodes)
        if halves == 2:
            raise Refused("the second half of the draw is missing")
        walk.finish()
    except Refused as refusal:
        node, line = (None, ()) if walk is None else walk.where(number)
        seconds = time.perf_counter() - start
        return Verdict(False, str(refusal), node, line, claim, nodes, open_leaves=leaves, seconds=seconds)
    return accepted(survey, board, walk, start)


def accepted(survey: Survey, board: Board, walk: WinWalk | HoldWalk, start: float) -> Verdict:
    """The verdict on a proof that was walked through to its end."""
    zones: tuple[tuple[str, ...] | None, ...] = ()
    holds = False
    if isinstance(walk, WinWalk):
        is_endless = [board.infinite and zone & board.beyond for zone in walk.zones]
        zones = tuple(
            None if endless else board.names_of(board.in_plain(zone))
            for endless, zone in zip(is_endless, walk.zones, strict=True)
        )
        holds = board.infinite or walk.stays_inside
    seconds = time.perf_counter() - start
    return Verdict(True, None, None, (), survey.header.claim_in_words, survey.nodes, zones, holds, seconds=seconds)


def _open_leaves(path: str | Path, survey: Survey, board: Board) -> Iterator[str]:
    """The positions that are left to other files, as text; not more than anybody would read."""
    header = survey.header
    first = header.sides(board, header.attacker)
    after = [] if header.turn == header.attacker else [first]  # by depth, the stones after the node's move
    shown = letters = 0
    for number, text in body(path):
        words = text.split(" ")
        if header.claim != "win" or len(words) != 3 or not NUMBER.fullmatch(words[0]) or int(words[0]) > len(after):
            raise Refused(f"line {number} of the body is not written as it must be")
        del after[int(words[0]) :]
        own, other = after[-1] if after else first
        reply = REPLY.fullmatch(words[1])
        if reply is None:
            raise Refused(f"line {number} of the body is not written as it must be")
        other |= board.parse(reply[2] or "-")[0] & board.plain
        if words[2] == "?":
            sides = (own, other) if header.attacker == "black" else (other, own)
            stones = " ".join(
                " ".join([f"{letter}:", *board.names_of(side)]) for letter, side in zip("BW", sides, strict=True)
            )
            yield f"{header.game} {stones} to move: {header.attacker[0].upper()}"
            shown, letters = shown + 1, letters + len(stones)
            if shown == MAX_LEAVES or letters > MAX_LEAF_LETTERS:
                return
        elif "=" not in words[2]:
            after.append((own | board.parse(words[2])[0] & board.plain, other))
