"""Writing SGF."""

from __future__ import annotations

from tengen.game import CONNECT6
from tengen.record.errors import RecordError
from tengen.record.sgf.grammar import escape
from tengen.record.sgf.points import LABELS, MOVES, POINT_LISTS, POINTED, Dialect, letter_pair
from tengen.record.tree import RESIGN, SETUP_PROPERTIES, UNREADABLE, Node, Record, Visitor

_LINE_LENGTH = 72


def write_sgf(record: Record, dialect: Dialect = Dialect.FF4, encoding: str = "utf-8") -> str:
    """The text of a record, to be encoded in that way. Beyond FF[4]'s 52 letters it is Little Golem's.

    Raises:
        RecordError: if the dialect has no way to write it (NCTU6's letters reach 26 columns and rows).
    """
    if dialect is Dialect.FF4 and (record.game.m is None or max(record.game.m, record.game.n or 0) > 52):
        dialect = Dialect.LITTLE_GOLEM
    return record.accept(_Writer(dialect, encoding))


class _Writer(Visitor[str]):
    def __init__(self, dialect: Dialect, encoding: str) -> None:
        self._dialect = dialect
        self._encoding = encoding.upper()
        self._parts: list[str] = []
        self._column = 0  # where the present line of text has got to
        self._is_root = True

    def begin_record(self, record: Record) -> None:
        self._game = record.game
        if self._dialect is Dialect.NCTU and (record.game.m is None or max(record.game.m, record.game.n or 0) > 26):
            raise RecordError(
                f"{record.game}: NCTU6's letters reach only 26 columns and rows; write it as 'littlegolem'"
            )
        self._parts.append("(")

    def visit_node(self, node: Node) -> None:
        properties = node.properties
        move = None if self._dialect is Dialect.LITTLE_GOLEM else node.move
        stones = [] if move is None else [*map(str, move.squares), *(["pass"] if move.is_pass else [])]
        # What was said belongs to the last stone, but a set-up comes before the first.
        said_first = self._is_root or not SETUP_PROPERTIES.isdisjoint(properties)
        if self._is_root:
            self._is_root = False
            properties = self._root_properties(properties)
        name = "B" if "B" in properties else "W"
        if len(stones) > 1:
            properties = {**properties, name: [stones[0] if said_first else stones[-1]]}
            for stone in [] if said_first else stones[:-1]:
                self._write_node(f"{name}[{self._value(name, stone)}]")
        self._write_node(
            "".join(
                [
                    f"{key.removeprefix(UNREADABLE)}["
                    + "][".join([escape(self._value(key, value)) for value in values])
                    + "]"
                    for key, values in properties.items()
                ]
            )
        )
        for stone in stones[1:] if said_first else []:
            self._write_node(f"{name}[{self._value(name, stone)}]")

    def begin_variation(self) -> None:
        self._parts.append("\n(")
        self._column = 1

    def end_variation(self) -> None:
        self._parts.append(")")

    def _write_node(self, content: str) -> None:
        if self._column > _LINE_LENGTH:
            self._parts.append("\n")
            self._column = 0
        self._parts.append(f";{content}")
        self._column += len(content) + 1

    def result(self) -> str:
        return "".join(self._parts) + ")\n"

    def _root_properties(self, properties: dict[str, list[str]]) -> dict[str, list[str]]:
        game = self._game
        size = "" if game.m is None else str(game.m) if game.m == game.n else f"{game.m}:{game.n}"
        true = {"FF": "4", "CA": self._encoding, "SZ": size, "RU": str(game)}
        wanted = (
            {"FF"} | ({"CA", "SZ", "RU"} if self._dialect is Dialect.FF4 else set()) | true.keys() & properties.keys()
        )
        if game != CONNECT6:
            wanted.add("RU")
        head = {name: [value] for name, value in true.items() if name in wanted and value}
        # What the record has of these keeps its place, with the value that is true of this file.
        merged = {name: head.pop(name, values) for name, values in properties.items() if name != "SZ" or size}
        return {**head, **merged}

    def _value(self, name: str, value: str) -> str:
        if name in MOVES:
            return self._move(value)
        if name not in POINTED:
            return value
        if name in POINT_LISTS:
            return self._point(value)
        first, _, rest = value.partition(":")
        return f"{self._point(first)}:{rest if name in LABELS else self._point(rest)}"

    def _move(self, value: str) -> str:
        if self._dialect is Dialect.LITTLE_GOLEM:
            return value.replace(" ", "").lower()
        if value in ("pass", RESIGN):
            return "" if value == "pass" else value
        return self._point(value)

    def _point(self, value: str) -> str:
        if self._dialect is Dialect.LITTLE_GOLEM:
            return value.lower()
        return letter_pair(value, self._game.n or 0, self._dialect)
