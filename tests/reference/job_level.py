"""Job-level search by its definitions, slowly: numbers found anew from the leaves, minimax without cut-offs."""

from collections.abc import Callable
from math import inf

from tengen.search import Policy, ProofNumberSearch, Tree
from tengen.search.values import DRAWN, LOST, NUMBERS, WON

Numbers = tuple[float, float, bool]
"""Proof number, disproof number, flag."""


def numbers(search: ProofNumberSearch, node: int) -> Numbers:
    """Of a node by the rules of the policy, for a Black attacker and without hints."""
    tree, policy, active = search.tree, search.policy, node in search.active
    value = tree.value(node)
    if value == WON:
        return 0, inf, False
    if value == LOST:
        return inf, 0, False
    if value == DRAWN:
        return inf, inf, False
    own, cannot, other_cannot = (0, 4, 8) if tree.attacker_moves(node) else (1, 8, 4)
    children = list(tree.children(node))
    live = [child for child in children if tree.value(child) not in (WON, LOST, DRAWN)]
    parts = [numbers(search, child) for child in live]
    if not children:
        unseen: tuple[float, float] = NUMBERS[tree.status(node)]
    elif children[-1] not in live:
        unseen = NUMBERS[tree.status(children[-1])]
    else:
        unseen = parts[-1][:2]
    if not tree.is_closed(node) and all(tree.value(child) & cannot for child in live):
        parts.append((*(assumed(policy, unseen) if active else unseen), active and policy.has_flags))
    elif active and policy.has_virtual_child:
        parts.append((*unseen, True))
    free = [part[own] for part in parts if not part[2]]
    everything = [part[own] for part in parts]
    counting = free if policy.is_modified else everything
    smallest = min(counting, default=max(everything))
    both = [0.0, 0.0]
    both[own] = inf if value & cannot else smallest
    both[1 - own] = inf if value & other_cannot else together(search, [part[1 - own] for part in parts])
    return both[0], both[1], not free


def together(search: ProofNumberSearch, numbers: list[float]) -> float:
    """Of children that must all be proved: their sum, or in a weak search the greatest and one for each other."""
    if not search.is_weak:
        return sum(numbers)
    left = sorted(number for number in numbers if number > 0)
    return left.pop() + len(left) if left else 0


def assumed(policy: Policy, unseen: tuple[float, float]) -> tuple[float, float]:
    """What an active leaf is taken for."""
    proof, disproof = unseen
    win = {None: None, "win": True, "loss": False, "greedy": proof < disproof}[policy.assumed]
    return unseen if win is None else (0, inf) if win else (inf, 0)


def minimax(tree: Tree, node: int, depth: int, width: int, expand: Callable[[int], bool]) -> float:
    """The attacker's chance with the best moves of both sides, each of the first `width` tried.

    `expand` adds the next child of a node and says whether there was one.
    """
    if tree.is_settled(node) or depth == 0:
        return {WON: 1.0, LOST: 0.0, DRAWN: 0.5}.get(tree.value(node), tree.chance(node))
    while len(list(tree.children(node))) < width and not tree.is_closed(node) and expand(node):
        pass
    if tree.is_settled(node):
        return {WON: 1.0, LOST: 0.0, DRAWN: 0.5}[tree.value(node)]
    values = [minimax(tree, child, depth - 1, width, expand) for child in tree.children(node)]
    return max(values) if tree.attacker_moves(node) else min(values)
