"""The documents on the user's desk, kept in his store step by step: a crash loses nothing that was answered."""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from weakref import WeakValueDictionary

from pydantic import BaseModel

from tengen.game import Game, TengenError
from tengen.record import Node, Record, Store
from tengen.record.damage import DAMAGE, reporting_damage
from tengen.web.changes import FlatNode, NumberedTree
from tengen.web.document import Document, Edit, Operation, OutdatedError

SNAPSHOT_EVERY = 200
"""After so many operations the whole document is written anew: opening it stays quick."""
KEPT_SECONDS = 300.0
"""A document that nobody has asked for so long, and nobody uses, is let go; it is read again when it is wanted."""


class Content(BaseModel):
    """A document as it was at some revision."""

    nodes: list[FlatNode]
    done: list[Edit]
    undone: list[Edit]
    next_number: int = 0
    """Of nodes; the last ones may be gone. Documents that were kept before this was noted say nothing."""


@dataclass(frozen=True)
class DeskEntry:
    """What the list of documents says of one."""

    id: str
    title: str
    game: str
    changed: datetime


class NotOnDeskError(TengenError):
    """There is no such document, or not any more."""


def entry_of(row: tuple[str, str, str, str]) -> DeskEntry:
    """Return the entry of a row of the store.

    Raises:
        TengenError: if the row is damaged.
    """
    id, title, game, changed = row
    with reporting_damage(lambda reason: TengenError(f"the entry of a stored document is damaged: {reason}")):
        return DeskEntry(id, title, game, datetime.fromisoformat(changed))


class Desk:
    """All documents. Safe to use from several threads, and by several processes: who edits a document that another
    has changed meanwhile is told so, and has the newer one then.

    Raises:
        StoreError: from every method, if the store cannot be read or written.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        # Games and analyses keep the documents that they work on: while they do, nobody gets another one.
        self._open: WeakValueDictionary[str, Document] = WeakValueDictionary()
        self._recent: dict[str, tuple[Document, float]] = {}
        """Those asked for lately, with the time when they were; the last is the latest."""
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
            if (known := self._open.get(id)) is not None:
                return self._used(known)
            with self._store.reading() as connection:
                document = _read(connection, id)
            return self._opened(document)

    def entries(self) -> list[DeskEntry]:
        """All documents that are in no collection, the last changed first."""
        with self._store.reading() as connection:
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
            self.forget([id])

    def forget(self, ids: Iterable[str]) -> None:
        """Documents that are no longer in the store."""
        for id in ids:  # without the lock: whoever finds out may hold that of a document, and is to take no other then
            self._open.pop(id, None)
            self._recent.pop(id, None)

    def _opened(self, document: Document) -> Document:
        document.keep = lambda operation: self._keep(document, operation)
        with self._lock:
            return self._used(self._open.setdefault(document.id, document))

    def _used(self, document: Document) -> Document:
        """Notes that a document was asked for, and lets go of those that were not for long."""
        now = time.monotonic()
        self._recent.pop(document.id, None)
        for id, (_, at) in [*self._recent.items()]:
            if now - at >= KEPT_SECONDS:
                self._recent.pop(id, None)
        self._recent[document.id] = document, now
        return document

    def _keep(self, document: Document, operation: Operation) -> None:
        """Called with the operation made but not counted yet.

        Raises:
            OutdatedError: if another process has changed the document since it was read.
            TengenError: if another process has removed it.
        """
        revision = document.revision + 1
        with self._store.transaction() as connection:
            if _last_revision(connection, document.id) != document.revision:
                try:
                    newer = _read(connection, document.id)
                except NotOnDeskError:
                    self.forget([document.id])
                    raise
                raise OutdatedError(newer)
            if revision % SNAPSHOT_EVERY == 0:
                _write_whole(connection, document, revision)
            else:
                connection.execute(
                    "INSERT INTO operation (document, revision, content) VALUES (?, ?, ?)",
                    (document.id, revision, operation.model_dump_json()),
                )
                connection.execute("UPDATE document SET changed = ? WHERE id = ?", (now(), document.id))


def _read(connection: sqlite3.Connection, id: str) -> Document:
    """A document as it is kept.

    Raises:
        NotOnDeskError: if there is none.
        TengenError: if what is kept is damaged.
    """
    row = connection.execute("SELECT title, game, revision, content FROM document WHERE id = ?", (id,)).fetchone()
    if row is None:
        raise NotOnDeskError("there is no such record on the desk")
    operations = connection.execute(
        "SELECT content FROM operation WHERE document = ? ORDER BY revision", (id,)
    ).fetchall()
    title, game, revision, content = row
    return _restored(id, title, game, revision, content, [text for (text,) in operations])


def _last_revision(connection: sqlite3.Connection, id: str) -> int | None:
    """The revision that is kept of a document; None if there is none."""
    row = connection.execute(
        "SELECT max(document.revision, coalesce(max(operation.revision), 0)) "
        "FROM document LEFT JOIN operation ON operation.document = document.id "
        "WHERE document.id = ? GROUP BY document.id",
        (id,),
    ).fetchone()
    return None if row is None else int(row[0])


def _write_whole(connection: sqlite3.Connection, document: Document, revision: int) -> None:
    connection.execute(
        "UPDATE document SET revision = ?, content = ?, changed = ? WHERE id = ?",
        (revision, content_of(document), now(), document.id),
    )
    connection.execute("DELETE FROM operation WHERE document = ?", (document.id,))


def content_of(document: Document) -> str:
    """A document as it is kept."""
    tree = document.tree
    content = Content(
        nodes=tree.flat(tree.record.root), done=document.done, undone=document.undone, next_number=tree.next_number
    )
    return content.model_dump_json()


def _restored(id: str, title: str, game: str, revision: int, content: str, operations: list[str]) -> Document:
    try:
        kept = Content.model_validate_json(content)
        document = Document(id, title, _tree(Game.parse(game), kept), revision)
        document.done, document.undone = kept.done, kept.undone
        for operation in operations:
            document.perform(Operation.model_validate_json(operation))
    except DAMAGE as error:
        raise TengenError(f"the stored document {title!r} is damaged: {error}") from error
    return document


def _tree(game: Game, kept: Content) -> NumberedTree:
    nodes: dict[int, Node] = {}
    for one in kept.nodes:
        nodes[one.id] = Node(dict(one.properties), None if one.parent is None else nodes[one.parent])
    return NumberedTree(Record(game, nodes[kept.nodes[0].id]), nodes, kept.next_number)


def now() -> str:
    """The time, as it is kept."""
    return datetime.now(UTC).isoformat()
