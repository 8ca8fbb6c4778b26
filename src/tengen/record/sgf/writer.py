"""Writing SGF."""

from __future__ import annotations

from tengen.game import CONNECT6, Move
from tengen.record.errors import RecordError
from tengen.record.sgf.grammar import escape
from tengen.record.sgf.points import LABELS, MOVES, POINT_LISTS, POINTED, Dialect, letter_pair
from tengen.record.tree import RESIGN, Node, Record, Visitor

_LINE_LENGTH = 72


def write_sgf(record: Record, dialect: Dialect = Dialect.FF4) -> str:
    """The text of a record.

    Raises:
        RecordError: if the dialect has no way to write it (letter pairs reach 52 columns and rows).
    """
    return record.accept(_Writer(dialect))


class _Writer(Visitor[str]):
    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._parts: list[str] = []
        self._column = 0  # where the present line of text has got to
        self._is_root = True

    def begin_record(self, record: Record) -> None:
        self._game = record.game
        limit = {Dialect.LITTLE_GOLEM: None, Dialect.FF4: 52, Dialect.NCTU: 26}[self._dialect]
        if limit is not None and (
            record.game.m is None or record.game.n is None or max(record.game.m, record.game.n) > limit
        ):
            raise RecordError(
                f"{record.game}: letter pairs reach only {limit} columns and rows; write it as 'littlegolem'"
            )
        self._parts.append("(")

    def visit_node(self, node: Node) -> None:
        properties = node.properties
        if self._is_root:
            self._is_root = False
            properties = self._root_properties(properties)
        if self._dialect is not Dialect.LITTLE_GOLEM:
            move = node.move
            if move is not None and len(move.squares) + move.is_pass > 1:
                properties = self._split_turn(properties, move)
        self._write_node(
            "".join(
                [
                    f"{name}[" + "][".join([escape(self._value(name, value)) for value in values]) + "]"
                    for name, values in properties.items()
                ]
            )
        )

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
        head = {"FF": ["4"]}
        if self._dialect is Dialect.FF4:
            head["CA"] = ["UTF-8"]
            head["SZ"] = [str(game.m) if game.m == game.n else f"{game.m}:{game.n}"]
            head["RU"] = [str(game)]
        elif game != CONNECT6:
            head["RU"] = [str(game)]
        if "CA" in properties:
            head["CA"] = ["UTF-8"]
        # What the record has of these keeps its place, with the value that is true of this file.
        merged = {name: head.pop(name, values) for name, values in properties.items()}
        return {**head, **merged}

    def _split_turn(self, properties: dict[str, list[str]], move: Move) -> dict[str, list[str]]:
        """Writes all but the last stone as nodes of their own; what was said belongs to the last."""
        name = "B" if "B" in properties else "W"
        stones = [str(square) for square in move] + (["pass"] if move.is_pass else [])
        for stone in stones[:-1]:
            self._write_node(f"{name}[{self._value(name, stone)}]")
        return {key: [stones[-1]] if key == name else values for key, values in properties.items()}

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
