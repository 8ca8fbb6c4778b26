"""Hitting sets: the fewest squares that meet every one of some sets of squares, and all ways without a needless one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tengen.game import Square


def minimum_hitting_set(sets: Iterable[frozenset[Square]]) -> frozenset[Square]:
    """A smallest set of squares that has one of each set. Exact, however many it takes.

    Raises:
        ValueError: if one of the sets is empty.
    """
    squares, masks = _as_masks(sets)
    chosen = 0
    for component in _components(masks):
        budget = _packing(component)
        while (found := _cover(component, budget)) is None:
            budget += 1
        chosen |= found
    return _as_squares(chosen, squares)


def minimal_hitting_sets(sets: Iterable[frozenset[Square]], limit: int) -> list[frozenset[Square]]:
    """Every set of at most `limit` squares that has one of each set, and would not without any of its squares.

    Sorted by size, then by square.

    Raises:
        ValueError: if one of the sets is empty.
    """
    squares, masks = _as_masks(sets)
    found: set[int] = set()
    seen: set[int] = set()

    def branch(chosen: int, left: int) -> None:
        if chosen in seen:
            return
        seen.add(chosen)
        # A square that is needless now stays so whatever is added.
        if not all(any(mask & chosen == bit for mask in masks) for bit in _bits(chosen)):
            return
        unhit = [mask for mask in masks if not mask & chosen]
        if not unhit:
            found.add(chosen)
        elif _packing(unhit) <= left:
            for bit in _bits(unhit[0]):
                branch(chosen | bit, left - 1)

    branch(0, limit)
    return sorted((_as_squares(mask, squares) for mask in found), key=lambda stones: (len(stones), sorted(stones)))


def _as_masks(sets: Iterable[frozenset[Square]]) -> tuple[list[Square], list[int]]:
    kept = set(sets)
    if frozenset() in kept:
        raise ValueError("nothing hits an empty set")
    squares = sorted(set().union(*kept))
    place = {square: 1 << i for i, square in enumerate(squares)}
    return squares, _smallest(sum(place[square] for square in each) for each in kept)


def _as_squares(mask: int, squares: list[Square]) -> frozenset[Square]:
    return frozenset(squares[bit.bit_length() - 1] for bit in _bits(mask))


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _smallest(masks: Iterable[int]) -> list[int]:
    """The sets without those that contain another one, the smallest first."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=lambda mask: (mask.bit_count(), mask)):
        if not any(other & mask == other for other in kept):
            kept.append(mask)
    return kept


def _packing(masks: list[int]) -> int:
    """How many sets a greedy choice finds no two of which share a square: each needs a square of its own."""
    taken = count = 0
    for mask in masks:
        if not mask & taken:
            taken |= mask
            count += 1
    return count


def _components(masks: list[int]) -> list[list[int]]:
    """The sets in groups that share no square."""
    groups: list[tuple[int, list[int]]] = []
    for mask in masks:
        joined, members = mask, [mask]
        apart = []
        for union, group in groups:
            if union & mask:
                joined |= union
                members = group + members
            else:
                apart.append((union, group))
        groups = [*apart, (joined, members)]
    return [_smallest(members) for _, members in groups]


def _without_needless_squares(masks: list[int]) -> list[int]:
    """The sets without squares that hit no more than another square does."""
    while True:
        hits: dict[int, int] = {}
        for i, mask in enumerate(masks):
            for bit in _bits(mask):
                hits[bit] = hits.get(bit, 0) | 1 << i
        needless = 0
        for bit, mine in sorted(hits.items()):
            rivals = masks[(mine & -mine).bit_length() - 1] & ~bit & ~needless
            if any(hits[rival] | mine == hits[rival] for rival in _bits(rivals)):
                needless |= bit
        if not needless:
            return masks
        masks = _smallest(mask & ~needless for mask in masks)


def _cover(masks: list[int], budget: int) -> int | None:
    """Squares that hit all sets, at most `budget` of them; None if there are none."""
    masks = _without_needless_squares(masks)
    if not masks:
        return 0
    if _packing(masks) > budget:
        return None
    first = masks[0]
    for bit in sorted(_bits(first), key=lambda bit: -sum(bit & mask != 0 for mask in masks)):
        rest = _cover([mask for mask in masks if not mask & bit], budget - 1)
        if rest is not None:
            return rest | bit
        # Every answer with this square has been ruled out.
        masks = _smallest(mask & ~bit for mask in masks)
        if not masks[0]:
            return None
    return None
