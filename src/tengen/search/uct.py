"""Job-level UCT: the engine's opinions of positions take the place of random games."""

from __future__ import annotations

import math
from array import array
from typing import ClassVar

from tengen.search.finding import Finding
from tengen.search.generic import JobLevelSearch
from tengen.search.tree import Tree
from tengen.search.values import DRAWN, WON


class UpperConfidenceSearch(JobLevelSearch):
    """JL-UCT. Siblings come one by one, the more the oftener a node is visited. Jobs on their way count as lost visits.

    Args:
        tree: the tree to search.
        exploration: the weight of what is seldom visited.
        widening: a node visited v times may have 1 + widening * sqrt(v) children.
    """

    name: ClassVar[str] = "uct"

    def __init__(self, tree: Tree, *, exploration: float = 0.4, widening: float = 0.6) -> None:
        super().__init__(tree)
        self._exploration, self._widening = exploration, widening
        self._visits, self._total = array("q"), array("d")
        """The total is the attacker's."""
        self._lost_visits = array("q")
        self._ways: dict[int, list[int]] = {}
        """From the root to each active node."""
        self.grown(0)

    @property
    def is_over(self) -> bool:
        """Whether the value of the root is proved; else one may always search on."""
        return self.tree.is_settled(0)

    def chance(self, node: int) -> float:
        """How likely the attacker is to win there, by all that was found below."""
        value = self.tree.value(node)
        if self.tree.is_settled(node):
            return 0.5 if value == DRAWN else float(value == WON)
        return self._total[node] / self._visits[node]

    def select(self) -> list[int]:
        """The node that should get its next child; none if jobs are on their way wherever one could be."""
        if self.is_over:
            return []
        way = self._way_from(0)
        if way is None:
            return []
        self._ways[way[-1]] = way
        return [way[-1]]

    def begin(self, node: int) -> None:
        """Counts a lost visit on the way to a node; a job of an earlier run was not selected here."""
        for passed in self._ways.setdefault(node, self._some_way_to(node)):
            self._lost_visits[passed] += 1
        super().begin(node)

    def release(self, node: int) -> None:
        """Takes the lost visits back."""
        self._return(node)
        super().release(node)

    def grown(self, node: int, finding: Finding | None = None) -> None:
        """Counts what was found on the way to a node; new nodes begin with the engine's opinion."""
        tree = self.tree
        for new in range(len(self._visits), len(tree)):
            self._visits.append(1)
            self._total.append(tree.chance(new))
            self._lost_visits.append(0)
        if finding is None or finding.outcome == "nothing":
            self._return(node)
            return
        youngest = tree.youngest(node)
        if finding.outcome == "draw":
            found = 0.5
        elif finding.moves:
            found = 0.5 if youngest is None else tree.chance(youngest)
        else:
            found = float((finding.outcome == "win") == tree.attacker_moves(node))
        for passed in self._return(node):
            self._visits[passed] += 1
            self._total[passed] += found

    def best_child(self, node: int) -> int | None:
        """A child that is proved to win, else the one that was visited most."""
        return next(iter(self.ranked_children(node)), None)

    def ranked_children(self, node: int) -> list[int]:
        """The children of a node, best first: those proved to win, then by visits, those proved to lose last."""
        attacker_moves = self.tree.attacker_moves(node)

        def worth(child: int) -> tuple[bool, bool, int]:
            settled, chance = self.tree.is_settled(child), self.chance(child)
            own = chance if attacker_moves else 1 - chance
            return settled and own == 1, not (settled and own == 0), self._visits[child]

        return sorted(self.tree.children(node), key=worth, reverse=True)

    def figures(self) -> dict[str, object]:
        """The chance of the attacker, and the visits."""
        return {"chance": round(self.chance(0), 4), "visits": self._visits[0]}

    def _return(self, node: int) -> list[int]:
        """The way to a node, without its lost visits any more."""
        way = self._ways.pop(node, None)
        if way is None:  # a result of an earlier run
            return self._some_way_to(node)
        for passed in way:
            self._lost_visits[passed] -= 1
        return way

    def _some_way_to(self, node: int) -> list[int]:
        """A way by which nobody need have come."""
        way = [node]
        while way[-1] != 0:
            way.append(next(self.tree.parents(way[-1])))
        return way

    def _way_from(self, node: int) -> list[int] | None:
        """The best way down to a node that may get a child now; None if there is none."""
        tree = self.tree
        may_grow = not tree.is_closed(node) and node not in self.active and node not in self.stuck
        children = list(tree.children(node))
        room = 1 + self._widening * math.sqrt(self._visits[node])
        live = [child for child in children if not tree.is_settled(child) and child not in self.pruned]
        if may_grow and (not live or len(children) < room):
            return [node]
        attacker_moves = tree.attacker_moves(node)
        log = math.log(self._visits[node] + self._lost_visits[node] + 1)

        def bound(child: int) -> tuple[bool, float]:
            visits = self._visits[child] + self._lost_visits[child]
            total = self._total[child] if attacker_moves else self._visits[child] - self._total[child]
            return child in self.preferred, total / visits + self._exploration * math.sqrt(log / visits)

        for child in sorted(live, key=bound, reverse=True):
            way = self._way_from(child)
            if way is not None:
                return [node, *way]
        return [node] if may_grow else None
