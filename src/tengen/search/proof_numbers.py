"""Job-level proof-number search: the next job goes to the most-proving node, and to its parent for one more sibling."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import ClassVar

from tengen.search.finding import Finding
from tengen.search.generic import JobLevelSearch
from tengen.search.policies import DEFAULT_POLICY, POLICIES, Policy
from tengen.search.tree import Tree
from tengen.search.values import (
    ATTACKER_CANNOT_WIN,
    DEFENDER_CANNOT_WIN,
    INFINITY,
    NUMBERS,
    Numbers,
    first_numbers,
    is_settled,
)


class ProofNumberSearch(JobLevelSearch):
    """JL-PNS with postponed sibling generation.

    Siblings come one by one: when the way to the most-proving node leads to the youngest child of a node, that node
    gets a job as well, for the next sibling. A node that is not closed may have more siblings; these count only when no
    child is left that could help its side to move.

    Args:
        tree: with the root alone, or more.
        policy: of the pre-update phase.
        table: first numbers by status.
        is_weak: whether children that must all be proved count as the hardest of them and one for each other, not as
            their sum. Jobs tell several moves at once that are much alike; a sum would make every node that has had a
            job look several times as hard as one that has not, and the search would go on to ever new siblings.
    """

    name: ClassVar[str] = "pns"

    def __init__(
        self,
        tree: Tree,
        policy: Policy = POLICIES[DEFAULT_POLICY],
        table: Mapping[str, Numbers] = NUMBERS,
        *,
        is_weak: bool = True,
    ) -> None:
        super().__init__(tree)
        self.policy, self.table, self.is_weak = policy, table, is_weak
        self._proof, self._disproof = array("q"), array("q")
        self._is_flagged = array("b")
        """Whether nothing can be selected there now: because jobs are active there, or it is pruned or stuck."""
        self._grow_columns()

    def numbers(self, node: int) -> Numbers:
        """Its proof and disproof number, as the policy has them now."""
        return self._proof[node], self._disproof[node]

    @property
    def is_over(self) -> bool:
        """Whether the value of the root is known, or nothing is left that could find it."""
        return self.tree.is_settled(0) or (bool(self._is_flagged[0]) and not self.active)

    def select(self) -> list[int]:
        """The most-proving node, and nodes on the way there that should have another child."""
        policy = self.policy
        if self.tree.is_settled(0) or self._is_flagged[0]:
            return []
        if policy.assumed is not None and 0 in self.numbers(0):  # what is on its way is assumed to decide the root
            return []
        node, parents = 0, list[int]()
        while (child := self._next(node)) is not None:
            if child == self.tree.youngest(node) and self._may_have_more(node):
                parents.append(node)
            node = child
        found = [node] if self._may_have_more(node) else []
        return found + parents[::-1]

    def best_child(self, node: int) -> int | None:
        """The child with the best number for the side to move; a proved one first."""
        column = self._proof if self.tree.attacker_moves(node) else self._disproof
        return min(self.tree.children(node), key=column.__getitem__, default=None)

    def figures(self) -> dict[str, object]:
        """The numbers of the root."""
        proof, disproof = (None if number >= INFINITY else number for number in self.numbers(0))
        return {"policy": self.policy.name, "proof_number": proof, "disproof_number": disproof}

    def grown(self, node: int, finding: Finding | None = None) -> None:
        """Makes room for the numbers of new nodes."""
        self._grow_columns()

    def visit(self, node: int) -> bool:
        """Finds value, numbers and flag of a node anew; returns whether one has changed."""
        has_new_value = super().visit(node)
        proof, disproof, is_flagged = self._found_anew(node)
        if (proof, disproof, is_flagged) == (self._proof[node], self._disproof[node], bool(self._is_flagged[node])):
            return has_new_value
        self._proof[node], self._disproof[node], self._is_flagged[node] = proof, disproof, is_flagged
        return True

    def _grow_columns(self) -> None:
        for node in range(len(self._proof), len(self.tree)):
            proof, disproof = self._first(node)
            self._proof.append(proof)
            self._disproof.append(disproof)
            self._is_flagged.append(False)

    def _first(self, node: int) -> Numbers:
        return first_numbers(self.tree.status(node), self.tree.attacker, self.table)

    def _unseen(self, node: int) -> Numbers:
        """The numbers that the next child of a node may have: about those of its youngest, or else its own."""
        youngest = self.tree.youngest(node)
        if youngest is None:
            return self._first(node)
        return self._first(youngest) if self.tree.is_settled(youngest) else self.numbers(youngest)

    def _may_have_more(self, node: int) -> bool:
        """Whether a node may get a job now."""
        return not self.tree.is_closed(node) and node not in self.active and node not in self.stuck

    def _is_hopeless(self, node: int, for_attacker: bool) -> bool:
        """Whether it is proved that a side cannot win there."""
        return bool(self.tree.value(node) & (ATTACKER_CANNOT_WIN if for_attacker else DEFENDER_CANNOT_WIN))

    def _next(self, node: int) -> int | None:
        """Where the way to the most-proving node goes on; None if this is it."""
        tree, attacker_moves = self.tree, self.tree.attacker_moves(node)
        live = [child for child in tree.children(node) if not is_settled(tree.value(child))]
        hopeful = [child for child in live if not self._is_hopeless(child, attacker_moves)]
        if not hopeful and self._may_have_more(node):
            return None
        column = self._proof if attacker_moves else self._disproof
        unflagged = [child for child in hopeful or live if not self._is_flagged[child]]
        if not unflagged:
            unflagged = [child for child in live if not self._is_flagged[child]]
        return min(unflagged, key=lambda child: (child not in self.preferred, column[child]), default=None)

    def _found_anew(self, node: int) -> tuple[int, int, bool]:
        """Proof number, disproof number and flag of a node by its children."""
        tree, policy = self.tree, self.policy
        value, attacker_moves = tree.value(node), tree.attacker_moves(node)
        proof = 0 if value & 1 else INFINITY
        disproof = 0 if value & 2 else INFINITY
        if is_settled(value):
            return proof, disproof, False
        live = [child for child in tree.children(node) if not is_settled(tree.value(child))]
        parts = [(self._proof[c], self._disproof[c], bool(self._is_flagged[c])) for c in live]
        is_active = node in self.active
        if not tree.is_closed(node) and all(self._is_hopeless(child, attacker_moves) for child in live):
            numbers = policy.assumption(self._unseen(node)) if is_active else self._unseen(node)
            parts.append((*numbers, (is_active and policy.has_flags) or node in self.stuck))
        elif is_active and policy.has_virtual_child:
            parts.append((*self._unseen(node), True))
        smallest, total = (0, 1) if attacker_moves else (1, 0)
        selectable = [part for part in parts if not part[2]]
        if not policy.is_modified:
            least = min(part[smallest] for part in parts)
        elif selectable:
            least = min(part[smallest] for part in selectable)
        else:
            least = max(part[smallest] for part in parts)
        found = {smallest: least, total: self._together([part[total] for part in parts])}
        return (
            INFINITY if value & ATTACKER_CANNOT_WIN else found[0],
            INFINITY if value & DEFENDER_CANNOT_WIN else found[1],
            not selectable or node in self.pruned,
        )

    def _together(self, numbers: list[int]) -> int:
        """The number of children that must all be proved; infinite only if one of them is."""
        if INFINITY in numbers:
            return INFINITY
        if not self.is_weak:
            return min(sum(numbers), INFINITY - 1)
        left = [number for number in numbers if number]  # one that is assumed to be proved counts no longer
        return min(max(left) + len(left) - 1, INFINITY - 1) if left else 0
