"""What can be wrong about a record."""

from __future__ import annotations

from tengen.game import TengenError


class RecordError(TengenError):
    """A record that cannot be read or written; `line` and `column` (from 1) say where, if it came from a text."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.reason = message
        self.line = line
        self.column = column
        super().__init__(message if line is None else f"line {line}, column {column}: {message}")

    @classmethod
    def at(cls, message: str, text: str, offset: int) -> RecordError:
        """The error at a place in a text."""
        return cls(message, text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


class StoreError(TengenError):
    """The store cannot do what was asked."""
