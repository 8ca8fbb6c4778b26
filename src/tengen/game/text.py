"""A position as one line of text that people can paste.

    J10 J9K11 K9I11                                   moves from the empty board
    B: J10 K9 I11 W: J9 K11 to move: W                stones set up, and who is to move
    B: J10 K9 W: J9 to move: W 1 then: K11 H8I9       one stone of White's turn is left; moves follow

A game other than Connect6 stands in front: `Connect(19,19,6,2,3) J10L10K11`. Move numbers (`1.j10 2.i9l10`) are
allowed. Upper and lower case mean the same; the order of the stones within a turn does not matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tengen.game.errors import NotationError
from tengen.game.rules import BLACK, CONNECT6, WHITE, Colour, Game
from tengen.game.square import MAX_TEXT_LENGTH, Square, Step, parse_steps


@dataclass(frozen=True)
class Setup:
    """Stones on the board before the first move. `turn` and `stones_left` may be left to be inferred."""

    black: tuple[Square, ...]
    white: tuple[Square, ...]
    turn: Colour | None = None
    stones_left: int | None = None


@dataclass(frozen=True)
class PositionText:
    """What a position text says, before anybody asked whether it is legal."""

    game: Game | None
    setup: Setup | None
    steps: list[Step]

    @classmethod
    def parse(cls, text: str, game: Game | None = None) -> PositionText:
        """Reads the line; `game` is the game to assume, and what the text says of it must agree.

        Raises:
            NotationError: if the text is no position, or is meant for another game.
            GameError: if the game in front of it makes no sense.
        """
        if len(text) > MAX_TEXT_LENGTH:
            raise NotationError(f"{len(text):,} characters (expected a position of at most {MAX_TEXT_LENGTH:,})")
        named, rest = Game.parse_prefix(text)
        if named is not None and game is not None and named != game:
            raise NotationError(f"the position is for {named}, not for {game}")
        game = named or game
        height = (game or CONNECT6).n
        if not _LABEL.search(rest):
            return cls(game, None, parse_steps(_without_numbers(rest), height))
        parts = _split_labels(rest)
        setup = Setup(
            _stones(parts.get("b", ""), height),
            _stones(parts.get("w", ""), height),
            *_turn(parts.get("to move", "")),
        )
        return cls(game, setup, parse_steps(_without_numbers(parts.get("then", "")), height))


_LABEL = re.compile(r"(?<![A-Za-z0-9-])(black|white|b|w|to\s+move|to\s+play|then)\s*:", re.IGNORECASE)
_MOVE_NUMBER = re.compile(r"(?<![A-Za-z0-9-])\d{1,4}\.+")


def _without_numbers(text: str) -> str:
    return _MOVE_NUMBER.sub(lambda match: " " * len(match[0]), text)


def _split_labels(text: str) -> dict[str, str]:
    pieces = _LABEL.split(text)
    if pieces[0].strip(" ,;"):
        raise NotationError(f"{pieces[0].strip()!r} stands before the set-up: write 'B: … W: … to move: B then: …'")
    parts: dict[str, str] = {}
    for label, content in zip(pieces[1::2], pieces[2::2], strict=True):
        name = {"black": "b", "white": "w"}.get(label.lower(), label.lower())
        name = "to move" if name.startswith("to") else name
        if name in parts:
            raise NotationError(f"'{label}:' stands twice in the set-up")
        parts[name] = content
    return parts


def _stones(text: str, height: int | None) -> tuple[Square, ...]:
    squares = tuple(step.square for step in parse_steps(text, height) if step.square is not None)
    if "pass" in text.lower():
        raise NotationError("'pass' is no stone: it cannot be set up")
    return squares


def _turn(text: str) -> tuple[Colour | None, int | None]:
    words = text.replace(",", " ").replace(";", " ").split()
    if not words:
        return None, None
    colour = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}.get(words[0].lower())
    if colour is None or len(words) > 2 or (len(words) == 2 and not re.fullmatch(r"\d{1,5}", words[1])):
        raise NotationError(
            f"'to move: {text.strip()}' should name B or W, and may give the stones left: 'to move: W 1'"
        )
    return colour, int(words[1]) if len(words) == 2 else None


def format_setup(setup: Setup) -> str:
    """The text of a set-up."""
    parts = [
        f"{label}: {' '.join(map(str, squares))}"
        for label, squares in (("B", setup.black), ("W", setup.white))
        if squares
    ]
    if setup.turn is not None:
        left = "" if setup.stones_left is None else f" {setup.stones_left}"
        parts.append(f"to move: {setup.turn.letter}{left}")
    return " ".join(parts)
