"""The first step: SGF's brackets, properties and escapes."""

from __future__ import annotations

import re

from tengen.record.errors import RecordError

_VALUE = r"\[[^\\\]]*(?:\\.[^\\\]]*)*\]"
TOKEN = re.compile(rf"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]+)(?P<values>(?:\s*{_VALUE})+))", re.DOTALL)
VALUES = re.compile(r"\[([^\\\]]*(?:\\.[^\\\]]*)*)\]", re.DOTALL)
START = re.compile(r"\(\s*;")
_ESCAPE = re.compile(r"\\(\r\n|\n\r|\n|\r|.)", re.DOTALL)
LONG_NAME = re.compile(r"[a-z]+")


def unescape(text: str) -> str:
    """The text that a value stands for."""
    # A backslash before a line break removes both; before anything else only itself.
    return _ESCAPE.sub(lambda m: "" if m[1][0] in "\r\n" else m[1], text)


def escape(text: str) -> str:
    """The value that stands for a text."""
    if "\\" not in text and "]" not in text:
        return text
    return text.replace("\\", "\\\\").replace("]", "\\]")


def bad_token(text: str, position: int) -> RecordError:
    """The error at a place where no token stands."""
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
    return RecordError.at(
        f"{text[offset]!r} is out of place: a property, ';', '(' or ')' should stand here", text, offset
    )
