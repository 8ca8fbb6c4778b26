"""Job-level alpha-beta: the engine's opinions of positions so many moves on, with cut-offs."""

from __future__ import annotations

from typing import ClassVar

from tengen.game import TengenError
from tengen.search.finding import Finding
from tengen.search.generic import JobLevelSearch
from tengen.search.tree import Tree
from tengen.search.values import DRAWN, WON


class AlphaBetaSearch(JobLevelSearch):
    """JL alpha-beta to a fixed depth, with the engine's best few moves in each position.

    Every selection walks the tree as plain alpha-beta would. Where a move is missing, its job is the one to run next.
    Where that is on its way, the walk goes on as if the move were no better than its elder siblings, and so finds jobs
    that are likely to be needed. When the walk misses nothing, its value is that of plain alpha-beta.

    Raises:
        TengenError: if depth or width are below 1.
    """

    name: ClassVar[str] = "alpha-beta"

    def __init__(self, tree: Tree, *, depth: int = 3, width: int = 4) -> None:
        super().__init__(tree)
        if depth < 1 or width < 1:
            raise TengenError(f"depth and width are at least 1, not {depth} and {width}")
        self._depth, self._width = depth, width
        self._missing: list[int] = []
        self._is_over: bool | None = None

    @property
    def is_over(self) -> bool:
        """Whether the value is that of plain alpha-beta, with nothing assumed."""
        if self._is_over is None:
            self.value()
            self._is_over = not self._missing and not self.active
        return self._is_over

    def value(self) -> float:
        """How likely the attacker is to win, as far as it is known."""
        self._missing = []
        return self.chance(0)

    def chance(self, node: int) -> float:
        """How likely the attacker is to win there, as far as it was walked."""
        found = self._walk(node, max(0, self._depth - self.tree.depth(node)), 0.0, 1.0)
        return found if self.tree.attacker_moves(node) else 1 - found

    def select(self) -> list[int]:
        """The first node in the walk that misses a move."""
        if not self.is_over:
            self.value()
        return [node for node in self._missing if node not in self.active][:1]

    def begin(self, node: int) -> None:
        """Notes that something has changed."""
        self._is_over = None
        super().begin(node)

    def release(self, node: int) -> None:
        """Notes that something has changed."""
        self._is_over = None
        super().release(node)

    def grown(self, node: int, finding: Finding | None = None) -> None:
        """Notes that something has changed."""
        self._is_over = None

    def best_child(self, node: int) -> int | None:
        """The child of the best value, as far as it was walked."""
        return next(iter(self.ranked_children(node)), None)

    def ranked_children(self, node: int) -> list[int]:
        """The children of a node that are considered, best first."""
        depth = self._depth - self.tree.depth(node) - 1
        if depth < 0:
            return []
        return sorted(self._considered(node), key=lambda child: self._walk(child, depth, 0.0, 1.0))

    def figures(self) -> dict[str, object]:
        """The chance of the attacker."""
        return {"chance": round(self.value(), 4), "depth": self._depth, "width": self._width}

    def _considered(self, node: int) -> list[int]:
        children = [child for child in self.tree.children(node) if child not in self.pruned]
        return sorted(children, key=lambda child: child not in self.preferred)[: self._width]

    def _walk(self, node: int, depth: int, alpha: float, beta: float) -> float:
        """How likely the side to move is to win; exact between the bounds."""
        tree = self.tree
        attackers = tree.chance(node)
        if tree.is_settled(node):
            attackers = 0.5 if tree.value(node) == DRAWN else float(tree.value(node) == WON)
        own = attackers if tree.attacker_moves(node) else 1 - attackers
        if depth == 0 or tree.is_settled(node):
            return own
        best, children = -1.0, self._considered(node)
        for child in children:
            best = max(best, 1 - self._walk(child, depth - 1, 1 - beta, 1 - max(alpha, best)))
            if best >= beta:
                return best
        if len(children) < self._width and not tree.is_closed(node) and node not in self.stuck:
            self._missing.append(node)
        return best if children else own
