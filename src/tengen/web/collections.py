"""Files with many records: each becomes a document, and the desk's list shows them together."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from tengen.game import TengenError
from tengen.record import Record, Store
from tengen.web.changes import NumberedTree
from tengen.web.desk import Desk, DeskEntry, content_of, entry_of, now
from tengen.web.document import Document

PAGE = 100
"""How many records of a collection are listed at once."""


@dataclass(frozen=True)
class Collection:
    """What the list says of a file with many records."""

    id: str
    title: str
    size: int


class Collections:
    """All collections. Safe to use from several threads.

    Raises:
        StoreError: from every method, if the store cannot be read or written.
    """

    def __init__(self, store: Store, desk: Desk) -> None:
        self._store, self._desk = store, desk

    def add(self, title: str, records: Iterable[tuple[Record, str]]) -> str:
        """Puts records with their titles on the desk, together; all or, if something is wrong, none.

        Returns:
            The collection's name.
        """
        id = secrets.token_urlsafe(9)
        rows = []
        for place, (record, name) in enumerate(records):
            document = Document(secrets.token_urlsafe(9), name, NumberedTree(record))
            rows.append((document.id, name, str(record.game), 0, content_of(document), now(), id, place))
        with self._store.transaction() as connection:
            connection.execute("INSERT INTO collection (id, title, changed) VALUES (?, ?, ?)", (id, title, now()))
            connection.executemany(
                "INSERT INTO document (id, title, game, revision, content, changed, collection, place) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
        return id

    def entries(self) -> list[Collection]:
        """All collections that hold something, the newest first."""
        with self._store.reading() as connection:
            rows = connection.execute(
                "SELECT collection.id, collection.title, count(*) FROM collection "
                "JOIN document ON document.collection = collection.id "
                "GROUP BY collection.id ORDER BY collection.changed DESC, collection.id"
            ).fetchall()
        return [Collection(*row) for row in rows]

    def page(self, id: str, text: str = "", start: int = 0) -> tuple[list[DeskEntry], int]:
        """Some records in the file's order, those with a text in their title, and how many there are of them."""
        pattern = "%" + "".join(f"\\{c}" if c in "\\%_" else c for c in text.strip()) + "%"
        chosen = "FROM document WHERE collection = ? AND title LIKE ? ESCAPE '\\'"
        with self._store.reading() as connection:
            total = connection.execute(f"SELECT count(*) {chosen}", (id, pattern)).fetchone()[0]
            rows = connection.execute(
                f"SELECT id, title, game, changed {chosen} ORDER BY place LIMIT ? OFFSET ?", (id, pattern, PAGE, start)
            ).fetchall()
        return [entry_of(row) for row in rows], total

    def remove(self, id: str) -> frozenset[str]:
        """Takes a collection off the desk, with all its records.

        Returns:
            The names of the documents that are gone.

        Raises:
            TengenError: if there is none.
        """
        with self._store.transaction() as connection:
            rows = connection.execute("SELECT id FROM document WHERE collection = ?", (id,))
            held = frozenset(row[0] for row in rows)
            if not connection.execute("DELETE FROM collection WHERE id = ?", (id,)).rowcount:
                raise TengenError("there is no such collection on the desk")
        self._desk.forget(held)
        return held
