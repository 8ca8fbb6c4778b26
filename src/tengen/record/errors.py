"""Errors of records and of the store."""

from __future__ import annotations

from typing import NamedTuple, Self

from tengen.game import TengenError


class RecordError(TengenError):
    """A record that cannot be read or written; `line` and `column` (from 1) are its place in the text, if any."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.reason = message
        self.line = line
        self.column = column
        super().__init__(message if line is None else f"line {line}, column {column}: {message}")

    @classmethod
    def at(cls, message: str, text: str, offset: int) -> Self:
        """Return the error at an offset of a text."""
        line, column = _place(text, offset)
        return cls(message, line, column)


class RecordTooLargeError(RecordError):
    """A record or file beyond the limits; also an error for a lenient reader."""


class _Place(NamedTuple):
    text: str
    offset: int
    line: int
    line_start: int


_last = _Place("", 0, 1, 0)
"""The place of the last error. A lenient reader finds many problems in one text, from its beginning to its end:
counting on from there takes linear time in total, and no memory for the starts of all lines."""


def _place(text: str, offset: int) -> tuple[int, int]:
    global _last
    start = _last
    if start.text is not text or start.offset > offset:
        start = _Place(text, 0, 1, 0)
    line = start.line + text.count("\n", start.offset, offset)
    break_before = text.rfind("\n", start.offset, offset)
    line_start = start.line_start if break_before < 0 else break_before + 1
    _last = _Place(text, offset, line, line_start)
    return line, offset - line_start + 1


class StoreError(TengenError):
    """The store cannot be opened, read or written, or does not have what was requested."""
