"""Writes proof files, and joins them. Nothing is written that the checker would refuse, open leaves apart."""

from __future__ import annotations

import gzip
import hashlib
import random
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tengen.game import BLACK, WHITE, Colour, Position, TengenError
from tengen.game.square import as_square
from tengen.prove.check import (
    MAGIC,
    MAX_K,
    MAX_P,
    MAX_SPAN,
    Board,
    Header,
    HoldWalk,
    Refused,
    Survey,
    WinWalk,
    bits,
    body,
    cover,
    defences,
)
from tengen.record.files import replacing
from tengen.solve import Solution, Strategy

MACRO = -1
"""As number of passes: the reply stands for every reply of full size among its stones."""

WinStrategy = Any
"""`(move, [(stones, passes, answer), …])`, or None for an open leaf. Squares are `Square`s, their names, or numbers
`column + row * width`."""
HoldStrategy = Any
"""None where nothing is left to prove, `("pairs", [(a, b), …])`, or `[(attacking stones, reply, strategy), …]`."""

_Call = Generator["_Call", Any, Any]


class _Tree(NamedTuple):
    """A strategy in sets of squares: the move, and the answers by stones and whether they are a macro."""

    move: int
    answers: dict[tuple[int, bool], _Tree | None]


def write_win(path: str | Path, position: Position, attacker: Colour, strategy: WinStrategy) -> int:
    """Writes a proof that the attacker wins; returns the number of its nodes.

    If the defender is to move, the strategy is the list of replies alone. Replies that need no answer are left out.
    Answers of None are open leaves, to be filled by `join`; with them the strategy is written as it is.

    Raises:
        TengenError: if the strategy is not complete, or wrong. Nothing is written then.
        OSError: if the file cannot be written.
    """
    to_defend = position.turn is not attacker
    root = ((), strategy) if to_defend else strategy
    board = _board(position, _squares_of_win(root) if position.game.is_infinite else ())
    return _write_tree(path, _header(position, "win", attacker), board, _tree(root, board))


def write_solution(path: str | Path, solution: Solution) -> int:
    """Writes a proof of a solver's win; returns the number of its nodes.

    Raises:
        TengenError: if there is no win, or the defender is to move: that he loses after a pass proves nothing.
        OSError: if the file cannot be written.
    """
    if solution.strategy is None:
        raise TengenError("there is no win to prove")
    if solution.position.turn is not solution.side:
        raise TengenError(f"it is {solution.position.turn}'s turn: that he loses after a pass proves nothing")
    return write_win(path, solution.position, solution.side, _plain(solution.strategy))


def write_hold(path: str | Path, position: Position, attacker: Colour, strategy: HoldStrategy) -> int:
    """Writes a proof that the attacker completes no row before the defender does; returns the number of its nodes.

    If the defender is to move, the strategy is a list of one entry without attacking stones.

    Raises:
        TengenError: if the strategy is not complete, or wrong. Nothing is written then.
        OSError: if the file cannot be written.
    """
    header, board = _header(position, "hold", attacker), _board(position, ())
    with _writing(path, header) as output:
        _HoldWriter(output, board, header, attacker).write(strategy)
    return output.nodes


def write_draw(path: str | Path, position: Position, against_black: HoldStrategy, against_white: HoldStrategy) -> int:
    """Writes a proof that neither side wins: one strategy against each; returns the number of its nodes.

    Raises:
        TengenError: if a strategy is not complete, or wrong. Nothing is written then.
        OSError: if the file cannot be written.
    """
    header, board = _header(position, "draw", None), _board(position, ())
    with _writing(path, header) as output:
        for attacker, strategy in ((BLACK, against_black), (WHITE, against_white)):
            _HoldWriter(output, board, header, attacker).write(strategy)
    return output.nodes


def join(path: str | Path, main: str | Path, parts: Iterable[str | Path]) -> tuple[int, int]:
    """Fills the open leaves of a proof of a win with other proofs; returns the nodes, and the leaves that stay open.

    A part fits where its first position equals the leaf's, mirrored or rotated.

    Raises:
        NoProofError: if a file is no proof.
        TengenError: if a file is damaged or proves something else.
        OSError: if a file cannot be read or written.
    """
    names = [main, *parts]
    try:
        surveys = [Survey(name) for name in names]
        header = surveys[0].header
        for name, survey in zip(names, surveys, strict=True):
            other = survey.header
            if other.claim != "win" or (other.game, other.attacker) != (header.game, header.attacker):
                raise TengenError(
                    f"{name} proves something else than {main}: game, attacker and claim must be the same"
                )
            if survey is not surveys[0] and other.turn != other.attacker:
                raise TengenError(f"{name} begins with the defender to move; a leaf has the attacker to move")
        for survey in surveys[1:]:  # one window for all, on the infinite board
            ours, its = surveys[0].box, survey.box
            surveys[0].box = [min(ours[0], its[0]), min(ours[1], its[1]), max(ours[2], its[2]), max(ours[3], its[3])]
        board = surveys[0].board()
        pool = _Seen(board)
        for name, survey in zip(names[1:], surveys[1:], strict=True):
            own, defending = _sides(board, survey.header)
            room = (board.every & ~(own | defending)).bit_count() - 1
            if survey.header.left == (header.p if board.infinite else min(header.p, room)):
                pool.add(own, defending, _read(name, survey, board), 0)
        tree = _run(
            _filled(_read(main, surveys[0], board), *_sides(board, header), pool, header.turn == header.attacker)
        )
    except Refused as refusal:
        raise TengenError(str(refusal)) from refusal
    return _write_tree(path, header, board, tree), _open_count(tree)


# Strategies as trees of sets


def _number(square: object, board: Board) -> int:
    if isinstance(square, int):
        x, y = square % board.width, square // board.width
    else:
        x, y = as_square(square)
        x, y = x - board.left, y - board.bottom
    if not (0 <= x < board.width and 0 <= y < board.height):
        raise TengenError(f"{square} is off the board")
    return x + y * board.width


def _set(squares: Sequence[object], board: Board) -> int:
    found = 0
    for square in squares:
        found |= 1 << _number(square, board)
    if found.bit_count() != len(squares):
        raise TengenError("a square stands twice in one move")
    return found


def _squares_of_win(strategy: WinStrategy) -> Iterator[object]:
    stack = [strategy]
    while stack:
        node = stack.pop()
        if node is not None:
            yield from node[0]
            for stones, _, answer in node[1]:
                yield from stones
                stack.append(answer)


def _tree(strategy: WinStrategy, board: Board) -> _Tree | None:
    """A strategy as sets; subtrees that are one object stay one."""
    made: dict[int, _Tree | None] = {id(None): None}
    stack = [strategy]
    while stack:
        node = stack[-1]
        if id(node) in made:
            stack.pop()
            continue
        move, replies = node
        missing = [answer for _, _, answer in replies if id(answer) not in made]
        if missing:
            stack += missing
            continue
        answers = {(_set(stones, board), passes == MACRO): made[id(answer)] for stones, passes, answer in replies}
        made[id(node)] = _Tree(_set(move, board), answers)
        stack.pop()
    return made[id(strategy)]


def _plain(strategy: Strategy) -> WinStrategy:
    return strategy.move.squares, [
        (reply.move.squares, int(reply.move.is_pass), _plain(reply.answer)) for reply in strategy.replies
    ]


def _open_count(tree: _Tree | None) -> int:
    count, stack = 0, [tree]
    while stack:
        node = stack.pop()
        if node is None:
            count += 1
        else:
            stack += node.answers.values()
    return count


def _run(call: _Call) -> Any:
    """Runs a generator that yields calls of its kind and is sent what they return: recursion of any depth."""
    stack, value = [call], None
    while stack:
        try:
            stack.append(stack[-1].send(value))
            value = None
        except StopIteration as end:
            stack.pop()
            value = end.value
    return value


def _turned(tree: _Tree | None, board: Board, symmetry: int) -> _Call:
    if tree is None or symmetry == 0:
        return tree
    answers = {}
    for (stones, macro), answer in tree.answers.items():
        answers[board.image(stones, symmetry), macro] = yield _turned(answer, board, symmetry)
    return _Tree(board.image(tree.move, symmetry), answers)


def _filled(tree: _Tree | None, own: int, other: int, pool: _Seen, is_answer: bool) -> _Call:
    """The tree with its open leaves filled from the pool, as far as that has them."""
    if tree is None:
        found = pool.find(own, other) if is_answer else None
        if found is None:
            return None
        part, _, symmetry = found
        tree = _run(_turned(part, pool.board, symmetry))
    answers = {}
    for (stones, macro), answer in tree.answers.items():
        answers[stones, macro] = yield _filled(answer, own | tree.move, other | stones, pool, True)
    return _Tree(tree.move, answers)


def _equal(one: _Tree | None, two: _Tree | None, board: Board, symmetry: int) -> bool:
    """Whether a symmetry takes one tree to the other."""
    stack = [(one, two)]
    while stack:
        a, b = stack.pop()
        if a is b and (symmetry == 0 or a is None):
            continue
        if a is None or b is None or len(a.answers) != len(b.answers) or board.image(a.move, symmetry) != b.move:
            return False
        for (stones, macro), answer in a.answers.items():
            key = board.image(stones, symmetry), macro
            if key not in b.answers:
                return False
            stack.append((answer, b.answers[key]))
    return True


class _Seen:
    """Positions by what they have in common under symmetry, each with something that belongs to it."""

    def __init__(self, board: Board) -> None:
        self.board = board
        fits = not board.infinite
        self.symmetries = [t for t in range(8) if t == 0 or (fits and (t < 4 or board.width == board.height))]
        rng = random.Random(6)
        codes = [[rng.getrandbits(64) for _ in board.names] for _ in range(2)]
        images = [[bits(board.image(1 << i, t))[0] for i in range(len(board.names))] for t in self.symmetries]
        self.codes = [[[side[i] for i in image] for side in codes] for image in images]
        self.known: dict[int, list[tuple[int, int, Any, int]]] = {}

    def key(self, own: int, other: int) -> int:
        """The same number for all symmetric positions."""
        keys = []
        own_squares, other_squares = bits(own), bits(other)
        for first, second in self.codes:
            code = 0
            for i in own_squares:
                code ^= first[i]
            for i in other_squares:
                code ^= second[i]
            keys.append(code)
        return min(keys)

    def add(self, own: int, other: int, thing: Any, number: int) -> None:
        """Keeps a position with something and a number."""
        self.known.setdefault(self.key(own, other), []).append((own, other, thing, number))

    def find(self, own: int, other: int, tree: _Tree | None = None) -> tuple[Any, int, int] | None:
        """An equal position (with an equal tree, if one is given): what belongs to it, its number, and the symmetry
        that takes it to this one."""
        image = self.board.image
        for earlier_own, earlier_other, thing, number in self.known.get(self.key(own, other), ()):
            for t in self.symmetries:
                same = image(earlier_own, t) == own and image(earlier_other, t) == other
                if same and (tree is None or _equal(thing, tree, self.board, t)):
                    return thing, number, t
        return None


# Files


def _header(position: Position, claim: str, attacker: Colour | None) -> Header:
    game = position.game
    if game.k > MAX_K or max(game.p, game.q) > MAX_P:
        raise TengenError(f"{game}: proof files know k up to {MAX_K}, p and q up to {MAX_P}")
    sides = [
        tuple(sorted(((s.x, s.y) for s in position.stones(c)), key=lambda s: (s[1], s[0]))) for c in (BLACK, WHITE)
    ]
    left = 0 if position.is_draw else position.stones_left
    words = str(position.turn), left, claim, "-" if attacker is None else str(attacker)
    return Header(str(game), game.m, game.n, game.k, game.p, game.maker_breaker, (sides[0], sides[1]), *words)


def _board(position: Position, squares: Iterable[object]) -> Board:
    game = position.game
    if game.m is not None and game.n is not None:
        return Board(game.m, game.n, game.k, game.p)
    spots = [as_square(square) for square in squares] + [s for c in (BLACK, WHITE) for s in position.stones(c)]
    xs, ys = [x for x, _ in spots] or [9], [y for _, y in spots] or [9]
    k = game.k
    if max(max(xs) - min(xs), max(ys) - min(ys)) >= MAX_SPAN:
        raise TengenError(f"the squares of a proof must lie within {MAX_SPAN} columns and rows")
    return Board(
        max(xs) - min(xs) + 1 + 2 * k, max(ys) - min(ys) + 1 + 2 * k, k, game.p, min(xs) - k, min(ys) - k, True
    )


def _sides(board: Board, header: Header) -> tuple[int, int]:
    black, white = (board.set_of(side) for side in header.stones)
    return (black, white) if header.attacker == "black" else (white, black)


class _Output:
    """Lines on their way to a file."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self.stream, self.digest, self.nodes = stream, hashlib.sha256(), 0

    def put(self, text: str) -> None:
        line = f"{text}\n".encode()
        self.digest.update(line)
        self.stream.write(line)


@contextmanager
def _writing(path: str | Path, header: Header) -> Iterator[_Output]:
    stones = [
        " ".join([f"{letter}:", *(_name(s) for s in side)]) for letter, side in zip("BW", header.stones, strict=True)
    ]
    with (
        replacing(Path(path)) as file,
        gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=9, mtime=0) as stream,
    ):
        output = _Output(stream)
        for line in (
            MAGIC,
            f"game {header.game}",
            f"position {' '.join(stones)}",
            f"to-move {header.turn}",
            f"left {header.left}",
            f"claim {header.claim}",
            f"attacker {header.attacker}",
            "",
        ):
            output.put(line)
        try:
            yield output
        except Refused as refusal:
            raise TengenError(f"this proves nothing: {refusal}") from refusal
        output.put(f"end {output.nodes} {output.digest.hexdigest()}")


def _name(square: tuple[int, int]) -> str:
    return str(as_square(square))


def _write_tree(path: str | Path, header: Header, board: Board, tree: _Tree | None) -> int:
    with _writing(path, header) as output:
        writer = _WinWriter(output, board, header, has_open_leaves=_open_count(tree) > 0)
        own, other = _sides(board, header)
        if header.turn == header.attacker:
            _run(writer.answer(0, "-", own, other, tree))
        elif tree is not None:
            _run(writer.replies(1, own, other, tree))
        if not writer.as_it_is:
            writer.walk.finish()
    return output.nodes


class _WinWriter:
    """Writes a win line by line, and has the checker judge each."""

    def __init__(self, output: _Output, board: Board, header: Header, has_open_leaves: bool) -> None:
        self.output, self.board, self.as_it_is = output, board, has_open_leaves
        self.referenced: set[int] = set()
        self.walk = WinWalk(board, header, self.referenced)
        self.seen = _Seen(board)

    def put(self, depth: int, reply: str, answer: str) -> int:
        self.output.put(f"{depth} {reply} {answer}")
        self.output.nodes += 1
        if not self.as_it_is:
            self.walk.feed(self.output.nodes, f"{depth} {reply} {answer}")
        return self.output.nodes

    def answer(self, depth: int, reply: str, own: int, other: int, tree: _Tree | None) -> _Call:
        if tree is None:
            self.put(depth, reply, "?")
            return
        is_worth_it = depth > 0 and tree.answers
        if is_worth_it and (found := self.seen.find(own, other, tree)):
            self.put(depth, reply, f"={found[1]}.{found[2]}")
            return
        number = self.put(depth, reply, self.board.text(tree.move))
        if is_worth_it:
            self.referenced.add(number)
        yield self.replies(depth + 1, own | tree.move, other, tree)
        if not self.as_it_is:
            while len(self.walk.path) > depth and depth > 0:
                self.walk.close()
        if is_worth_it:
            self.seen.add(own, other, tree, number)

    def replies(self, depth: int, own: int, other: int, tree: _Tree) -> _Call:
        def text(stones: int, passes: int) -> str:
            return ("" if stones == 0 else self.board.text(stones)) + (f"/{passes}" if passes else "")

        macros = sorted((stones for stones, macro in tree.answers if macro), key=bits)
        if self.as_it_is:
            single = [stones for stones, macro in tree.answers if not macro]
            room = (self.board.every & ~(own | other)).bit_count() - 1
            due = self.board.p if self.board.infinite else min(self.board.p, room)
            if depth == 1 and self.walk.path and self.walk.path[0].number == 0:
                due = self.walk.path[0].stones
            for stones in sorted(single, key=lambda stones: (stones.bit_count(), bits(stones))):
                passes = due - stones.bit_count()
                yield self.answer(depth, text(stones, passes), own, other | stones, tree.answers[stones, False])
            used = set(macros)
        else:
            node, used = self.walk.path[-1], set()
            if self.board.has_row(own):
                return
            empty = self.board.every & ~(own | other)
            questions, further = cover(defences(self.walk.threats(node), node.stones), node.stones), None
            while True:
                try:
                    reply, passes = next(questions) if further is None else questions.send(further)
                except StopIteration:
                    break
                zones, further = None, 0
                if (reply, False) in tree.answers:
                    yield self.answer(depth, text(reply, passes), own, other | reply, tree.answers[reply, False])
                    zones = node.answers[reply]
                if passes:
                    further = self.walk.countable(empty if zones is None or passes > 3 else zones[passes - 1])
                elif zones is None and (macro := next((m for m in macros if not reply & ~m), None)):
                    used.add(macro)
                elif zones is None:
                    raise Refused(f"the reply {self.board.text(reply)} is not answered")
        for stones in sorted(used, key=bits):
            yield self.answer(depth, "+" + self.board.text(stones), own, other | stones, tree.answers[stones, True])


class _HoldWriter:
    """Writes a hold line by line, and has the checker judge each."""

    def __init__(self, output: _Output, board: Board, header: Header, attacker: Colour) -> None:
        self.output, self.board = output, board
        self.referenced: set[int] = set()
        self.walk = HoldWalk(board, header, str(attacker), self.referenced)
        self.seen = _Seen(board)

    def write(self, strategy: HoldStrategy) -> None:
        reply: Sequence[object] = ()
        if not self.walk.attacker_moves:
            if not isinstance(strategy, list) or len(strategy) != 1 or len(strategy[0][0]):
                raise TengenError("the defender is to move: his move must be the only entry, with no attacking stones")
            _, reply, strategy = strategy[0]
        stones = _set(reply, self.board)
        own, other = self.walk.root
        _run(self.node(0, 0, stones, own, other | stones, strategy))
        self.walk.finish()

    def node(self, depth: int, attack: int, reply: int, own: int, other: int, strategy: HoldStrategy) -> _Call:
        board, walk = self.board, self.walk
        found = self.seen.find(own, other) if depth else None
        is_list = False
        if walk.is_closed(own, other):
            kind = "x"
        elif found is not None:
            kind = f"={found[1]}.{found[2]}"
        elif isinstance(strategy, tuple) and len(strategy) == 2 and strategy[0] == "pairs":
            pairs = sorted(bits(_set(pair, board)) for pair in strategy[1])
            kind = ",".join("".join(board.names[i] for i in pair) for pair in pairs)
        elif isinstance(strategy, list):
            kind, is_list = ".", True
        else:
            raise TengenError(
                f"this proves nothing: after {board.text(attack)} {board.text(reply)} the attacker may win"
            )
        self.output.nodes += 1
        number = self.output.nodes
        if depth and kind != "x" and found is None:
            self.referenced.add(number)
        line = f"{depth} {board.text(attack)} {board.text(reply)} {kind}"
        self.output.put(line)
        walk.feed(number, line)
        if is_list:
            yield self.moves(depth + 1, own, other, strategy)
            while len(walk.path) > depth and depth:
                walk.close()
        if number in self.referenced:
            self.seen.add(own, other, None, number)

    def moves(self, depth: int, own: int, other: int, strategy: HoldStrategy) -> _Call:
        board, stand = self.board, self.walk.path[-1]
        dead = bits(board.every & ~(board.beyond | own | other | stand.live))
        chosen: dict[int, tuple[int, Any]] = {}
        for attack, reply, after in strategy:
            stones = _set(attack, board)
            live = stones & stand.live
            fill = sum(1 << square for square in dead[: stand.left - live.bit_count()])
            if stones in (live, live | fill):  # entries with other dead squares say the same again
                chosen[live] = _set(reply, board), after
        for live in sorted(chosen, key=lambda live: (live.bit_count(), bits(live))):
            reply, after = chosen[live]
            fill = sum(1 << square for square in dead[: stand.left - live.bit_count()])
            yield self.node(depth, live, reply, own | live | fill, other | reply, after)


def _read(path: str | Path, survey: Survey, board: Board) -> _Tree | None:
    """The strategy of a proof of a win, open leaves included."""
    numbered: dict[int, _Tree] = {}
    top = _Tree(0, {})
    starts = survey.header.turn == survey.header.attacker
    above = [top] if starts else [_Tree(0, {}), top]  # by depth, to what a line belongs
    for number, text in body(path):
        words = text.split(" ")
        if len(words) != 3 or not words[0].isdecimal() or int(words[0]) >= len(above):
            raise Refused(f"line {number} of the body of {path} is not written as it must be")
        del above[int(words[0]) + 1 :]
        stones = board.parse(words[1].strip("+").split("/")[0] or "-")[0]
        answer: _Tree | None = None
        if words[2].startswith("="):
            earlier, _, symmetry = words[2][1:].partition(".")
            if not earlier.isdecimal() or int(earlier) not in numbered or not symmetry.isdecimal():
                raise Refused(f"line {number} of the body of {path} refers to nothing")
            answer = _run(_turned(numbered[int(earlier)], board, int(symmetry)))
        elif words[2] != "?":
            answer = numbered[number] = _Tree(board.parse(words[2])[0], {})
        above[-1].answers[stones, words[1].startswith("+")] = answer
        if answer is not None and not words[2].startswith("="):
            above.append(answer)
    return next(iter(top.answers.values()), None) if starts else top
