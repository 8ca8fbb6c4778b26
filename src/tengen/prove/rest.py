"""Proofs that every move of the defender loses but for some, which are left to others.

Such a proof is an ordinary proof of a win in which the moves that are left out are open leaves. No zone of theirs
decides which other replies must be answered, since only replies with passes do that; so everything else in it can be
judged before anybody knows whether they lose.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from tengen.game import Colour, Move, Position
from tengen.prove.checker.board import Board
from tengen.prove.checker.file import Header, Survey, body
from tengen.prove.checker.text import Refused
from tengen.prove.checker.win import Node, WinWalk
from tengen.prove.checking import telling_no_proof
from tengen.prove.tree import Tree, set_of, tree_of
from tengen.prove.writer import Progress, Report, Target, WinWriter, board_for, header_of, writing

Replies = Sequence[tuple[Any, int, Any]]
"""Stones, how many were passed or `tree.MACRO`, the strategy against them: as the verifier tells them."""


class _RestWalk(WinWalk):
    """Judges a win in which the first replies that are left out need no answer."""

    def __init__(self, board: Board, header: Header, referenced: set[int], left_out: set[int]) -> None:
        super().__init__(board, header, referenced)
        self.left_out = left_out

    def feed(self, number: int, text: str) -> None:
        if not text.endswith(" ?"):
            super().feed(number, text)
            return
        depth, (_, reply, _) = self.enter(number, text, 3)
        is_first_reply = depth == 1 and not self.attacker_moves
        stones, macro = self.reply(self.path[0], reply) if is_first_reply else (0, False)
        left_open = stones & self.board.plain
        if macro or left_open not in self.left_out or left_open.bit_count() != self.left:
            raise Refused(f"the reply {reply[:40]} is left open")
        self.deliver(Node(number, reply, "?", 0, 0, replied=left_open), (0, 0, 0))


def write_rest(
    target: Target,
    position: Position,
    attacker: Colour,
    replies: Replies,
    left_out: Collection[Move] = (),
    *,
    progress: Report | None = None,
) -> int:
    """Writes a proof that the side to move loses with every move but some; returns the number of its nodes.

    Args:
        target: the name of the file, or an open binary file.
        position: the first position; the attacker is not to move.
        attacker: who wins.
        replies: how.
        left_out: the moves that are left to others; they become open leaves where nothing else answers them.
        progress: called now and then with the parts of the strategy that are dealt with, and all of them.

    Raises:
        TengenError: if the strategy is not complete, or wrong. Nothing is written then.
        OSError: if the file cannot be written.
    """
    header = header_of(position, "win", attacker)
    board = board_for(header, _squares(replies, left_out) if position.game.is_infinite else ())
    answered = tree_of(((), replies), lambda part: part, board)
    spared = {set_of(move.squares, board) for move in left_out}
    tree = Tree(0, {(stones, False): None for stones in spared} | (answered.answers if answered else {}))
    parts = Progress(progress, [tree], lambda part: part.answers.values())
    with writing(target, header) as output:
        WinWriter(output, board, header, parts, _RestWalk(board, header, set(), spared)).write(tree)
    parts.finished()
    return output.nodes


def check_rest(path: str | Path, left_out: Collection[Move] = ()) -> str | None:
    """Judges a proof that leaves some moves open; why it is refused, or None if it is accepted.

    Raises:
        NoProofError: if it is no proof file.
        OSError: if it cannot be read.
    """
    try:
        with telling_no_proof():
            survey = Survey(path)
        board = survey.board()
        if survey.header.claim != "win":
            raise Refused("it proves no win")
        spared = {set_of(move.squares, board) for move in left_out if _is_within(move, board)}
        walk = _RestWalk(board, survey.header, survey.referenced, spared)
        for number, text in body(path):
            walk.feed(number, text)
        walk.finish()
    except (Refused, RecursionError) as refusal:
        return str(refusal)
    return None


def _is_within(move: Move, board: Board) -> bool:
    """Whether a move lies in the window of the proof; one that does not is named nowhere in it."""
    return all(
        0 <= square.x - board.left < board.width and 0 <= square.y - board.bottom < board.height for square in move
    )


def _squares(replies: Replies, left_out: Collection[Move]) -> list[tuple[int, int]]:
    found = [(square.x, square.y) for move in left_out for square in move]
    stack: list[Any] = [((), replies)]
    while stack:
        move, answers = stack.pop()
        found += move
        for stones, _, answer in answers:
            found += stones
            stack.append(answer)
    return found
