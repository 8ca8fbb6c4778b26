"""What can be wrong about a record."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

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
        line, column = _place(text, offset)
        return cls(message, line, column)


def _place(text: str, offset: int) -> tuple[int, int]:
    starts = _line_starts(text)
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


@lru_cache(maxsize=1)
def _line_starts(text: str) -> list[int]:
    # A lenient reader may find very many problems in one text.
    return [0, *(match.end() for match in re.finditer("\n", text))]


class StoreError(TengenError):
    """The store cannot do what was asked."""
