"""What the engine's evaluations say, from scratch: no updates, nothing clever."""

from collections import Counter
from collections.abc import Mapping

from reference.board import DIRECTIONS, ReferenceBoard
from reference.line_patterns import Level, level, points

ATTACK = {"live": (0, 125, 500, 1200, 6000), "dead": (0, 25, 100, 400, 2000)}
DEFENCE = {"live": (0, 250, 1800, 2400, 15000), "dead": (0, 50, 200, 800, 15000)}
"""Tables 3-8 and 3-9 of the thesis."""

Stones = dict[tuple[int, int], int]


def counted(m: int, n: int, k: int, own: list[int], other: list[int], stones: Stones, turn: int) -> int:
    """The sum over all segments."""
    total = 0
    for *_, black, white in ReferenceBoard(m, n, k, stones).segments():
        mine, theirs = (black, white) if turn == 0 else (white, black)
        if theirs == 0:
            total += own[mine]
        elif mine == 0:
            total -= other[theirs]
    return total


def counted_interest(
    m: int, n: int, k: int, own: list[int], other: list[int], stones: Stones, side: int, square: tuple[int, int]
) -> int:
    """What the side's stone takes from the other's value, and the other's stone from the side's."""

    def value(turn: int, stone: int | None = None) -> int:
        return counted(m, n, k, own, other, stones if stone is None else {**stones, square: stone}, turn)

    return value(1 - side) - value(1 - side, side) + value(side) - value(side, 1 - side)


def lines(m: int, n: int) -> list[list[tuple[int, int]]]:
    found = []
    for dx, dy in DIRECTIONS:
        for y in range(n):
            for x in range(m):
                if not (0 <= x - dx < m and 0 <= y - dy < n):
                    line, (a, b) = [], (x, y)
                    while 0 <= a < m and 0 <= b < n:
                        line.append((a, b))
                        a, b = a + dx, b + dy
                    found.append(line)
    return found


def text_of(line: list[tuple[int, int]], stones: Stones, colour: int) -> str:
    return "".join("." if square not in stones else "X" if stones[square] == colour else "#" for square in line)


def line_level(text: str) -> Level:
    """The best of the parts between opposing stones; threats add up."""
    levels = [level(part, 6, 2) for part in text.split("#") if len(part) >= 6]
    if any(kind == "row" for kind, _ in levels):
        return "row", 0
    if threats := sum(number for kind, number in levels if kind == "threats"):
        return "threats", threats
    return max(levels, key=lambda each: (each[0] != "nothing", each[1], each[0] == "live"), default=("nothing", 0))


def huang(m: int, n: int, stones: Stones, turn: int) -> int:
    """Table 3-10 for Connect6, for the side to move; the thesis tells it for the other, who has just moved."""
    counts = [Counter(line_level(text_of(line, stones, colour)) for line in lines(m, n)) for colour in (0, 1)]
    we, they = counts[1 - turn], counts[turn]
    our_threats, their_threats = (
        sum(number * count for (kind, number), count in each.items() if kind == "threats") for each in (we, they)
    )
    if we["row", 0]:
        return -500_000
    if their_threats:
        return 500_000
    if our_threats >= 3:
        return -20_000
    if our_threats == 2:
        return -(5000 + 2000 * we["live", 3] + 1000 * we["live", 2] + 1000 * we["dead", 3])
    if our_threats == 1 and not they["live", 3]:
        against = 2000 * bool(they["live", 2]) + 2500 * bool(they["dead", 3])
        return -(2500 - against + 1000 * we["live", 3] + 500 * we["dead", 3] + 500 * we["live", 2])
    if they["live", 2] or they["live", 3] or they["dead", 3] >= 2:
        return 5000 + 2000 * they["live", 3] + 1000 * they["live", 2] + 1000 * they["dead", 3]
    theirs = {("dead", 3): 2000, ("dead", 2): 800, ("live", 1): 1000}
    ours = {("live", 3): 3500, ("dead", 3): 600, ("live", 2): 600, ("dead", 2): 120, ("live", 1): 150}
    return sum(score for kind, score in theirs.items() if they[kind]) - sum(
        score for kind, score in ours.items() if we[kind]
    )


def huang_interest(m: int, n: int, stones: Stones, side: int) -> Counter[tuple[int, int]]:
    """Of every empty square: what a stone makes of the side's lines, and which of the other's it spoils."""
    total: Counter[tuple[int, int]] = Counter()
    for line in lines(m, n):
        if len(line) < 6:
            continue
        for colour, table in ((side, ATTACK), (1 - side, DEFENCE)):
            for place, now, extended, cut in points(text_of(line, stones, colour), 6, 2):
                if colour == side and rank(extended) > rank(now):
                    total[line[place]] += score(extended, table)
                elif colour != side and rank(cut) < rank(now):
                    total[line[place]] += score(now, table)
    return total


def rank(of: Level) -> int:
    kind, number = of
    return {"nothing": 0, "dead": 1 + 2 * number, "live": 2 + 2 * number, "threats": 8 + number, "row": 1000}[kind]


def score(of: Level, table: Mapping[str, tuple[int, ...]]) -> int:
    kind, number = of
    if kind == "nothing":
        return 0
    if kind == "row":
        return 10 * table["live"][4]
    if kind == "threats":
        return table["live" if number >= 2 else "dead"][4]
    return table[kind][number]
