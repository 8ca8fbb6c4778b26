"""The rules of Connect(m,n,k,p,q) in plain Python, with nothing clever in it."""

from dataclasses import dataclass, field

DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


@dataclass
class ReferenceBoard:
    m: int
    n: int
    k: int
    stones: dict[tuple[int, int], int] = field(default_factory=dict)

    def segments(self) -> list[tuple[int, int, int, int, int]]:
        """Every k squares in a row: first square, direction, black stones, white stones."""
        found = []
        for number, (dx, dy) in enumerate(DIRECTIONS):
            for y in range(self.n):
                for x in range(self.m):
                    squares = [(x + i * dx, y + i * dy) for i in range(self.k)]
                    if all(0 <= a < self.m and 0 <= b < self.n for a, b in squares):
                        held = [self.stones.get(square) for square in squares]
                        found.append((x, y, number, held.count(0), held.count(1)))
        return found

    def has_row(self, colour: int) -> bool:
        return any((black, white)[colour] == self.k for _, _, _, black, white in self.segments())

    def longest_run_through(self, square: tuple[int, int]) -> int:
        colour = self.stones[square]
        best = 1
        for dx, dy in DIRECTIONS:
            length = 1
            for sign in (1, -1):
                x, y = square
                while self.stones.get((x + sign * dx, y + sign * dy)) == colour:
                    x, y = x + sign * dx, y + sign * dy
                    length += 1
            best = max(best, length)
        return best


@dataclass
class ReferenceGame:
    m: int
    n: int
    k: int
    p: int
    q: int
    board: ReferenceBoard = field(init=False)
    turn: int = 0
    placed_this_turn: int = 0
    first_turn: bool = True
    winner: int | None = None

    def __post_init__(self) -> None:
        self.board = ReferenceBoard(self.m, self.n, self.k)

    def due(self) -> int:
        """How many stones are still due in this turn."""
        wanted = (self.q if self.first_turn else self.p) - self.placed_this_turn
        return min(wanted, self.m * self.n - len(self.board.stones))

    def place(self, square: tuple[int, int]) -> None:
        self.board.stones[square] = self.turn
        self.placed_this_turn += 1
        if self.winner is None and self.board.longest_run_through(square) >= self.k:
            self.winner = self.turn
        if self.due() == 0:
            self.turn, self.placed_this_turn, self.first_turn = 1 - self.turn, 0, False
