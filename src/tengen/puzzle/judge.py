"""Does another first move win as well? Every sensible one is tried, and must be refuted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from tengen.game import Move, Position
from tengen.play import promising_moves
from tengen.prove import Defence, defend
from tengen.puzzle.puzzle import Limits
from tengen.solve import Control, solve
from tengen.threat import critical_defences

_TRIED_REPLIES = 6
"""So many replies that refuted other moves, and so many that the engine likes, are tried before the verifier is asked:
most wrong moves fail for the same reason."""
_LEAST_DEFENCES = 3
_MOST_BEATEN = 12
"""After so many replies that meet every threat and are beaten quietly, a first move counts as open."""
QUIET = "order 3"
"""The kind of a win in which moves may threaten nothing at once."""


@dataclass(frozen=True)
class Finding:
    """What is known of a first move."""

    verdict: str
    """`wins`, `refuted`, or `open`: neither was found within the limits."""
    reply: Move | None = None
    """What refutes it; of a move that wins, the defence that holds out longest."""
    reply_wins: bool = False
    """Whether that reply wins by double threats; else it is one against which no win by threats was found, although
    the search for one came to its end, and none with quiet moves within the limits."""
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
        for reply in self._likely_replies(after, self.limits.reply_nodes, "none"):
            if self._holds(after, reply):
                self._remember(reply)
                return Finding("refuted", reply)
        return self._verified(after)

    def _likely_replies(self, after: Position, nodes: int, *results: str) -> Iterator[Move]:
        """The likely replies after which the search for a win by threats has such a result."""
        likely = [*self._replies[:_TRIED_REPLIES], *promising_moves(after)[:_TRIED_REPLIES]]
        return (reply for reply in dict.fromkeys(likely) if self._answer(after, reply, nodes) in results)

    def _has_likely_reply(self, after: Position, nodes: int, *results: str) -> bool:
        reply = next(self._likely_replies(after, nodes, *results), None)
        if reply is not None:
            self._remember(reply)
        return reply is not None

    def _holds(self, after: Position, reply: Move) -> bool:
        """Whether a reply that meets all threats is not beaten by a quiet move either, as far as the limits let it be
        seen: where a side stands well, there is often another way to win, only slower."""
        whole = after.after(with_all_stones(after, reply))
        if whole.is_over or not self.limits.quiet_nodes:
            return True
        beaten = solve(whole, QUIET, nodes=self.limits.quiet_nodes, control=self._control).result == "win"
        return not beaten and not self._control.stopped

    def _answer(self, after: Position, reply: Move, nodes: int) -> str:
        """What the search for a win by threats after a reply comes to: `win`, `none` or `unknown`."""
        trial = after.copy()
        if not trial.is_legal(reply):
            return "win"  # it meets nothing
        trial.play(reply)
        if trial.is_over:
            return "win" if trial.winner is self.position.turn else "none"
        return solve(trial, "vcst", nodes=nodes, control=self._control).result

    def _verified(self, after: Position) -> Finding:
        control = Control()
        holding: list[Move] = []
        beaten: set[Move] = set()

        def weigh(reply: Move) -> None:
            if reply not in beaten and len(beaten) < _MOST_BEATEN:
                (holding.append if self._holds(after, reply) else beaten.add)(reply)

        def tell(reply: Move, passes: int, status: str, _done: int, _waiting: int) -> None:
            if status == "open" and not passes:
                weigh(reply)
            if holding or len(beaten) == _MOST_BEATEN or self._control.stopped:
                control.stop()

        found = self._defence(after, tell, control)
        if found.result == "loss":
            return Finding("wins", self.longest_defence(found), length=1 + found.longest, nodes=found.nodes)
        for one in found.moves:
            if not holding and not one.is_cut_short:
                weigh(one.move)
        if not holding:
            return Finding("refuted" if found.wins_at_once else "open", nodes=found.nodes)
        self._remember(holding[0])
        return Finding("refuted", holding[0], nodes=found.nodes)

    def _defence(
        self, after: Position, tell: Callable[[Move, int, str, int, int], object], control: Control
    ) -> Defence:
        limits = self.limits
        return defend(
            after, order=2, reply_nodes=limits.reply_nodes, nodes=limits.move_nodes, tell=tell, control=control
        )

    def _remember(self, reply: Move) -> None:
        if reply in self._replies:
            self._replies.remove(reply)
        self._replies.insert(0, reply)

    def looks_winning(self, move: Move) -> bool:
        """Whether no counter-attack is seen, and every likely reply is answered quickly: else a proof is not worth
        trying, for most moves do not win.

        Raises:
            IllegalMoveError: if it is no legal move.
        """
        after = self.position.after(move)
        if after.is_over or solve(after, "vcdt", nodes=self.limits.counter_nodes).strategy is not None:
            return False
        return not self._has_likely_reply(after, self.limits.counter_nodes, "none", "unknown")

    def proof(self, move: Move) -> Defence | None:
        """The proof that every reply to a move loses by threats; None if there is none within the limits.

        The search ends at the first reply that is not answered.

        Raises:
            TengenError: if it is no legal move, or ends the game.
        """
        after = self.position.after(move)
        if self._has_likely_reply(after, self.limits.reply_nodes, "none"):
            return None
        control = Control()

        def tell(reply: Move, passes: int, status: str, _done: int, _waiting: int) -> None:
            if status in ("open", "unknown") and not passes:
                self._remember(reply)
                control.stop()

        found = self._defence(after, tell, control)
        return found if found.result == "loss" else None

    def longest_defence(self, proof: Defence) -> Move:
        """The reply that holds out longest of those that a proof answers one by one."""
        after = proof.position
        hardest, most = promising_moves(after)[0], 0
        for reply, length in proof.answers:
            if length <= most:
                break  # the answers to all that follow are as short
            whole = with_all_stones(after, reply)
            quick = solve(after.after(whole), "vcdt", nodes=self.limits.reply_nodes, control=self._control)
            needed = quick.depth if quick.result == "win" else length
            if needed > most:
                hardest, most = whole, needed
        return hardest

    def try_others(self, move: Move) -> tuple[int, Move | None]:
        """Tries the sensible moves beside one: how many were refuted, and the first that is not, which ends it."""
        refuted = 0
        for other in sensible_moves(self.position, move, self.limits.near):
            if self.judge(other).verdict != "refuted":
                return refuted, other
            refuted += 1
        return refuted, None


def leaves_little_choice(position: Position) -> bool:
    """Whether threats of the opponent take all stones of a move, and leave hardly another place for them."""
    forced = critical_defences(position, position.turn.opponent)
    has_free_stone = any(len(one.stones) < position.stones_left for one in forced)
    return 0 < len(forced) < _LEAST_DEFENCES and not has_free_stone


def with_all_stones(position: Position, reply: Move) -> Move:
    """A reply with all its stones: those that it leaves open are put where the engine would have them."""
    stones = list(reply)
    wanted = [square for move in promising_moves(position) for square in move]
    for square in [*wanted, *position.empty_squares(within=2)]:
        if len(stones) >= position.stones_left:
            break
        if square not in stones and position.at(square) is None:
            stones.append(square)
    return Move(stones)


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
