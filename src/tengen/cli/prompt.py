"""What somebody types at a board: commands that are the same wherever there is one, or a move."""

from __future__ import annotations

import sys

from tengen.cli.common import out
from tengen.game import Move, NotationError, TengenError

QUIT = "quit"
_ALIASES = {"": "help", "?": "help", "back": "undo", "forward": "redo", "exit": QUIT, "q": QUIT}


def is_typed_by_somebody() -> bool:
    """Whether the input comes from a terminal, not from a file or a program."""
    return sys.stdin.isatty()


def typed(prompt: str) -> tuple[str, str, str]:
    """The command that is typed, by its own name; what follows it; and the whole line.

    The end of the input, and Ctrl-C, are `quit`.
    """
    try:
        line = out.input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        out.print()
        return QUIT, "", ""
    word, _, rest = line.partition(" ")
    return _ALIASES.get(word.lower(), word.lower()), rest.strip(), line


def move_in(line: str) -> Move:
    """The move that a line is. SGF's letter pairs are not read: `back` and `load` would be squares.

    Raises:
        TengenError: if it is no move to play.
    """
    if not any(sign.isdigit() for sign in line) and line.lower() != "pass":
        raise TengenError(f"{line!r} is no command and no square: type help")
    try:
        move = Move.parse(line)
    except NotationError as error:
        raise TengenError(f"{error}; type help for commands") from error
    if move.is_pass:
        raise TengenError("nobody may pass in a game; it is for analysis only")
    return move
