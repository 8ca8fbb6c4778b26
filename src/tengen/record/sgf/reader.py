"""Game trees from the tokens of SGF."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tengen.game import CONNECT6, Colour, Game, GameError, Position, TengenError
from tengen.record.errors import RecordError, RecordTooLargeError
from tengen.record.limits import MAX_PROBLEMS, ItemCount, ReadLimits, default_limits
from tengen.record.sgf.grammar import LONG_NAME, NEXT_VALUE, NOT_A_VALUE, START, TOKEN, bad_token, unescape
from tengen.record.sgf.points import MOVES, POINTED, read_values
from tengen.record.tree import RESIGN, SETUP_PROPERTIES, UNREADABLE, Node, Record, advance

_OTHER_GAMES = {
    "1": "Go", "2": "Othello", "3": "chess", "5": "nine men's morris", "6": "backgammon", "7": "Chinese chess",
    "8": "shogi", "9": "Lines of Action", "10": "Ataxx", "11": "Hex",
}  # fmt: skip
"""Numbers of FF[4]. Programs for Go write Connect6 with the number of Go, so only an illegal move tells them apart."""

_MAX_SIZE_LENGTH = 20


def read_sgf(
    text: str, game: Game | None = None, strict: bool = True, limits: ReadLimits | None = None
) -> Iterator[Record]:
    """Read a collection, one record after the other.

    Args:
        text: the file; anything before the first `(;` and between games is skipped, as FF[4] asks.
        game: the game that is played; by default that of the file (RU, SZ, GM), or Connect6 if the file names none.
        strict: whether an illegal move is an error. If not, it is added to the `problems` of the record.
        limits: limits for each record; by default those of the environment.

    Raises:
        RecordError: if the text is not SGF, a move is illegal, or a record is too large.
    """
    limits = limits or default_limits()
    position = 0
    is_empty = True
    while match := START.search(text, position):
        is_empty = False
        record, position = _read_tree(text, match.start(), game, strict, ItemCount(text, limits))
        yield record
    if is_empty:
        raise RecordError.at("no SGF (a game begins with '(;')", text, 0)


def _read_tree(text: str, start: int, game: Game | None, strict: bool, items: ItemCount) -> tuple[Record, int]:
    builder: _Builder | None = None
    properties: dict[str, list[str]] | None = None
    places: dict[str, int] = {}
    position = start
    depth = 0
    token = TOKEN.match

    def finish_node(end: int) -> None:
        nonlocal builder, properties, places
        if properties is None:
            return
        if builder is None:
            builder = _Builder(text, game or _game_of(properties, text, places), strict, items)
        builder.add(properties, places, end)
        properties, places = None, {}

    while True:
        match = token(text, position)
        if match is None:
            raise bad_token(text, position)
        position = match.end()
        mark = match["mark"]
        if mark is None:
            name = _name_of(match)
            if properties is None:
                raise RecordError.at(
                    f"property {name[:20]!r} stands outside a node: ';' is missing", text, match.start("name")
                )
            start_of_name = match.start("name")
            values: list[str] = []
            while match is not None:
                items.add(1, position)
                value = match[match.lastindex or 0]
                values.append(unescape(value) if "\\" in value else value)
                if text[position : position + 1] in NOT_A_VALUE:  # nearly always, and quicker than a match
                    break
                match = NEXT_VALUE.match(text, position)
                position = position if match is None else match.end()
            if name in properties:
                properties[name].extend(values)  # forbidden by FF[4], but nothing is to be lost
            else:
                properties[name] = values
                places[name] = start_of_name
            continue
        finish_node(match.start())
        items.add(1, position)
        if mark == ";":
            properties = {}
        elif mark == "(":
            depth += 1
            if builder is not None:
                builder.open()
        else:
            depth -= 1
            if depth == 0:
                break
            if builder is not None:
                builder.close()
    if builder is None:
        raise RecordError.at("the game has no node: ';' is missing", text, start)
    return builder.finish(), position


def _name_of(match: re.Match[str]) -> str:
    """Return the name of a property, in capitals."""
    name = match["name"]
    if not name.isupper():
        name = LONG_NAME.sub("", name) or name.upper()  # FF[1] to FF[3] wrote Black[..] for B[..]
    return name


def _next_colour(text: str, position: int) -> Colour | None:
    """Return the player of the next node, or of the first of the variations that begin here."""
    is_in_node = False
    while match := TOKEN.match(text, position) or NEXT_VALUE.match(text, position):
        if match.re is NEXT_VALUE:
            position = match.end()
            continue
        mark = match["mark"]
        if mark is None:
            if (name := _name_of(match)) in MOVES:
                return Colour.parse(name)
        elif is_in_node or mark == ")":
            break
        else:
            is_in_node = mark == ";"
        position = match.end()
    return None


def _game_of(properties: dict[str, list[str]], text: str, places: dict[str, int]) -> Game:
    """Return the game that the properties of a root name."""
    for rules in properties.get("RU", ()):
        try:
            return Game.parse(rules)
        except GameError:
            pass  # other programs write other things there
    size = properties.get("SZ", [""])[0].strip()
    if not size:
        return CONNECT6
    try:
        if len(size) > _MAX_SIZE_LENGTH:
            raise ValueError
        sides = [int(side) for side in re.split(r"[:x]", size)]
        m, n = sides if len(sides) == 2 else (sides[0], sides[0])
        if properties.get("GM", [""])[0].strip() == "4":  # FF[4]'s number for Gomoku
            return Game(m, n, 5, 1, 1)
        return Game(m, n, CONNECT6.k, CONNECT6.p, CONNECT6.q)
    except GameError as error:
        reason = str(error)
    except ValueError:
        reason = f"invalid board size {size[:_MAX_SIZE_LENGTH]!r} (expected 19 or 19:15)"
    raise RecordError.at(f"SZ: {reason}", text, places.get("SZ", 0))


class _Builder:
    """Builds a tree from nodes in the order of the text, keeps the position beside it, and joins stones of one turn.

    A turn that is written as one node for each stone becomes one node, if the earlier nodes have no other properties
    and no variation begins between them.
    """

    def __init__(self, text: str, game: Game, strict: bool, items: ItemCount) -> None:
        self.record = Record(game)
        self._text = text
        self._strict = strict
        self._items = items
        self._node: Node | None = None
        self._position: Position | None = Position(game)  # None below a node that could not be played
        self._branches: list[tuple[Node | None, Position | None, int]] = []
        self._may_join = False

    def add(self, properties: dict[str, list[str]], places: dict[str, int], end: int) -> None:
        """Add a node, given the places of its properties in the text and the place where it ends."""
        game, parent = self.record.game, self._node
        unreadable = []
        if properties.keys() >= MOVES:
            self._problem("a node has one move, not one of each player", max(places["B"], places["W"]))
            unreadable.append("B" if places["W"] < places["B"] else "W")  # the later one
        for name, values in properties.items():
            if name in POINTED and name not in unreadable:
                try:
                    points = read_values(name, values, game.n, game.m)
                    self._items.add(max(0, len(points) - len(values)), places[name])  # of a rectangle
                    properties[name] = points
                except RecordTooLargeError:
                    raise
                except TengenError as error:
                    self._problem(f"{name}: {error}", places[name])
                    unreadable.append(name)
        if unreadable:  # kept, but under a name that nobody takes for squares
            properties = {f"{UNREADABLE}{name}" if name in unreadable else name: v for name, v in properties.items()}
            if not MOVES.isdisjoint(unreadable):
                self._position = None
        colour = "B" if "B" in properties else "W"
        position = self._position
        joins = (
            self._may_join
            and position is not None
            and position.is_mid_turn
            and parent is not None
            and len(parent.properties) == 1
            and colour in parent.properties
            and colour in properties
            and RESIGN not in properties[colour]
        )
        node = Node(properties)
        if position is not None:
            try:
                is_setup = not SETUP_PROPERTIES.isdisjoint(properties)
                if is_setup:  # the position is built again from all its stones
                    self._items.add(position.stone_count, end)
                is_silent = "PL" not in properties and is_setup
                self._position = advance(position, node, _next_colour(self._text, end) if is_silent else None)
            except RecordTooLargeError:
                raise
            except TengenError as error:
                self._problem(str(error), places.get(colour, min(places.values(), default=0)))
                self._position = None
                joins = False
        self._may_join = True
        if joins and parent is not None:
            properties[colour][0] = _join(parent.properties[colour][0], properties[colour][0])
            parent.properties = properties
            return
        if parent is None:
            self.record.root = node
        else:
            node.parent = parent
            parent.children.append(node)
        self._node = node

    def open(self) -> None:
        """Begin a variation."""
        self._branches.append((self._node, self._position, self._position.steps if self._position is not None else 0))
        self._may_join = False

    def close(self) -> None:
        """End a variation: continue at the node where it began."""
        node, position, steps = self._branches.pop()
        if self._node is not node:
            self._drop_empty_leaf()
        self._node, self._position = node, position
        while self._position is not None and self._position.steps > steps:
            self._position.undo()
        self._may_join = False

    def finish(self) -> Record:
        self._drop_empty_leaf()
        return self.record

    def _drop_empty_leaf(self) -> None:
        # Little Golem ends its files with an empty node.
        node = self._node
        if node is not None and node.parent is not None and not node.properties and not node.children:
            self._node = node.parent
            node.parent.children.pop()  # it is the last one read
            node.parent = None

    def _problem(self, reason: str, place: int) -> None:
        number = (self.record.root.properties.get("GM") or [""])[0].strip()
        if number in _OTHER_GAMES:
            reason += f" (GM[{number}] says that this is {_OTHER_GAMES[number]})"
        error = RecordError.at(reason, self._text, place)
        if self._strict:
            raise error
        if len(self.record.problems) < MAX_PROBLEMS:
            self.record.problems.append(error)


def _join(first: str, second: str) -> str:
    return f"{first} pass" if second == "pass" else first + second
