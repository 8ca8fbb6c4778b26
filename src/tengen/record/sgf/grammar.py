"""Lexical level of SGF: marks, properties, values and escapes.

Every pattern takes linear time and constant memory: the quantifiers are possessive, and values are matched one by one.
"""

from __future__ import annotations

import re

from tengen.record.errors import RecordError

_VALUE = r"\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]"
TOKEN = re.compile(rf"\s*+(?:(?P<mark>[();])|(?P<name>[A-Za-z]++)\s*+{_VALUE})", re.DOTALL)
"""A mark, or the name of a property with its first value (group 3)."""
NEXT_VALUE = re.compile(rf"\s*+{_VALUE}", re.DOTALL)
"""A further value of the property."""
NOT_A_VALUE = frozenset(";()ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Characters after a value that begin the next token."""
START = re.compile(r"\(\s*+;")
LONG_NAME = re.compile(r"[a-z]+")
_ESCAPE = re.compile(r"\\(?:(\r\n|\n\r|\n|\r)|(.))", re.DOTALL)
_PIECE = re.compile(r"(?:[^\\]++|\\(?:\r\n|\n\r|.)?+){1,1000}", re.DOTALL)
"""At most 1,000 escapes with the text between them."""


def unescape(text: str) -> str:
    """Return the text of a value."""
    # A backslash before a line break removes both, before anything else only itself. In pieces, since the substitution
    # keeps an object for each escape until it has the whole result.
    return "".join([_ESCAPE.sub(r"\2", piece[0]) for piece in _PIECE.finditer(text)])


def escape(text: str) -> str:
    """Return the value that stands for a text."""
    if "\\" not in text and "]" not in text:
        return text
    return text.replace("\\", "\\\\").replace("]", "\\]")


def bad_token(text: str, position: int) -> RecordError:
    """Return the error for a place without a token."""
    start = re.compile(r"\s*").match(text, position)
    offset = start.end() if start else position
    if offset >= len(text):
        return RecordError.at("the file ends in the middle of a game: ')' is missing", text, len(text))
    if word := re.compile(r"[A-Za-z]+\s*").match(text, offset):
        reason = (
            "its value has no end: ']' is missing"
            if text[word.end() : word.end() + 1] == "["
            else "a value in [ ] must follow"
        )
        return RecordError.at(f"property {word[0].strip()[:20]!r}: {reason}", text, offset)
    return RecordError.at(f"unexpected {text[offset]!r} (expected a property, ';', '(' or ')')", text, offset)
