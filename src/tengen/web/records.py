"""Records on their way in and out: texts of any format, branches, words to look for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tengen.game import Game, Position, TengenError
from tengen.record import Record, RecordError, read_text
from tengen.record.tree import SETUP_PROPERTIES, Node
from tengen.web.document import MAX_NODES, Document, check_size, too_many_nodes

_MOVES = re.compile(r"\s*(Connect\([\d, ]+\)\s+)?([A-Za-z]{1,2}\d{1,2})+(\s|$)")
_SGF_SIGN = re.compile(r"\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\]?|[();]", re.DOTALL)
"""The marks that make the tree of a game in SGF, and values, in which the same characters have no meaning."""
_BEGINNING = 500
"""Characters of a text from which a line of moves is recognised."""


def read_any(text: str, game: Game | None) -> Iterator[Record]:
    """The records of a text in any format; a line of bare moves is one too.

    Raises:
        TengenError: if it is neither, or one of them is too large to be worked on.
    """
    _check_sgf(text)
    for record in _read(text, game):
        check_size(record)
        yield record


def _check_sgf(text: str) -> None:
    """Refuses SGF of which a record is too large to be worked on, without reading it: that would take long.

    Raises:
        TengenError: if it has more nodes than a document may have.
    """
    if text.count(";") <= MAX_NODES:  # nearly always, and quick
        return
    depth = nodes = 0
    for sign in _SGF_SIGN.finditer(text):
        if sign[0] == "(":
            nodes = nodes if depth else 0
            depth += 1
        elif sign[0] == ")":
            depth = max(0, depth - 1)
        elif sign[0] == ";" and depth:
            nodes += 1
            if nodes > MAX_NODES:
                raise too_many_nodes()


def _read(text: str, game: Game | None) -> Iterator[Record]:
    try:
        position = Position.parse(text.strip(), game)
    except TengenError as error:
        try:
            return iter(read_text(text, None, game))
        except RecordError:
            is_line = "\n" not in text.strip()
            if is_line and (len(text) < _BEGINNING or _MOVES.match(text[:_BEGINNING])):  # it is meant as moves
                raise error from None
            raise
    return iter([Record.from_position(position)])


def position_in(text: str, game: Game) -> Position | None:
    """The position that somebody looks for, if his words are moves or stones; one move alone may stand anywhere."""
    try:
        position = Position.parse(text.strip(), game)
    except TengenError:
        return None
    return position if position.game == game and len(text.split()) > 1 and position.stone_count > 1 else None


def excerpt_of(node: Node, wanted: str) -> str | None:
    """The first text of a node that has these words, with a bit of what stands around them."""
    wanted = wanted.casefold()
    for value in (value for values in node.properties.values() for value in values):
        at = value.casefold().find(wanted)
        if at >= 0:
            return value[max(0, at - 30) : at + len(wanted) + 30]
    return None


def title_of(record: Record) -> str:
    """What to call a record that nobody gave a title."""
    return record.title or record.game.name


def branch_of(document: Document, node: int) -> Record:
    """The record of a branch: the moves to it, and all that follows; what is beside it is left out.

    Raises:
        TengenError: if the node is not there.
    """
    chosen = document.tree.node(node)
    record = Record(document.record.game)
    copies: dict[Node, Node] = {}
    for original in [*chosen.path()[:-1], *chosen.walk()]:
        properties = {name: list(values) for name, values in original.properties.items()}
        copies[original] = Node(properties, copies.get(original.parent) if original.parent else None)
    record.root = next(iter(copies.values()))
    return record


def branches(record: Record, skip: int = 0) -> list[Node]:
    """What of a record can be put after a node of another: its moves, or the position it sets up with what follows.

    Args:
        record: where they are from.
        skip: so many nodes of its main line only lead to what is meant.
    """
    root = record.root
    if skip:
        return [*islice(root.main_line(), skip, skip + 1)]
    return root.children if SETUP_PROPERTIES.isdisjoint(root.properties) else [root]
