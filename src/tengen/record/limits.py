"""Limits for files of unknown origin, since a small file can stand for a very large record."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from tengen.record.errors import RecordError, RecordTooLargeError

LIMIT_VARIABLE = "TENGEN_MAX_FILE_MB"
"""Environment variable that sets the size limit, in megabytes."""
LIMIT_OPTION = "--max-file-mb"
"""Option of the command line that sets the variable."""
DEFAULT_MEGABYTES = 64
MAX_MEGABYTES = 65_536
MAX_PROBLEMS = 1_000
"""Number of problems that a lenient reader keeps of one record."""
_BYTES_PER_ITEM = 64
"""Size limit for each item: a node or value takes several hundred bytes of memory, but as few as two of a file."""
_BYTES_PER_LINE_BYTE = 16
"""Size limit for each byte of a JSON line: parsed JSON takes up to 25 times the memory of its text."""


@dataclass(frozen=True)
class ReadLimits:
    """Limits for reading one file."""

    max_bytes: int = DEFAULT_MEGABYTES << 20
    """Size of the file after decompression."""

    @property
    def max_items(self) -> int:
        """Number of nodes, property values and stones of one record, set-up stones counted for every set-up."""
        return self.max_bytes // _BYTES_PER_ITEM

    @property
    def max_line_length(self) -> int:
        """Length of one line of JSON."""
        return self.max_bytes // _BYTES_PER_LINE_BYTE

    def file_too_large(self) -> RecordTooLargeError:
        """Return the error for a file beyond `max_bytes`."""
        return RecordTooLargeError(
            f"the file is larger than {self.max_bytes >> 20} MB after decompression{self._hint()}"
        )

    def record_too_large(self, text: str, offset: int) -> RecordTooLargeError:
        """Return the error for a record beyond `max_items`, at an offset of its text."""
        return RecordTooLargeError.at(
            f"the record has more than {self.max_items:,} nodes, values and stones{self._hint()}", text, offset
        )

    def line_too_long(self) -> RecordTooLargeError:
        """Return the error for a line beyond `max_line_length`."""
        return RecordTooLargeError(f"the line is longer than {self.max_line_length:,} characters{self._hint()}")

    def _hint(self) -> str:
        return f"; raise the limit with {LIMIT_OPTION} or {LIMIT_VARIABLE} if you trust the file"


UNLIMITED = ReadLimits(max_bytes=1 << 62)
"""For texts that Tengen has written itself."""


def default_limits() -> ReadLimits:
    """Return the limits that the environment sets.

    Raises:
        RecordError: if the environment variable is invalid.
    """
    value = os.environ.get(LIMIT_VARIABLE, "")
    return limits_of(value) if value else ReadLimits()


def limits_of(megabytes: str) -> ReadLimits:
    """Return the limits for a size in megabytes.

    Raises:
        RecordError: if it is not a whole number in range.
    """
    if not re.fullmatch(r"[0-9]{1,9}", megabytes) or not 1 <= int(megabytes) <= MAX_MEGABYTES:
        raise RecordError(f"invalid size limit {megabytes!r} (expected a number of megabytes, 1 to {MAX_MEGABYTES})")
    return ReadLimits(int(megabytes) << 20)


class ItemCount:
    """Counts the items of one record against the limits."""

    __slots__ = ("_left", "_limits", "_text")

    def __init__(self, text: str, limits: ReadLimits | None = None) -> None:
        self._text = text
        self._limits = default_limits() if limits is None else limits
        self._left = self._limits.max_items

    def add(self, count: int, offset: int) -> None:
        """Count items that stand at an offset of the text.

        Raises:
            RecordTooLargeError: if there are too many.
        """
        self._left -= count
        if self._left < 0:
            raise self._limits.record_too_large(self._text, offset)
