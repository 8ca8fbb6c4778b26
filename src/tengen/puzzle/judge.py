"""Does another first move win as well? Every sensible one is tried, and must be refuted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from tengen.game import Move, Position
from tengen.play import promising_moves
from tengen.prove import defend
from tengen.puzzle.puzzle import Limits
from tengen.solve import Control, solve

_TRIED_REPLIES = 6
"""So many replies that refuted other moves, and so many that the engine likes, are tried before the verifier is asked:
most wrong moves fail for the same reason."""


@dataclass(frozen=True)
class Finding:
    """What is known of a first move."""

    verdict: str
    """`wins`, `refuted`, or `open`: neither was found within the limits."""
    reply: Move | None = None
    """What refutes it."""
    reply_wins: bool = False
    """Whether that reply wins by double threats; else it is one against which no win by threats was found, although
    the search for one came to its end."""
    length: int = 0
    """Of a move that wins, how many attacking moves that takes at most, this one included."""
    nodes: int = 0


class Judge:
    """Judges first moves of the side to move in one position."""

    def __init__(self, position: Position, limits: Limits, control: Control | None = None) -> None:
        """Takes a position.

        Args:
            position: with the side to move whose first moves are judged.
            limits: what judging a move may cost.
            control: lets another thread stop it; the move is `open` then.
        """
        self.position, self.limits = position, limits
        self._control = control or Control()
        self._replies: list[Move] = []

    def judge(self, move: Move) -> Finding:
        """Whether a move wins, as far as the limits let it be seen.

        Raises:
            IllegalMoveError: if it is no legal move.
        """
        after = self.position.after(move)
        if after.is_over:
            return Finding("wins" if after.winner is self.position.turn else "refuted", length=1)
        counter = solve(after, "vcdt", nodes=self.limits.counter_nodes, control=self._control)
        if counter.strategy is not None:
            return Finding("refuted", counter.strategy.move, True, nodes=counter.nodes)
        likely = [*self._replies[:_TRIED_REPLIES], *promising_moves(after)[:_TRIED_REPLIES]]
        for reply in dict.fromkeys(likely):
            if self._holds(after, reply):
                self._remember(reply)
                return Finding("refuted", reply)
        return self._verified(after)

    def _holds(self, after: Position, reply: Move) -> bool:
        trial = after.copy()
        if not trial.is_legal(reply):
            return False
        trial.play(reply)
        if trial.is_over:
            return trial.winner is not self.position.turn
        return solve(trial, "vcst", nodes=self.limits.reply_nodes, control=self._control).result == "none"

    def _verified(self, after: Position) -> Finding:
        control = Control()
        holding: list[Move] = []

        def tell(reply: Move, passes: int, status: str, _done: int, _waiting: int) -> None:
            if status == "open" and not passes:
                holding.append(reply)
            if holding or self._control.stopped:
                control.stop()

        found = defend(
            after,
            order=2,
            reply_nodes=self.limits.reply_nodes,
            nodes=self.limits.move_nodes,
            tell=tell,
            control=control,
        )
        if found.result == "loss":
            return Finding("wins", length=1 + found.longest, nodes=found.nodes)
        holding += [one.move for one in found.moves if not one.is_cut_short]
        if not holding:
            return Finding("refuted" if found.wins_at_once else "open", nodes=found.nodes)
        self._remember(holding[0])
        return Finding("refuted", holding[0], nodes=found.nodes)

    def _remember(self, reply: Move) -> None:
        if reply in self._replies:
            self._replies.remove(reply)
        self._replies.insert(0, reply)

    def refutes_all_but(self, move: Move) -> int | None:
        """How many sensible moves there are beside one, all of them refuted; None if one of them is not."""
        refuted = 0
        for other in sensible_moves(self.position, move, self.limits.near):
            if self.judge(other).verdict != "refuted":
                return None
            refuted += 1
        return refuted


def sensible_moves(position: Position, solution: Move, near: int) -> Iterator[Move]:
    """The first moves beside the solution that somebody might try, each once.

    These are the engine's promising moves, all moves with squares of those, and all with a stone of the solution whose
    other stones are so near to a stone.
    """
    promising = promising_moves(position)
    seen = {solution}
    squares = sorted({square for move in promising for square in move})
    around = list(position.empty_squares(within=near))
    count = position.stones_left
    moves = [
        promising,
        (Move(stones) for stones in combinations(squares, count)),
        (
            Move((stone, *others))
            for stone in solution
            for others in combinations((square for square in around if square != stone), count - 1)
        ),
    ]
    for group in moves:
        for move in group:
            if move not in seen:
                seen.add(move)
                yield move
