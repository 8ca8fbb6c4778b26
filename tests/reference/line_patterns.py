"""Levels of lines by trying everything: slow, and with nothing clever in it.

A line is a text of X (own stone), . (empty), # (blocked). A level is a pair: ("nothing", 0), ("dead", l), ("live", l),
("threats", t), ("row", 0).
"""

from functools import cache
from itertools import combinations

Level = tuple[str, int]


def segments(line: str, k: int) -> list[range]:
    return [range(i, i + k) for i in range(len(line) - k + 1) if "#" not in line[i : i + k]]


def put(line: str, places: tuple[int, ...], cell: str) -> str:
    return "".join(cell if place in places else old for place, old in enumerate(line))


@cache
def threats(line: str, k: int, p: int) -> int:
    """The fewest squares that hit all threat segments, found by trying sets of squares of growing size."""
    need = max(1, k - p)
    sets = [
        {place for place in segment if line[place] == "."}
        for segment in segments(line, k)
        if need <= sum(line[place] == "X" for place in segment) < k
    ]
    squares = sorted(set().union(*sets))
    return next(
        size
        for size in range(len(squares) + 1)
        if any(all(each.intersection(chosen) for each in sets) for chosen in combinations(squares, size))
    )


@cache
def level(line: str, k: int, p: int) -> Level:
    """The level of a line, by placing every set of more and more stones."""
    if has_row(line, k):
        return "row", 0
    if there := threats(line, k, p):
        return "threats", there
    need = max(1, k - p)
    empty = [place for place, cell in enumerate(line) if cell == "."]
    for more in range(1, need + 1):
        lines = [put(line, places, "X") for places in combinations(empty, more)]
        made = [threats(after, k, p) for after in lines if not has_row(after, k)]
        if any(t >= 2 for t in made):
            return "live", need - more
        if any(t >= 1 for t in made):
            return "dead", need - more
    return "nothing", 0


def has_row(line: str, k: int) -> bool:
    return "X" * k in line


def points(line: str, k: int, p: int) -> list[tuple[int, Level, Level, Level]]:
    """Of every empty square: the level of the line within 2(k-1) squares of it, and after an own or opposing stone."""
    found = []
    for place, cell in enumerate(line):
        if cell != ".":
            continue
        start = max(0, place - 2 * (k - 1))
        near = line[start : place + 2 * (k - 1) + 1]
        own, cut = (put(near, (place - start,), stone) for stone in "X#")
        # Beyond an opposing stone lies another line.
        left = near.rfind("#", 0, place - start) + 1
        right = near.find("#", place - start)
        part = slice(left, None if right < 0 else right)
        found.append((place, level(near[part], k, p), level(own[part], k, p), level(cut[part], k, p)))
    return found
