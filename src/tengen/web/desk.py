"""The documents on the user's desk, kept in his store step by step: a crash loses nothing that was answered."""

from __future__ import annotations

import secrets
import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import BaseModel, ValidationError

from tengen.game import Game, TengenError
from tengen.record import Node, Record, Store
from tengen.web.changes import FlatNode, NumberedTree
from tengen.web.document import Document, Edit, Operation

SNAPSHOT_EVERY = 200
"""After so many operations the whole document is written anew: opening it stays quick."""


class Content(BaseModel):
    """A document as it was at some revision."""

    nodes: list[FlatNode]
    done: list[Edit]
    undone: list[Edit]


@dataclass(frozen=True)
class DeskEntry:
    """What the list of documents says of one."""

    id: str
    title: str
    game: str
    changed: datetime


def entry_of(row: tuple[str, str, str, str]) -> DeskEntry:
    """An entry of a row of the store."""
    id, title, game, changed = row
    return DeskEntry(id, title, game, datetime.fromisoformat(changed))


class Desk:
    """All documents. Safe to use from several threads, and by several processes one after the other.

    Raises:
        StoreError: from every method, if the store cannot be read or written.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._open: dict[str, Document] = {}
        self._lock = threading.RLock()

    def add(self, record: Record, title: str) -> Document:
        """Puts a record on the desk."""
        id = secrets.token_urlsafe(9)
        document = Document(id, title, NumberedTree(record))
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT INTO document (id, title, game, revision, content, changed) VALUES (?, ?, ?, ?, ?, ?)",
                (id, title, str(record.game), 0, content_of(document), now()),
            )
        return self._opened(document)

    def get(self, id: str) -> Document:
        """A document by its name.

        Raises:
            TengenError: if there is none, or what is kept of it is damaged.
        """
        with self._lock:
            if id in self._open:
                return self._open[id]
            with self._store.transaction() as connection:
                row = connection.execute(
                    "SELECT title, game, revision, content FROM document WHERE id = ?", (id,)
                ).fetchone()
                if row is None:
                    raise TengenError("there is no such record on the desk")
                operations = connection.execute(
                    "SELECT content FROM operation WHERE document = ? ORDER BY revision", (id,)
                ).fetchall()
            title, game, revision, content = row
            return self._opened(_restored(id, title, game, revision, content, [text for (text,) in operations]))

    def entries(self) -> list[DeskEntry]:
        """All documents that are in no collection, the last changed first."""
        with self._store.transaction() as connection:
            rows = connection.execute(
                "SELECT id, title, game, changed FROM document WHERE collection IS NULL ORDER BY changed DESC, id"
            ).fetchall()
        return [entry_of(row) for row in rows]

    def rename(self, id: str, title: str) -> Document:
        """Gives a document another title.

        Raises:
            TengenError: if there is none.
        """
        document = self.get(id)
        with document.lock, self._store.transaction() as connection:
            connection.execute("UPDATE document SET title = ? WHERE id = ?", (title, id))
            document.title = title
        return document

    def remove(self, id: str) -> None:
        """Takes a document off the desk for good.

        Raises:
            TengenError: if there is none.
        """
        document = self.get(id)
        with self._lock, document.lock, self._store.transaction() as connection:
            connection.execute("DELETE FROM document WHERE id = ?", (id,))
            del self._open[id]

    def forget(self, ids: Iterable[str]) -> None:
        """Documents that are no longer in the store."""
        with self._lock:
            for id in ids:
                self._open.pop(id, None)

    def _opened(self, document: Document) -> Document:
        document.keep = lambda operation: self._keep(document, operation)
        with self._lock:
            return self._open.setdefault(document.id, document)

    def _keep(self, document: Document, operation: Operation) -> None:
        """Called with the operation made but not counted yet."""
        revision = document.revision + 1
        with self._store.transaction() as connection:
            if revision % SNAPSHOT_EVERY == 0:
                _write_whole(connection, document, revision)
            else:
                connection.execute(
                    "INSERT INTO operation (document, revision, content) VALUES (?, ?, ?)",
                    (document.id, revision, operation.model_dump_json()),
                )
                connection.execute("UPDATE document SET changed = ? WHERE id = ?", (now(), document.id))


def _write_whole(connection: sqlite3.Connection, document: Document, revision: int) -> None:
    connection.execute(
        "UPDATE document SET revision = ?, content = ?, changed = ? WHERE id = ?",
        (revision, content_of(document), now(), document.id),
    )
    connection.execute("DELETE FROM operation WHERE document = ?", (document.id,))


def content_of(document: Document) -> str:
    """A document as it is kept."""
    nodes = document.tree.flat(document.record.root)
    return Content(nodes=nodes, done=document.done, undone=document.undone).model_dump_json()


def _restored(id: str, title: str, game: str, revision: int, content: str, operations: list[str]) -> Document:
    try:
        kept = Content.model_validate_json(content)
        document = Document(id, title, _tree(Game.parse(game), kept.nodes), revision)
        document.done, document.undone = kept.done, kept.undone
        for operation in operations:
            document.perform(Operation.model_validate_json(operation))
    except (ValidationError, TengenError, LookupError) as error:
        raise TengenError(f"what is kept of {title!r} is damaged: {error}") from error
    return document


def _tree(game: Game, flat: list[FlatNode]) -> NumberedTree:
    nodes: dict[int, Node] = {}
    for one in flat:
        nodes[one.id] = Node(dict(one.properties), None if one.parent is None else nodes[one.parent])
    return NumberedTree(Record(game, nodes[flat[0].id]), nodes)


def now() -> str:
    """The time, as it is kept."""
    return datetime.now(UTC).isoformat()
