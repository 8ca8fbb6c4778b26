"""The encodings that files may have.

Python knows more codecs than these. Some are not for files (`punycode` takes time that grows with the square of the
length), and any module on the path can add one.
"""

from __future__ import annotations

import codecs

from tengen.record.errors import RecordError

ENCODINGS: tuple[str, ...] = (
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "ascii",
    "gb18030", "gbk", "gb2312", "big5", "big5hkscs", "cp950",
    "shift_jis", "cp932", "euc_jp", "iso2022_jp", "euc_kr", "cp949",
    *(f"iso8859-{part}" for part in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)),
    *(f"cp{page}" for page in range(1250, 1259)),
    "cp437", "cp850", "cp866", "koi8-r", "koi8-u", "mac-roman", "tis-620",
)  # fmt: skip
"""Accepted encodings; their usual other names, such as `latin-1`, are accepted too."""
_ACCEPTED = frozenset(codecs.lookup(name).name for name in ENCODINGS)


def accepted_encoding(name: str) -> str | None:
    """Return Python's name of an encoding; None if files may not have it."""
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):  # also a name with a null character
        return None
    return found if found in _ACCEPTED else None


def checked_encoding(name: str) -> str:
    """Return Python's name of an encoding.

    Raises:
        RecordError: if files may not have it.
    """
    found = accepted_encoding(name)
    if found is None:
        raise RecordError(f"unknown encoding {name!r} (expected one of {', '.join(ENCODINGS)})")
    return found
