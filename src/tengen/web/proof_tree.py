"""The tree of a proof search as windows are told of it: the top, and what somebody has opened."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import Any

from tengen.game import Position
from tengen.search import ProofNumberSearch, Tree
from tengen.search.frame import symmetry_to_frame, turned
from tengen.search.values import INFINITY

MOST_SHOWN = 200
"""Nodes that are told of without being asked for, level by level."""


def shown(search: ProofNumberSearch, first: Position, opened: Collection[int]) -> list[dict[str, Any]]:
    """Nodes from the root down, parents before children; moves as one sees them from the first position.

    A node that several lines lead to has its children under the first of them alone; further ones say `again`.

    Args:
        search: whose tree it is.
        first: the first position, as it was given.
        opened: nodes whose children are wanted, however many there are.
    """
    tree = search.tree
    found = [_node(search, 0, None, "", is_again=False)]
    waiting = deque([(0, first)])
    seen = {0}
    while waiting:
        node, position = waiting.popleft()
        if len(found) >= MOST_SHOWN and node not in opened:
            continue
        back = symmetry_to_frame(position).inverse
        siblings: set[int] = set()
        for move, child in tree.moves(node):
            if child in siblings:  # a mirror image of another move
                continue
            siblings.add(child)
            own = turned(move, back, position)
            found.append(_node(search, child, node, str(own), is_again=child in seen))
            if child not in seen:
                seen.add(child)
                after = position.after(own)
                waiting.append((child, after))
    return found


def line_to(tree: Tree, node: int) -> list[str]:
    """The moves from the first position that lead to a node, by the first way that was found."""
    after: dict[int, int] = {}
    while node != 0:
        parent = next(tree.parents(node))
        after[parent] = node
        node = parent
    return [str(move) for move in tree.line(after.get)]


def _node(search: ProofNumberSearch, node: int, parent: int | None, move: str, *, is_again: bool) -> dict[str, Any]:
    tree = search.tree
    proof, disproof = (None if number >= INFINITY else number for number in search.numbers(node))
    winner = tree.winner(node)
    return {
        "id": node,
        "parent": parent,
        "move": move,
        "proof": proof,
        "disproof": disproof,
        "status": tree.status(node),
        "winner": None if winner is None else str(winner),
        "running": node in search.active,
        "pruned": node in search.pruned,
        "preferred": node in search.preferred,
        "children": len(set(tree.children(node))),
        "again": is_again,
    }
