"""Transactions of SQLite that tell the true error when they fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def transaction(connection: sqlite3.Connection, *, to_write: bool) -> Iterator[sqlite3.Connection]:
    """What is done within is there whole, or not at all.

    Args:
        connection: in autocommit mode.
        to_write: take the writing lock at once; else nobody who writes is waited for, and all that is read is as it was
            at the first look.

    Raises:
        sqlite3.Error: if the database is locked for too long, full or damaged.
    """
    connection.execute("BEGIN IMMEDIATE" if to_write else "BEGIN")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite has rolled back by itself where, say, the disk is full
            connection.execute("ROLLBACK")
        raise
