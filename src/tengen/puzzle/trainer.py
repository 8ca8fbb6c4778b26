"""Trains with a puzzle: accepts every winning move, plays the best defence, and refutes what does not win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tengen.game import Move, Position, TengenError
from tengen.puzzle.judge import Judge, with_all_stones
from tengen.puzzle.puzzle import Puzzle
from tengen.solve import Control, Solution, Strategy, solve
from tengen.threat import wins_at_once

_QUIET_NODES = 5_000
"""For a quiet win against what refutes a move: somebody waits for the answer. The moves that people try were refuted
with more before."""


@dataclass(frozen=True)
class Answer:
    """What the trainer says to a move."""

    verdict: str
    """`solved`, `right`: go on; `wrong`: it is refuted; `doubtful`: no win was found with it, but no refutation either.
    Only after `right` the position has changed."""
    reply: Move | None = None
    """The defence that was played, or what refutes the move."""
    line: tuple[Move, ...] = ()
    """Of a refutation that wins, how it goes on, the reply first."""

    @property
    def is_accepted(self) -> bool:
        """Whether the move does what was asked for."""
        return self.verdict in ("solved", "right")


class Trainer:
    """One attempt at a puzzle."""

    def __init__(self, puzzle: Puzzle, played: Sequence[Move] = (), control: Control | None = None) -> None:
        """Begins, or goes on.

        Args:
            puzzle: what is to be solved.
            played: right moves and their answers, if it was begun before.
            control: lets another thread stop the search for an answer, which is `doubtful` then.

        Raises:
            TengenError: if one of these moves is not legal, or the solver is not to move after them.
        """
        self.puzzle = puzzle
        self._control = control or Control()
        self.restart()
        for move in played:
            self.position.play(move)
            self.played.append(move)
        if self.position.is_over or self.position.is_mid_turn or self.position.turn is not puzzle.position.turn:
            raise TengenError("these moves do not lead to a position of this puzzle")

    def restart(self) -> None:
        """Begins again; what was counted is forgotten."""
        self.position = self.puzzle.position.copy()
        self.played: list[Move] = []
        self.mistakes = 0
        self.hints = 0
        self.is_solved = False

    def play(self, move: Move) -> Answer:
        """Tries a move of the side that is to solve the puzzle.

        Raises:
            TengenError: if the puzzle is solved already, or the move is not a whole and legal one.
        """
        if self.is_solved:
            raise TengenError("the puzzle is solved")
        if len(move) != self.position.stones_left or move.is_pass:
            raise TengenError(f"place {self.position.stones_left} stones")
        after = self.position.after(move)
        answer = self._as_in_line(move) or (
            self._defended(after, move) if self.puzzle.kind == "only defence" else self._attacked(after, move)
        )
        self.is_solved = answer.verdict == "solved"
        self.mistakes += not answer.is_accepted
        if answer.verdict == "right" and answer.reply is not None:
            after.play(answer.reply)
            self.position = after
            self.played += [move, answer.reply]
        return answer

    def take_back(self) -> Move:
        """Takes back the last right move, with its answer, and returns it; a mistake stays one.

        Raises:
            TengenError: if there is none.
        """
        if not self.played:
            raise TengenError("there is no move to take back")
        for _ in range(2):
            self.position.undo()
            move = self.played.pop()
        return move

    def _as_in_line(self, move: Move) -> Answer | None:
        """The answer to a move of the main line, which need not be searched for."""
        place, line = len(self.played), self.puzzle.line
        if place >= len(line) or line[:place] != tuple(self.played) or line[place] != move:
            return None
        return Answer("solved") if place + 1 == len(line) else Answer("right", line[place + 1])

    def _defended(self, after: Position, move: Move) -> Answer:
        if move == self.puzzle.move:
            return Answer("solved")
        found = self._solve(after, "vcst", self.puzzle.limits.nodes)
        if found.strategy is None:
            return Answer("doubtful")
        return Answer("wrong", found.strategy.move, tuple(found.line))

    def _attacked(self, after: Position, move: Move) -> Answer:
        if after.winner is not None:
            return Answer("solved")
        strategy = self._strategy(move)
        if strategy is not None:
            replies = strategy.longest_first
            return Answer("right", with_all_stones(after, replies[0].move)) if replies else Answer("solved")
        if wins_at_once(after, after.turn):
            row = self._solve(after, "vcdt", self.puzzle.limits.counter_nodes)
            return Answer("wrong", row.first_move, tuple(row.line))
        limits = replace(self.puzzle.limits, quiet_nodes=_QUIET_NODES)
        finding = Judge(self.position, limits, self._control).judge(move)
        if finding.verdict == "wins":
            return Answer("right", finding.reply)
        if finding.verdict == "open":
            return Answer("doubtful")
        if not finding.reply_wins:
            return Answer("wrong", finding.reply)
        counter = self._solve(after, "vcdt", self.puzzle.limits.counter_nodes)
        return Answer("wrong", finding.reply, tuple(counter.line))

    def _solve(self, position: Position, kind: str, nodes: int, first: Move | None = None) -> Solution:
        return solve(position, kind, first=first, nodes=nodes, control=self._control)

    def _strategy(self, move: Move) -> Strategy | None:
        """How a move wins by threats."""
        for kind in ("vcdt", "vcst"):
            found = self._solve(self.position, kind, self.puzzle.limits.nodes, move)
            if found.strategy is not None:
                return found.strategy
        return None

    def solution(self) -> Move:
        """A move that is right in the present position, the quickest that is known.

        Raises:
            TengenError: if none is found.
        """
        place, line = len(self.played), self.puzzle.line
        if place == 0:
            return self.puzzle.move
        if place < len(line) and line[:place] == tuple(self.played):
            return line[place]
        for kind in ("vcdt", "vcst"):
            found = self._solve(self.position, kind, self.puzzle.limits.nodes)
            if found.first_move is not None:
                return found.first_move
        raise TengenError("no win is found any more")

    def main_line(self) -> tuple[Move, ...]:
        """The moves of both sides if the puzzle is played from here to its end; it begins again then.

        Raises:
            TengenError: if the solution does not win.
        """
        line = list(self.played)
        while not self.is_solved:
            move = self.solution()
            answer = self.play(move)
            if not answer.is_accepted:
                raise TengenError(f"{move} is no solution of {self.puzzle.position}")
            line += [move] if answer.reply is None else [move, answer.reply]
        self.restart()
        return tuple(line)

    def hint(self) -> str:
        """The next hint: what kind of move it is, then one of its stones, then the move.

        Raises:
            TengenError: if nothing is known that could help.
        """
        self.hints += 1
        move = self.solution()
        if self.hints == 1 and not self.played:
            kinds = {
                "win": "Every move of it is a threat"
                + (", and a double one." if self.puzzle.by == "vcdt" else "; some are single ones."),
                "quiet win": "The first move threatens nothing at once.",
                "only defence": "Look at what the opponent would play next.",
            }
            return kinds[self.puzzle.kind]
        return f"One stone stands on {move.squares[0]}." if self.hints <= 2 and len(move) > 1 else f"Play {move}."
