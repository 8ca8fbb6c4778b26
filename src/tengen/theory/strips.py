"""The games at the bottom of the chain of lemmas, settled by search.

BN(L) is an endless strip of zones of L x L squares. Its lines have L squares: the columns, and diagonals that go down
from the right of one zone's triangle into the next: a square in column x and row y (from 1, rows from the top) lies on
diagonal x + y of its zone if that is above L, else on diagonal x + y + L of the zone before.
"""

from __future__ import annotations

from dataclasses import dataclass

from tengen.theory.lines import LineBoard, LineGame


def strip(length: int, zones: int) -> list[list[tuple[int, int, int]]]:
    """The lines that lie wholly within so many zones; a square is column, row, zone."""
    lines: dict[tuple[str, int, int], list[tuple[int, int, int]]] = {}
    for zone in range(zones):
        for x in range(1, length + 1):
            for y in range(1, length + 1):
                diagonal = (x + y, zone) if x + y > length else (x + y + length, zone - 1)
                lines.setdefault(("column", x, zone), []).append((x, y, zone))
                lines.setdefault(("diagonal", *diagonal), []).append((x, y, zone))
    return [squares for squares in lines.values() if len(squares) == length]


def rectangle(rows: int, columns: int, *, corner: bool = True) -> list[list[tuple[int, int, int]]]:
    """The rows and columns of a rectangle (Lemma 5), with or without its lower left corner (Lemma 6)."""
    squares = [(x, y, 0) for y in range(rows) for x in range(columns) if corner or (x, y) != (0, 0)]
    lines = [[s for s in squares if s[1] == y] for y in range(rows)]
    return lines + [[s for s in squares if s[0] == x] for x in range(columns)]


def reserved_game(lines: list[list[tuple[int, int, int]]], bound: int, most: int | None = None) -> LineGame:
    """MBBoardX(B, bound): each line has a square for the breaker alone, and the maker places any number of stones.

    Args:
        lines: the lines of the board.
        bound: the maker wants more stones than that on a line when he is to move.
        most: how many stones he may place at a time; as many as there are squares unless told.
    """
    squares = {square: i for i, square in enumerate(sorted({square for line in lines for square in line}))}
    extra = range(len(squares), len(squares) + len(lines))
    board = LineBoard(
        len(squares) + len(lines),
        tuple((*sorted(squares[s] for s in line), own) for line, own in zip(lines, extra, strict=True)),
    )
    return LineGame(board, most or len(squares), reach=[len(line) - bound - 1 for line in lines], reserved=extra)


def own_squares(length: int, each: int) -> dict[tuple[str, int], list[tuple[int, int]]] | None:
    """Gives each line of the endless strip so many squares of its own, the same in every zone; None if it cannot be.

    Two own squares for each line are pairs: against one stone at a time the breaker takes the other one. With at least
    L - b own squares each, he holds MBBoardNX(L,b): whenever the maker takes an own square of a line, the breaker takes
    the square of that line that is reserved for him; so no line without his stone has more than b of the maker's.
    """
    lines = {
        (x, y): (("column", x), ("diagonal", x + y if x + y > length else x + y + length)) for x, y in _zone(length)
    }
    owner: dict[tuple[int, int], tuple[str, int]] = {}

    def give(line: tuple[str, int], tried: set[tuple[int, int]]) -> bool:
        for square, both in lines.items():
            if line in both and square not in tried and owner.get(square) != line:
                tried.add(square)
                if square not in owner or give(owner[square], tried):
                    owner[square] = line
                    return True
        return False

    wanted = {line for both in lines.values() for line in both}
    if not all(give(line, set()) for line in sorted(wanted) for _ in range(each)):
        return None
    return {line: sorted(square for square, own in owner.items() if own == line) for line in sorted(wanted)}


def _zone(length: int) -> list[tuple[int, int]]:
    return [(x, y) for x in range(1, length + 1) for y in range(1, length + 1)]


@dataclass(frozen=True)
class BaseCase:
    """A game at the bottom of the chain, and what the search found."""

    lemma: str
    game: str
    how: str
    holds: bool


def base_cases() -> list[BaseCase]:
    """Settles the first games of the chain: on the endless strip by squares of their own for the lines; parts of it,
    and the rectangles of Lemmas 5 and 6, by playing everything out."""
    found = [
        BaseCase("Lemma 8", "MBBoardN(4,1)", "two own squares for each line", own_squares(4, 2) is not None),
        BaseCase("Lemma 9", "MBBoardNX(2,1)", "an own square for each line", own_squares(2, 1) is not None),
        BaseCase("Lemma 10", "MBBoardNX(3,2)", "an own square for each line", own_squares(3, 1) is not None),
    ]
    for lemma, length, bound, zones in (("Lemma 9", 2, 1, 3), ("Lemma 10", 3, 2, 1)):
        game = reserved_game(strip(length, zones), bound)
        words = f"any number of stones, {zones} {'zone' if zones == 1 else 'zones'} of the strip, played out"
        found.append(BaseCase(lemma, f"MBBoardNX({length},{bound})", words, game.holds() is True))
    for rows, columns in ((2, 2), (2, 3), (3, 3)):
        for lemma, corner in (("Lemma 5", True), ("Lemma 6", False)):
            game = reserved_game(rectangle(rows, columns, corner=corner), 1)
            name = f"MBBoardX({rows} x {columns}{'' if corner else ' without a corner'}, 1)"
            found.append(BaseCase(lemma, name, "any number of stones, played out", game.holds() is True))
    return found
