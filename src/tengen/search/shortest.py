"""How fast a proof could be found at best: some of its jobs must wait for others, however many workers there are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tengen.game import Colour, Position
from tengen.search.finding import Finding
from tengen.search.tree import Tree


def shortest_time(root: Position, attacker: Colour, done: Iterable[dict[str, Any]]) -> float | None:
    """The seconds that a proof takes if every job of it begins as soon as it can, and no other is run.

    A job can begin when the one that told its node is done, and so is the one before it at the same node.

    Args:
        root: the first position.
        attacker: who was to win.
        done: the jobs that a search ran, in their order, each with `arguments`, `result` and `seconds` as in a journal.

    Returns:
        None if these jobs do not prove that somebody wins.
    """
    tree, ends = Tree(root, attacker), [0.0]
    """When the last job so far of each node is done; of a new node, when the job is that told it."""
    for entry in done:
        position = Position.parse(entry["arguments"]["position"])
        node = tree.find(position)
        if node is None or tree.is_settled(node):
            continue
        ends[node] += entry["seconds"]
        children = tree.grow(node, position, Finding.from_json(entry["result"]))
        tree.propagate([node, *children], tree.revalue)
        ends += [ends[node]] * (len(tree) - len(ends))
    winner = tree.winner(0)
    return None if winner is None else _proved_at(tree, winner, ends)


def _proved_at(tree: Tree, winner: Colour, ends: list[float]) -> float:
    """When the root is proved."""
    proved: dict[int, float] = {}
    for node in sorted(range(len(tree)), key=tree.depth, reverse=True):
        if tree.winner(node) is not winner:
            continue
        if tree.is_decided_alone(node):
            proved[node] = ends[node]
        elif tree.attacker_moves(node) is (winner is tree.attacker):  # one child will do
            proved[node] = min(proved[child] for child in tree.children(node) if child in proved)
        else:
            proved[node] = max([ends[node], *(proved[child] for child in tree.children(node))])
    return proved[0]
