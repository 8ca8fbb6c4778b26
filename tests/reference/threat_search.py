"""Judges of the threat solver in plain Python: every move and every reply is tried, nothing is guessed.

A *gap* is what is missing from a segment that the other side has not touched: the set of its empty squares. A gap
of at most p squares is a threat, and the gap is where it can be met. So "hit all threats" is a question about sets
of squares only, and these judges know no lines, patterns or zones.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, combinations
from typing import Literal, TypedDict

Square = tuple[int, int]
Squares = frozenset[Square]

NONE: Squares = frozenset()


class Reply(TypedDict):
    """A defender's reply: his stones, how many more he may put anywhere, and what the attacker then does."""

    stones: list[Square]
    passes: int
    answer: "Tree"


class Tree(TypedDict):
    """A strategy: the attacker's stones, and an answer to every reply; no replies when the win is plain."""

    move: list[Square]
    replies: list[Reply]


# ---------------------------------------------------------------------------------------------------- the board


@cache
def segments(m: int, n: int, k: int) -> tuple[Squares, ...]:
    """Every k squares in a row (each once, also when k is 1)."""
    rows = []
    for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]:
        for x in range(m):
            for y in range(n):
                row = [(x + i * dx, y + i * dy) for i in range(k)]
                if all(0 <= a < m and 0 <= b < n for a, b in row):
                    rows.append(frozenset(row))
    return tuple(dict.fromkeys(rows))


@cache
def all_squares(m: int, n: int) -> Squares:
    return frozenset((x, y) for x in range(m) for y in range(n))


@dataclass
class Board:
    """A position of Connect(m,n,k,p,·): colours are 0 and 1, and who is to move is for the caller to know."""

    m: int
    n: int
    k: int
    p: int
    stones: dict[Square, int] = field(default_factory=dict)

    @classmethod
    def of(cls, m: int, n: int, k: int, p: int, black: Iterable[Square], white: Iterable[Square]) -> "Board":
        stones = dict.fromkeys(black, 0) | dict.fromkeys(white, 1)
        return cls(m, n, k, p, stones)

    @classmethod
    def parse(cls, k: int, p: int, text: str) -> "Board":
        """Rows from the top; X is colour 0, O is colour 1, anything else is empty."""
        rows = [row.split() for row in reversed(text.strip().splitlines())]
        assert len({len(row) for row in rows}) == 1, "the rows differ in length"
        stones = {(x, y): "XO".index(c) for y, row in enumerate(rows) for x, c in enumerate(row) if c in "XO"}
        return cls(len(rows[0]), len(rows), k, p, stones)

    def __str__(self) -> str:
        rows = [
            " ".join("." if (x, y) not in self.stones else "XO"[self.stones[x, y]] for x in range(self.m))
            for y in reversed(range(self.n))
        ]
        return "\n".join(rows)

    def of_colour(self, colour: int) -> Squares:
        return frozenset(square for square, held in self.stones.items() if held == colour)

    def segments(self) -> tuple[Squares, ...]:
        return segments(self.m, self.n, self.k)

    def empty(self) -> Squares:
        return all_squares(self.m, self.n) - self.stones.keys()

    def has_row(self, colour: int) -> bool:
        return any(segment <= self.of_colour(colour) for segment in self.segments())

    def threat_segments(self, colour: int) -> list[Squares]:
        """The segments without an opposing stone and with at least k-p stones of the colour."""
        own, theirs = self.of_colour(colour), self.of_colour(1 - colour)
        return [s for s in self.segments() if not s & theirs and len(s & own) >= self.k - self.p]

    def threat_number(self, colour: int) -> int:
        """The fewest stones that leave the colour no threat segment, by trying all sets of squares.

        Raises:
            ValueError: the colour has k in a row already, which no stone can undo.
        """
        own = self.of_colour(colour)
        gaps = [segment - own for segment in self.threat_segments(colour)]
        if NONE in gaps:
            raise ValueError("a finished row cannot be stopped")
        squares = sorted(set(chain.from_iterable(gaps)))
        for size in range(len(squares) + 1):
            for stones in combinations(squares, size):
                if all(not gap.isdisjoint(stones) for gap in gaps):
                    return size
        raise AssertionError("all squares together hit everything")


# ------------------------------------------------------------------------------------------------- hitting sets


def hitting_sets(gaps: list[Squares], most: int) -> set[Squares]:
    """Sets of at most `most` squares that hit every gap; every such set contains one of these.

    Some square of the first gap must be taken: try each, then go on with the gaps it does not hit.
    """
    if not gaps:
        return {NONE}
    if most == 0:
        return set()
    found = set()
    for square in gaps[0]:
        rest = [gap for gap in gaps if square not in gap]
        found |= {others | {square} for others in hitting_sets(rest, most - 1)}
    return found


def can_be_hit(gaps: list[Squares], most: int) -> bool:
    """Whether `most` squares can hit every gap."""
    if not gaps:
        return True
    if most == 0:
        return False
    if most == 1:
        return bool(gaps[0].intersection(*gaps[1:]))
    return any(can_be_hit([gap for gap in gaps if square not in gap], most - 1) for square in gaps[0])


def critical_defences(gaps: list[Squares], most: int) -> set[Squares]:
    """The sets of at most `most` squares that hit every gap and of which no square can be left out."""

    def needs(stones: Squares, square: Square) -> bool:
        return any(gap & stones == {square} for gap in gaps)

    return {stones for stones in hitting_sets(gaps, most) if all(needs(stones, square) for square in stones)}


def completions(cores: Iterable[Squares], squares: Squares, size: int) -> Iterator[Squares]:
    """Every set of `size` of the squares that contains one of the cores, once each."""
    seen = set()
    for core in cores:
        for others in combinations(sorted(squares - core), size - len(core)):
            whole = core.union(others)
            if whole not in seen:
                seen.add(whole)
                yield whole


# ------------------------------------------------------------------------------------------------- the searches


class Search:
    """Whether an attacker wins by moves that each leave at least `least` threats; one memory for one board size."""

    def __init__(self, m: int, n: int, k: int, p: int, least: int, *, fill: bool = False) -> None:
        self.p = p
        self.least = least
        self.fill = fill  # conservative: the defender takes all defending squares at once
        self.segments = segments(m, n, k)
        self.squares = all_squares(m, n)
        self.memory: dict[tuple[Squares, Squares, int, int], bool] = {}
        self.last_refutation: dict[int, Squares] = {}

    def gaps(self, own: Squares, theirs: Squares, most: int) -> list[Squares]:
        """What is missing from the segments that `theirs` do not touch, where that is at most `most` squares."""
        found = [segment - own for segment in self.segments if segment.isdisjoint(theirs)]
        return [gap for gap in found if len(gap) <= most]

    def wins(self, own: Squares, theirs: Squares, depth: int, stones: int) -> bool:
        """Whether the attacker, with `stones` to place, wins with at most `depth` attacking moves."""
        if depth == 0:
            return False
        key = own, theirs, depth, stones
        if key not in self.memory:
            self.memory[key] = self.search(own, theirs, depth, stones)
        return self.memory[key]

    def search(self, own: Squares, theirs: Squares, depth: int, stones: int) -> bool:
        if self.gaps(own, theirs, stones):
            return True  # he completes a row
        forcing = []
        for move, threats in self.forcing_moves(own, theirs, stones, self.p + 1 if depth == 1 else self.least):
            if not can_be_hit(threats, self.p):
                return True  # more threats than the defender has stones
            forcing.append((move, threats))
        if depth == 1:
            return False
        return any(self.all_replies_lose(own | move, theirs, threats, depth) for move, threats in forcing)

    def forcing_moves(
        self, own: Squares, theirs: Squares, stones: int, least: int
    ) -> Iterator[tuple[Squares, list[Squares]]]:
        """Every move that stops all the defender's threats and leaves at least `least` threats, with their gaps.

        Only the segments with at most p + stones squares missing can become threats. Such a gap of u squares becomes
        one by any u - p of them, its *makers*; a move that contains no makers of any gap leaves no threat at all, so
        the moves to try are those that contain some. This is all the thinning there is.
        """
        empty = self.squares - own - theirs
        stones = min(stones, len(empty))
        dangers = self.gaps(theirs, own, self.p)
        made_by: dict[Squares, list[Squares]] = {}
        for gap in self.gaps(own, theirs, self.p + stones):
            for makers in combinations(gap, max(0, len(gap) - self.p)):
                made_by.setdefault(frozenset(makers), []).append(gap)
        for move in completions(list(made_by), empty, stones):
            if any(gap.isdisjoint(move) for gap in dangers):
                continue
            parts = chain.from_iterable(combinations(move, size) for size in range(stones + 1))
            made = chain.from_iterable(made_by.get(frozenset(part), []) for part in parts)
            threats = [gap - move for gap in made]
            if not can_be_hit(threats, least - 1):
                yield move, threats

    def all_replies_lose(self, own: Squares, theirs: Squares, threats: list[Squares], depth: int) -> bool:
        """Whether the attacker, having made these threats, wins against every reply that meets them."""
        if self.fill:
            filled = theirs.union(*hitting_sets(threats, self.p))
            if any(segment <= filled for segment in self.segments):
                return False
            return self.wins(own, filled, depth - 1, self.p)
        empty = self.squares - own - theirs
        # Trying first what refuted the last move changes nothing but the time.
        first = self.last_refutation.get(depth, NONE)
        if self.is_reply(first, empty, threats) and not self.wins(own, theirs | first, depth - 1, self.p):
            return False
        for reply in completions(hitting_sets(threats, self.p), empty, min(self.p, len(empty))):
            if not self.wins(own, theirs | reply, depth - 1, self.p):
                self.last_refutation[depth] = reply
                return False
        return True

    def is_reply(self, stones: Squares, empty: Squares, threats: list[Squares]) -> bool:
        return (
            len(stones) == min(self.p, len(empty))
            and stones <= empty
            and all(not gap.isdisjoint(stones) for gap in threats)
        )


SearchFunction = Callable[[Board, int, int], bool]


def run(search: Search, board: Board, attacker: int, depth: int, stones_left: int | None) -> bool:
    assert not board.has_row(0), "the game is over"
    assert not board.has_row(1), "the game is over"
    stones = board.p if stones_left is None else stones_left
    return search.wins(board.of_colour(attacker), board.of_colour(1 - attacker), depth, stones)


def vcdt(board: Board, attacker: int, depth: int, stones_left: int | None = None) -> bool:
    """Whether the attacker, to move, wins by at most `depth` moves that each leave at least p threats.

    A move that completes a row, or leaves more than p threats to a defender who cannot complete one, is the last.
    """
    search = Search(board.m, board.n, board.k, board.p, least=board.p)
    return run(search, board, attacker, depth, stones_left)


def vcst(board: Board, attacker: int, depth: int, stones_left: int | None = None) -> bool:
    """The same with at least one threat a move, against every reply that meets the threats, free stones anywhere."""
    search = Search(board.m, board.n, board.k, board.p, least=1)
    return run(search, board, attacker, depth, stones_left)


def conservative(board: Board, attacker: int, depth: int, stones_left: int | None = None) -> bool:
    """As `vcdt`, but the defender takes the squares of all his possible replies at once."""
    search = Search(board.m, board.n, board.k, board.p, least=board.p, fill=True)
    return run(search, board, attacker, depth, stones_left)


def shortest(board: Board, attacker: int, search: SearchFunction, max_depth: int) -> int | None:
    """The fewest attacking moves with which the search finds a win, if at most `max_depth` do."""
    return next((depth for depth in range(1, max_depth + 1) if search(board, attacker, depth)), None)


# -------------------------------------------------------------------------------------------------- the referee


class Referee:
    """Plays a strategy tree against every reply there is, and names the first that the tree does not beat.

    A reply with passes stands for all the moves that have its stones and any others beside them. Its answer was made
    for the position without these others, the *extra* stones; here it must win as it stands with them on the board.
    So the referee never trusts the position that a tree was made for: at every step he looks at the real one, asks
    that the move is legal there, that the defender cannot complete a row, and that the threats force him, and finds
    the real replies himself. Extra stones then make no trouble of their own:

    - A threat that an extra stone blocks is no threat. If fewer than p are left, the defender has more free stones,
      and all of them are tried. If none is left, nothing forces him, and the tree has a hole.
    - A reply of the tree fits when all its stones are on the board in the end, whether placed now or extra before;
      what else the defender has is extra from then on. So `x y` of the tree answers a defender who had x already and
      now plays y and a free stone. If several replies of the tree fit, the attacker may follow any that wins.
    - A reply of the tree that names a square which is now the attacker's or empty does not fit, and is not used.

    Threats below `least_threats` are a fault only where no extra stone is on the board: with one, a tree may win by
    fewer, and all that counts is that it wins. A move of fewer than p stones is a move and passes, which a real stone
    can only better.
    """

    def __init__(self, board: Board, attacker: int, least_threats: int) -> None:
        self.board = board
        self.attacker = attacker
        self.least = least_threats
        self.free_stones: Literal["all"] | int = "all"
        self.rng = random.Random(0)
        self.known: dict[tuple[int, Squares, Squares, Squares], str | None] = {}

    def check(
        self,
        tree: Tree,
        free_stones: Literal["all"] | int = "all",
        rng: random.Random | None = None,
        stones_left: int | None = None,
    ) -> int:
        """Check the tree, and tell how many positions with the defender to move were looked at.

        Args:
            tree: what the attacker, to move, does.
            free_stones: "all" tries every way to place stones that the threats leave free; a number tries so many
                random ways for each critical defence, besides all that the tree names.
            rng: where the random ways come from.
            stones_left: how many stones the first move has, if not p.

        Raises:
            AssertionError: the tree is no win, and where it fails.
        """
        self.free_stones = free_stones
        self.rng = rng or random.Random(0)
        self.known = {}
        own, theirs = self.board.of_colour(self.attacker), self.board.of_colour(1 - self.attacker)
        stones = self.board.p if stones_left is None else stones_left
        fault = self.fault(tree, own, theirs, NONE, stones)
        if fault is not None:
            raise AssertionError(f"{fault}\nin the strategy of {'XO'[self.attacker]} for\n{self.board}")
        return len(self.known)

    def fault(self, tree: Tree, own: Squares, theirs: Squares, extra: Squares, stones: int) -> str | None:
        """Why the tree does not win for the attacker to move; `extra` are those of `theirs` that it does not know."""
        key = id(tree), own, theirs, extra
        if key not in self.known:
            self.known[key] = self.fault_of_move(tree, own, theirs, extra, stones)
        return self.known[key]

    def fault_of_move(self, tree: Tree, own: Squares, theirs: Squares, extra: Squares, stones: int) -> str | None:
        p = self.board.p
        squares = all_squares(self.board.m, self.board.n)
        move = as_squares(tree["move"])
        if len(tree["move"]) > stones:
            return f"move {show(move)} has more than {stones} stones"
        if len(move) < len(tree["move"]):
            return f"move {show(move)} names a square twice"
        if not move <= squares:
            return f"move {show(move)} leaves the board"
        if move & (own | theirs):
            return f"move {show(move)} takes the occupied {show(move & (own | theirs))}"
        own |= move
        if NONE in self.gaps(own, theirs):
            return None  # k in a row
        if self.gaps(theirs, own):
            return f"after move {show(move)} the defender completes a row"
        threats = self.gaps(own, theirs)
        number = next((count for count in range(p + 1) if can_be_hit(threats, count)), p + 1)
        if number > p:
            return None
        if not tree["replies"]:
            return f"the last move {show(move)} leaves {number} threats and no row"
        if number == 0 or (number < self.least and not extra):
            return f"move {show(move)} leaves {number} threats"
        if not extra:
            ill = self.ill_made_reply(tree["replies"], squares - own - theirs, critical_defences(threats, p))
            if ill is not None:
                return f"after move {show(move)} {ill}"
        for reply in self.replies(tree, threats, squares - own - theirs, extra):
            fault = self.fault_of_reply(tree, own, theirs, extra, reply)
            if fault is not None:
                return f"after move {show(move)} and reply {show(reply)}: {fault}"
        return None

    def gaps(self, own: Squares, theirs: Squares) -> list[Squares]:
        found = [segment - own for segment in self.board.segments() if segment.isdisjoint(theirs)]
        return [gap for gap in found if len(gap) <= self.board.p]

    def ill_made_reply(self, replies: list[Reply], empty: Squares, critical: set[Squares]) -> str | None:
        """In a position that the tree was made for: what is wrong with its list of replies as such."""
        size = min(self.board.p, len(empty))
        for reply in replies:
            stones = as_squares(reply["stones"])
            if not stones <= empty or len(stones) < len(reply["stones"]):
                return f"reply {show(stones)} is no move"
            if len(stones) + reply["passes"] not in (size, self.board.p):
                return f"reply {show(stones)} with {reply['passes']} passes has not {size} stones"
        listed = [as_squares(reply["stones"]) for reply in replies]
        missing = sorted(sorted(stones) for stones in critical if stones not in listed)
        return f"the critical defence {show(missing[0])} has no reply" if missing else None

    def replies(self, tree: Tree, threats: list[Squares], empty: Squares, extra: Squares) -> Iterator[Squares]:
        """The defender's moves to try: all that meet the threats, or some; in the tree's own position also passes."""
        size = min(self.board.p, len(empty))
        critical = sorted(critical_defences(threats, self.board.p), key=sorted)
        if not extra:
            yield from critical
        if self.free_stones == "all":
            yield from completions(critical, empty, size)
            return
        for reply in tree["replies"]:
            stones = as_squares(reply["stones"])
            if len(stones) == size and stones <= empty and all(not gap.isdisjoint(stones) for gap in threats):
                yield stones
        for core in critical:
            others = sorted(empty - core)
            for _ in range(self.free_stones if len(core) < size else 1):
                yield core.union(self.rng.sample(others, size - len(core)))

    def fault_of_reply(self, tree: Tree, own: Squares, theirs: Squares, extra: Squares, reply: Squares) -> str | None:
        """Why no answer of the tree beats the reply."""
        now = theirs | reply
        fitting = [entry for entry in tree["replies"] if as_squares(entry["stones"]) <= extra | reply]
        fitting.sort(key=lambda entry: -len(entry["stones"]))
        first_fault = None
        for entry in fitting:
            stones = as_squares(entry["stones"])
            fault = self.fault(entry["answer"], own, now, (extra | reply) - stones, self.board.p)
            if fault is None:
                return None
            if not extra and stones == reply:
                return fault  # the tree's own answer to just this
            first_fault = first_fault or f"the answer to {show(stones)} does not hold: {fault}"
        return first_fault or "there is no answer"


def as_squares(squares: Iterable[Iterable[int]]) -> Squares:
    """The squares as a set, also when they came from JSON as lists."""
    return frozenset((x, y) for x, y in squares)


def show(squares: Iterable[Square]) -> str:
    return " ".join(f"({x},{y})" for x, y in sorted(squares)) or "(nothing)"
