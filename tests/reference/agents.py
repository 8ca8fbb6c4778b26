"""The agents of the Connect-k paper in plain Python, square by square and window by window."""

from dataclasses import dataclass, field, replace

Square = tuple[int, int]
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
TIER_BITS = 6


@dataclass(frozen=True)
class State:
    """A board of m columns and n rows, whose turn it is, and how many stones he has left."""

    m: int
    n: int
    k: int
    p: int
    stones: dict[Square, int]
    me: int
    left: int
    maker_breaker: bool = False

    def has(self, square: Square) -> bool:
        return 0 <= square[0] < self.m and 0 <= square[1] < self.n

    def empty(self) -> list[Square]:
        """Row by row from below."""
        return [(x, y) for y in range(self.n) for x in range(self.m) if (x, y) not in self.stones]

    def can_win(self, colour: int) -> bool:
        return colour == 0 or not self.maker_breaker

    def window(self, first: Square, direction: int) -> list[Square] | None:
        """k squares from one on; None if they leave the board."""
        dx, dy = DIRECTIONS[direction]
        squares = [(first[0] + i * dx, first[1] + i * dy) for i in range(self.k)]
        return squares if all(map(self.has, squares)) else None

    def windows(self) -> list[tuple[int, list[Square]]]:
        """Every window with its direction, in the order in which it slides: from the left, or from below."""
        found = []
        for direction in range(4):
            for first in sorted((x, y) for x in range(self.m) for y in range(self.n)):
                if (squares := self.window(first, direction)) is not None:
                    found.append((direction, squares))
        return found

    def held(self, squares: list[Square]) -> tuple[int, int]:
        colours = [self.stones.get(square) for square in squares]
        return colours.count(0), colours.count(1)

    def play(self, square: Square) -> "State":
        """The state after a stone of the player to move."""
        stones = {**self.stones, square: self.me}
        if self.left > 1:
            return replace(self, stones=stones, left=self.left - 1)
        return replace(self, stones=stones, me=1 - self.me, left=min(self.p, self.m * self.n - len(stones)))

    def has_row(self, colour: int) -> bool:
        return self.can_win(colour) and any(self.held(squares)[colour] == self.k for _, squares in self.windows())


def tier(stones: int) -> float:
    return float(2 ** (TIER_BITS * (stones - 1)))


def adjacent(state: State) -> dict[Square, float]:
    beside = [
        (x, y) for x, y in state.empty() if any((x + i, y + j) in state.stones for i in (-1, 0, 1) for j in (-1, 0, 1))
    ]
    return dict.fromkeys(beside or state.empty(), 0.0)


def windows(state: State) -> dict[Square, float]:
    values = dict.fromkeys(state.empty(), 0.0)
    other = 1 - state.me
    for _, squares in state.windows():
        held = state.held(squares)
        mine, theirs = held[state.me], held[other]
        worth = 0.0
        if theirs == 0 and state.can_win(state.me):
            worth = (tier(mine) if mine else 0.0) + (tier(state.k + 1) if mine + state.left >= state.k else 0.0)
        elif theirs and mine == 0 and state.can_win(other):
            worth = 2 * tier(theirs)
        for square in squares:
            if square in values:
                values[square] += worth
    return values


# Threats: section 3.2


def lines(state: State) -> list[list[Square]]:
    found = []
    for dx, dy in DIRECTIONS:
        for x in range(state.m):
            for y in range(state.n):
                if not state.has((x - dx, y - dy)):
                    line = [(x + i * dx, y + i * dy) for i in range(max(state.m, state.n))]
                    line = [square for square in line if state.has(square)]
                    if len(line) >= state.k:
                        found.append(line)
    return found


def sequences_at(cells: list[int | None], place: int, k: int) -> list[tuple[int, int]]:
    """The sequences (stones, owner) that an empty place of a line is on: looking ahead, and looking back."""
    found = []
    for row in (cells[place:], cells[: place + 1][::-1]), (cells[: place + 1][::-1], cells[place:]):
        ahead, behind = row[0][1:k], row[1][1:k]
        open_ahead: list[int] = []
        area: list[int | None] = [None]
        for cell in ahead:
            if cell is not None and open_ahead and cell != open_ahead[0]:
                break
            if cell is not None:
                open_ahead.append(cell)
            area.append(cell)
        owner = open_ahead[0] if open_ahead else None
        for cell in behind:
            if cell is None or owner not in (None, cell):
                break
            owner = cell
            area.insert(0, cell)
        if owner is not None and len(area) >= k:
            found.append((max(area[i : i + k].count(owner) for i in range(len(area) - k + 1)), owner))
    return found


def threat_values(state: State) -> list[tuple[Square, int, int]]:
    """Every value of a square, as (square, stones, owner), that is in no larger one's shadow."""
    kept = []
    for line in lines(state):
        cells = [state.stones.get(square) for square in line]
        found = [[] if cell is not None else sequences_at(cells, i, state.k) for i, cell in enumerate(cells)]
        for place, threats in enumerate(found):
            for stones, owner in threats:
                shadows = [
                    other
                    for near in found[max(0, place - state.k) : place + state.k + 1]
                    for other, whose in near
                    if whose == owner and other > stones
                ]
                if not shadows and state.can_win(owner):
                    kept.append((line[place], stones, owner))
    return kept


def threats(state: State, prioritise: bool = False) -> dict[Square, float]:
    values = dict.fromkeys(state.empty(), 0.0)
    need = max(1, state.k - state.p)
    for square, stones, owner in threat_values(state):
        rank = stones
        if prioritise and owner == state.me:
            rank = state.k + 1 if stones + state.left >= state.k else 1 if stones >= need else stones
        elif prioritise:
            rank = state.k if stones >= need else stones
        values[square] += tier(rank)
    return values


def threat_balance(state: State, colour: int) -> float:
    return sum(tier(stones) if owner == colour else -tier(stones) for _, stones, owner in threat_values(state))


# Sequences


@dataclass
class Marks:
    """The threat windows of both players, found by marks; kept up to date by scanning windows again."""

    state: State
    counted: list[dict[tuple[Square, int], list[Square]]] = field(default_factory=lambda: [{}, {}])
    """Of each player, the windows that count (by first square and direction), with the squares they mark."""

    @classmethod
    def of(cls, state: State) -> "Marks":
        marks = cls(state)
        for direction, squares in state.windows():
            marks.scan(squares, direction)
        return marks

    def scan(self, squares: list[Square], direction: int) -> None:
        held = self.state.held(squares)
        for colour in (0, 1):
            counted = self.counted[colour]
            counted.pop((squares[0], direction), None)
            if not self.state.can_win(colour) or held[1 - colour]:
                continue
            if not max(1, self.state.k - self.state.p) <= held[colour] < self.state.k:
                continue
            empty = [square for square in squares if square not in self.state.stones]
            if not any(square in marked for marked in counted.values() for square in empty):
                counted[squares[0], direction] = empty

    def rescan(self, stone: Square) -> None:
        for squares, direction in rescanned(self.state, stone):
            self.scan(squares, direction)

    def threats(self, colour: int) -> int:
        return len(self.counted[colour])


def rescanned(state: State, stone: Square) -> list[tuple[list[Square], int]]:
    """The windows that a new stone may change: those with it, and one on either side in each direction."""
    found = []
    for direction, (dx, dy) in enumerate(DIRECTIONS):
        for back in range(state.k, -2, -1):
            squares = state.window((stone[0] - back * dx, stone[1] - back * dy), direction)
            if squares is not None:
                found.append((squares, direction))
    return found


def score(state: State, colour: int) -> int:
    """The squares of the stones in each window of one colour alone."""
    if not state.can_win(colour):
        return 0
    return sum(held[colour] ** 2 for _, s in state.windows() if (held := state.held(s))[1 - colour] == 0)


def sequences(state: State, defence: float, win: float, strong: float, threat: float) -> dict[Square, float]:
    values = {}
    for square in state.empty():
        marks = Marks.of(state)
        marks.state = replace(state, stones={**state.stones, square: state.me}, left=state.left - 1)
        marks.rescan(square)
        values[square] = board_utility(marks, defence, win, strong, threat)
    return values


def board_utility(marks: Marks, defence: float, win: float, strong: float, threat: float) -> float:
    state = marks.state
    me, other = state.me, 1 - state.me
    for _, squares in state.windows():
        held = state.held(squares)
        if state.can_win(me) and held[other] == 0 and held[me] + state.left >= state.k:
            return win
    worth = score(state, me) - defence * score(state, other)
    if marks.threats(other):
        return worth - threat * marks.threats(other)
    return worth + strong if marks.threats(me) > state.p else worth


# Mesh


def mesh_depths(state: State, theirs: float, sweeps: int) -> dict[Square, float]:
    """The surface after so many sweeps, each square from those of the sweep before."""
    weight = {s: 1.0 if colour == state.me else theirs for s, colour in state.stones.items()}
    around = [(d * i, d * j) for d in (1, 2, 3, 4) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    squares = [(x, y) for x in range(state.m) for y in range(state.n)]
    depths = dict.fromkeys(squares, 0.0)
    for _ in range(sweeps):
        depths = {
            (x, y): weight.get((x, y), 0.0) + sum(depths.get((x + i, y + j), 0.0) for i, j in around) / len(around)
            for x, y in squares
        }
    return depths


# Monte Carlo


class Numbers:
    """The random numbers of the native core."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        word = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & word
        z = (self.state + 0x9E3779B97F4A7C15) & word
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & word
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & word
        z ^= z >> 31
        return ((z >> 32) * limit) >> 32


AROUND = [(-1, 1), (0, 1), (1, 1), (-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0)]


def monte_carlo(state: State, within: int, local: bool, games: int, seed: int) -> dict[Square, float]:
    numbers = Numbers(seed)
    reach = range(-within, within + 1)
    near = [(x, y) for x, y in state.empty() if any((x + i, y + j) in state.stones for i in reach for j in reach)]
    candidates = near or state.empty()
    points, played = dict.fromkeys(candidates, 0), dict.fromkeys(candidates, 0)
    for game in range(games):
        square = candidates[game % len(candidates)]
        points[square] += random_game(state, square, local, numbers)
        played[square] += 1
    return {s: points[s] / (2 * played[s]) if played[s] else 0.0 for s in candidates}


def random_game(state: State, square: Square, local: bool, numbers: Numbers) -> int:
    def beside(at: Square) -> list[Square]:
        return [(at[0] + i, at[1] + j) for i, j in AROUND]

    mover = state.me
    stones = state.stones
    choices = [s for s in state.empty() if not local or any(other in stones for other in beside(s))]
    while True:
        if square in choices:  # the last one takes its place
            choices[choices.index(square)] = choices[-1]
            choices.pop()
        player = state.me
        state = state.play(square)
        if state.can_win(player) and completes(state, square, player):
            return 2 if player == mover else 0
        if local:
            choices += [s for s in beside(square) if state.has(s) and s not in state.stones and s not in choices]
        if not choices:
            return 1
        square = choices[numbers.below(len(choices))]


def completes(state: State, square: Square, colour: int) -> bool:
    for dx, dy in DIRECTIONS:
        row = 1
        for sign in (1, -1):
            x, y = square
            while state.stones.get((x + sign * dx, y + sign * dy)) == colour:
                x, y, row = x + sign * dx, y + sign * dy, row + 1
        if row >= state.k:
            return True
    return False
