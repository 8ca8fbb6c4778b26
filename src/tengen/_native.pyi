"""The native core. Checked against the built module by the tests (mypy's stubtest)."""

import builtins
from collections.abc import Callable
from typing import Any, Final, final

MAX_K: Final[int]
MAX_SIDE: Final[int]

def mix(value: int) -> int: ...

@final
class Board:
    """Stones of both colours (0 black, 1 white), with the counts of every segment kept up to date."""

    def __init__(self, width: int, height: int, k: int, left: int = 0, bottom: int = 0) -> None: ...
    def copy(self) -> Board: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def left(self) -> int: ...
    @property
    def bottom(self) -> int: ...
    @property
    def key(self) -> int: ...
    def place(self, x: int, y: int, colour: int) -> bool:
        """False, and nothing done, if the square is occupied or off the board."""

    def play(self, squares: tuple[tuple[int, int], ...], colour: int) -> int:
        """Places all stones or none: -1 if one does not fit, 1 if the colour has a row now, else 0."""

    def remove(self, x: int, y: int) -> bool: ...
    def at(self, x: int, y: int) -> int: ...
    def contains(self, x: int, y: int) -> bool: ...
    def count(self, colour: int) -> int: ...
    def stones(self, colour: int) -> list[tuple[int, int]]: ...
    def has_row(self, colour: int) -> bool: ...
    def row(self, colour: int) -> list[tuple[int, int]]: ...
    def segments(self) -> list[tuple[int, int, int, int, int]]: ...
    def segments_through(self, x: int, y: int) -> list[tuple[int, int, int, int, int]]: ...
    def symmetry_keys(self, floating: bool) -> list[int]: ...
    def exercise(self, rounds: int) -> int: ...

ROW_LEVEL: Final[int]

def active_segments(board: Board, colour: int, least: int) -> list[tuple[int, int, int, int]]:
    """Segments with an empty square, `least` stones of a colour and none of the other: direction, x, y, stones."""

@final
class LinePatterns:
    """Levels of lines (X own, . empty, # blocked), and of every empty square in every direction, from a kept table."""

    def __init__(self, k: int, p: int) -> None: ...
    @property
    def need(self) -> int: ...
    @property
    def reach(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def entries(self) -> int: ...
    def level(self, line: str) -> int: ...
    def points(self, line: str) -> list[tuple[int, int, int, int]]:
        """Place, level now, level with an own stone there, level with an opposing one, of every empty square."""

    def survey(self, board: Board, endless: bool) -> builtins.bytes:
        """The three levels of each square (row by row), direction and colour, as 16-bit numbers."""

@final
class Control:
    """What a caller may see and do while searches run."""

    def __init__(self) -> None: ...
    def stop(self) -> None: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...

@final
class Setup:
    """A position as the searches get it; squares are numbers, column + row * width."""

    def __init__(
        self,
        width: int,
        height: int,
        k: int,
        p: int,
        maker_breaker: bool,
        attackers: list[int],
        defenders: list[int],
    ) -> None: ...

def solve(
    control: Control,
    setup: Setup,
    stones: int,
    order: int,
    method: str,
    wide: bool,
    moves: int,
    tree_nodes: int,
    depth: int,
    nodes: int,
    seconds: float,
    table_bits: int,
    threads: int,
    shortest: bool,
    all: bool,
    zones: bool,
    first: list[int],
    progress: Callable[[int, int], object] | None = None,
) -> tuple[Any, ...]: ...
def defend(
    control: Control,
    setup: Setup,
    stones: int,
    order: int,
    prohibited: list[list[int]],
    reply_nodes: int,
    nodes: int,
    seconds: float,
    table_bits: int,
    threads: int,
    merge: bool,
    tell: Callable[[list[int], int, str, int, int], object] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[bool, bool, int, list[tuple[list[int], int, str, Any, int, int, int]]]: ...

ENGINE_WIN: Final[int]

class EvaluationWeights:
    """Weights from which the engine makes an evaluation."""

@final
class HuangTables(EvaluationWeights):
    """The evaluation of Huang's thesis."""

    def __init__(self) -> None: ...

@final
class CountingWeights(EvaluationWeights):
    """Weights of segments by the number of stones on them, for scores of positions and for ordering moves."""

    def __init__(
        self, k: int, own: list[int], other: list[int], tempo: int, order_own: list[int], order_other: list[int]
    ) -> None: ...

@final
class Network(EvaluationWeights):
    """A network for value and policy."""

    def __init__(self, k: int, p: int, data: bytes) -> None: ...
    @property
    def k(self) -> int: ...
    @property
    def p(self) -> int: ...
    def evaluate(
        self, setup: Setup, turn: int, stones_left: int, detour: list[int] = ..., portable: bool = ...
    ) -> tuple[list[int], list[int]]:
        """Return the logits of win, draw and loss (units of 1/1024), and of each square (units of 1/65536).

        White stones on `detour` are placed and removed again first. `portable` avoids instructions for vectors.
        """

    def measure(self, setup: Setup, turn: int, rounds: int) -> int:
        """Place a stone, evaluate and remove it, `rounds` times."""

def evaluate(setup: Setup, weights: EvaluationWeights, turn: int, detour: list[int] = ...) -> tuple[int, list[int]]:
    """Return the score for a side to move, and the score of each square for it (undefined for occupied squares).

    White stones on `detour` are placed and removed again first.
    """

@final
class EngineSettings:
    """How wide the engine looks, and how many nodes it gives to threats."""

    width: int
    root_attacks: int
    free_threats: int
    attacks: int
    root_threats: int
    threats: int
    null_threats: int
    single_threats: int

    def __init__(self) -> None: ...

def candidates(setup: Setup, weights: EvaluationWeights, turn: int, stones: int) -> list[list[int]]:
    """The moves that the engine tries in the middle of a search, the most promising first."""

class EngineMemory:
    """What searches remember of positions: for one at a time, always of the same board, rules and number of threads."""

    def __init__(self, table_bits: int, threads: int) -> None: ...

def think(
    control: Control,
    setup: Setup,
    turn: int,
    stones: int,
    weights: EvaluationWeights,
    settings: EngineSettings,
    lines: int,
    prohibited: list[list[int]],
    depth: int,
    nodes: int,
    soft_seconds: float,
    hard_seconds: float,
    threads: int,
    memory: EngineMemory,
    tell: Callable[[list[Any], int], object] | None = None,
) -> tuple[list[Any], int]: ...

MAX_SMALL_SQUARES: Final[int]

def settle(
    control: Control,
    width: int,
    height: int,
    k: int,
    p: int,
    maker_breaker: bool,
    black: list[int],
    white: list[int],
    turn: int,
    stones: int,
    nodes: int,
    seconds: float,
    table_bits: int,
    most_branches: int,
    progress: Callable[[int], bool] | None = None,
) -> tuple[Any, ...]:
    """The value of a small game for the side to move, nodes, why strategies are missing, a win, holds by attacker."""

SEARCH_WIN: Final[float]
SEQUENCES_WIN: Final[float]
SEQUENCES_STRONG: Final[float]
SEQUENCES_THREAT: Final[float]

def tie_key(x: int, y: int, salt: int) -> int: ...

@final
class Ranking:
    """A way to say what a stone is worth on each empty square: x, y, utility, best first."""

    @staticmethod
    def adjacent() -> Ranking: ...
    @staticmethod
    def windows() -> Ranking: ...
    @staticmethod
    def threats(prioritise: bool) -> Ranking: ...
    @staticmethod
    def sequences(defence: float) -> Ranking: ...
    @staticmethod
    def mesh(theirs: float) -> Ranking: ...
    def rank(
        self, board: Board, p: int, maker_breaker: bool, colour: int, left: int
    ) -> list[tuple[int, int, float]]: ...
    @property
    def evaluates(self) -> bool: ...
    def evaluate(self, board: Board, p: int, maker_breaker: bool, colour: int) -> float: ...
    def search(
        self,
        control: Control,
        board: Board,
        p: int,
        maker_breaker: bool,
        colour: int,
        left: int,
        depth: int,
        top: int,
        by_board: bool,
        nodes: int,
        seconds: float,
        salt: int,
    ) -> tuple[list[tuple[int, int]], float, int, bool]:
        """The best line of a minimax search, its value for the player to move, nodes, and whether it is complete."""

def random_games(
    control: Control,
    board: Board,
    p: int,
    maker_breaker: bool,
    colour: int,
    left: int,
    within: int,
    local: bool,
    games: int,
    seconds: float,
    seed: int,
) -> list[tuple[int, int, float]]:
    """The share of random games that a stone wins, for squares near the stones: x, y, share, best first."""

def sequence_threats(
    board: Board, p: int, maker_breaker: bool, squares: list[tuple[int, int]], colour: int
) -> tuple[int, int]:
    """Black's and White's threats by the marks of the Sequences agent: a scan, then a rescan after each stone given."""

@final
class MakerBreaker:
    """A maker-breaker game on at most 64 squares and lines, given as sets of bits; it keeps what it has found out."""

    def __init__(
        self,
        squares: int,
        lines: list[list[int]],
        symmetries: list[list[int]],
        p: int,
        reach: list[int],
        reserved: list[int],
    ) -> None: ...
    @property
    def positions(self) -> int: ...
    def holds(
        self,
        control: Control,
        lines: int,
        stones: int,
        nodes: int = 0,
        seconds: float = 0.0,
        progress: Callable[[int, int], object] | None = None,
    ) -> int:
        """1 if the breaker holds with the maker to move, 0 if not, -1 if a limit came first."""

    def strategy(self, lines: int, stones: int) -> list[tuple[int, int, list[tuple[int, int]]]]:
        """Parts (lines, stones) with their answers (move, reply)."""

    def parts(self, lines: int, stones: int) -> list[tuple[int, int]]: ...

def sudoku_solutions(digits: list[int], clues: list[int], most: int) -> list[list[int]]:
    """Solutions of the puzzle that has the digits (0 to 8) of these cells."""

def sudoku_sets(digits: list[int], regions: list[list[int]], most: int) -> list[list[int]]:
    """The minimal unavoidable sets of at most so many cells in any of the regions, smallest first."""

def sudoku_bands(
    control: Control,
    digits: list[int],
    clues: int,
    given: list[int],
    allowed: list[int],
    seconds: float,
    progress: Callable[[int, list[list[int]]], object] | None = None,
) -> tuple[bool, list[list[int]], int, dict[str, Any]]:
    """Whether all was searched, the puzzles, the certificate, and figures.

    Now and then progress is told how much was looked at, and the puzzles found since it was told last.
    """

MAX_DMUS_SETS: Final[int]

def sudoku_dmus(
    control: Control,
    digits: list[int],
    sets: list[list[int]],
    universe: list[int],
    clues: int,
    disjoint: int,
    shrinks: int,
    fewest_live: bool,
    busiest_first: bool,
    seconds: float,
) -> tuple[bool, list[list[int]], int, list[dict[str, int]]]:
    """Whether all was searched, the puzzles, how many candidates were judged, and what was counted on each level.

    Without digits there is no judge: what hits all sets is found.
    """

def sudoku_canonical(digits: list[int]) -> tuple[list[int], list[int], int]:
    """The canonical grid, the cell that each of its cells comes from, and the number of automorphisms."""

def sudoku_catalogue(control: Control, after: list[int], most: int) -> list[list[int]]:
    """The next canonical grids after one; fewer if stopped."""
