"""The family of games: Connect(m,n,k,p,q) on finite boards, Connect(k,p,q) on the infinite one."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from tengen.game.errors import GameError

MIN_SIDE = 3
MAX_SIDE = 59
MAX_STONES = 10_000
"""Upper bound for k, p and q: far beyond any game played, small enough that no loop runs away."""


class Colour(enum.IntEnum):
    """A player, by the colour of his stones. Black begins, and is the maker of a maker-breaker game."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> Colour:
        """The other player."""
        return _OPPONENTS[self]

    @property
    def letter(self) -> str:
        """`B` or `W`."""
        return "BW"[self]

    def __str__(self) -> str:
        return ("black", "white")[self]

    @classmethod
    def parse(cls, text: str) -> Colour:
        """Reads `black`, `white`, `b` or `w`, in any case.

        Raises:
            GameError: if the text is no colour.
        """
        colour = {"b": cls.BLACK, "black": cls.BLACK, "w": cls.WHITE, "white": cls.WHITE}.get(text.strip().lower())
        if colour is None:
            raise GameError(f"{text!r} is no colour: say black or white")
        return colour


BLACK = Colour.BLACK
WHITE = Colour.WHITE
_OPPONENTS = (WHITE, BLACK)


@dataclass(frozen=True, slots=True)
class Game:
    """The rules of one game: Connect(m,n,k,p,q).

    Black places `q` stones, then White and Black alternately place `p` stones each on the empty squares of a board of
    `m` columns and `n` rows; `k` or more in a row win. `m` and `n` are both None on the infinite board.

    Raises:
        GameError: if a parameter makes no sense.
    """

    m: int | None
    n: int | None
    k: int
    p: int
    q: int
    maker_breaker: bool = False

    def __post_init__(self) -> None:
        if (self.m is None) != (self.n is None):
            raise GameError("m and n are both numbers (a finite board) or both None (the infinite board)")
        for name in ("m", "n"):
            side = getattr(self, name)
            if side is not None:
                _check_number(name, side, MIN_SIDE, MAX_SIDE)
        for name in ("k", "p", "q"):
            _check_number(name, getattr(self, name), 1, MAX_STONES)

    @classmethod
    def infinite(cls, k: int, p: int, q: int, maker_breaker: bool = False) -> Game:
        """Connect(k,p,q), the game on the infinite board."""
        return cls(None, None, k, p, q, maker_breaker)

    @property
    def is_infinite(self) -> bool:
        """Whether the board has no edge."""
        return self.m is None

    @property
    def squares(self) -> int | None:
        """How many squares the board has; None on the infinite board."""
        return None if self.m is None or self.n is None else self.m * self.n

    @property
    def name(self) -> str:
        """The name that people use, if there is one, else the parameters."""
        return next((name for name, game in KNOWN_GAMES.items() if game == self), str(self))

    def __str__(self) -> str:
        numbers = [self.k, self.p, self.q] if self.is_infinite else [self.m, self.n, self.k, self.p, self.q]
        suffix = " maker-breaker" if self.maker_breaker else ""
        return f"Connect({','.join(map(str, numbers))}){suffix}"

    @classmethod
    def parse(cls, text: str) -> Game:
        """Reads a game as people write it.

        Understood are the known names (`connect6`, `gomoku`, `tic-tac-toe`, …), `Connect(19,19,6,2,1)`,
        `Connect(6,2,3)` for the infinite board, and `15x15 k5 p1 q1`; each may be followed by `maker-breaker`.

        Raises:
            GameError: if the text is none of these, or its parameters make no sense.
        """
        game, rest = cls.parse_prefix(text)
        if game is None or rest:
            raise GameError(
                f"{text.strip()!r} is no game: try connect6, gomoku, tic-tac-toe, Connect(19,19,6,2,1), "
                "Connect(6,2,3) for the infinite board, or '15x15 k5 p1 q1'"
            )
        return game

    @classmethod
    def parse_prefix(cls, text: str) -> tuple[Game | None, str]:
        """Read a game at the start of a text; return it and the text after it, or None and the text.

        Raises:
            GameError: if the parameters of the game are invalid.
        """
        text = text.strip()
        game, end = cls.parse_at(text, 0)
        return (None, text) if game is None else (game, text[end:].lstrip(" \t\r\n:,"))

    @classmethod
    def parse_at(cls, text: str, offset: int) -> tuple[Game | None, int]:
        """Read a game at an offset of a text; return it and the offset after it, or None and the offset.

        Raises:
            GameError: if the parameters of the game are invalid.
        """
        if match := _CONNECT.match(text, offset):
            numbers = [int(number) for number in match["numbers"].split(",")]
            if len(numbers) not in (3, 5):
                raise GameError(
                    f"{match[0].strip()!r}: give five numbers (m,n,k,p,q), or three (k,p,q) for the infinite board"
                )
            sides: list[int | None] = [*numbers[:-3]] or [None, None]
            k, p, q = numbers[-3:]
            game = cls(sides[0], sides[1], k, p, q)
        elif match := _BY_SIZE.match(text, offset):
            sides = [None if match[name] is None else int(match[name]) for name in "mn"]
            k, p, q = (int(match[name]) for name in "kpq")
            game = cls(sides[0], sides[1], k, p, q)
        elif match := _NAME.match(text, offset):
            game = _BY_NAME[_plain(match[0])]
        else:
            return None, offset
        end = match.end()
        if breaker := _MAKER_BREAKER.match(text, end):
            game = cls(game.m, game.n, game.k, game.p, game.q, maker_breaker=True)
            end = breaker.end()
        return game, end


def _check_number(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise GameError(f"{name} must be a whole number, not {value!r}")
    if not low <= value <= high:
        raise GameError(f"{name} = {value} is out of range: {low} to {high}")


CONNECT6 = Game(19, 19, 6, 2, 1)
GOMOKU = Game(15, 15, 5, 1, 1)
TIC_TAC_TOE = Game(3, 3, 3, 1, 1)

KNOWN_GAMES: dict[str, Game] = {
    "Connect6": CONNECT6,
    "Connect6-59": Game(59, 59, 6, 2, 1),
    "Connect6-infinite": Game.infinite(6, 2, 1),
    "Connect(6,2,3)": Game.infinite(6, 2, 3),
    "Gomoku": GOMOKU,
    "Gomoku-19": Game(19, 19, 5, 1, 1),
    "Gomoku-infinite": Game.infinite(5, 1, 1),
    "Tic-tac-toe": TIC_TAC_TOE,
    "Connect(5,6,4,1,1)": Game(5, 6, 4, 1, 1),
    "Connect(11,2,2) maker-breaker": Game.infinite(11, 2, 2, maker_breaker=True),
}
"""The games that people ask for, by a name that `Game.parse` reads."""

_ALIASES = {name.lower(): name for name in KNOWN_GAMES if "(" not in name} | {
    "five-in-a-row": "Gomoku",
    "noughts-and-crosses": "Tic-tac-toe",
}

_NUMBER = r"\s*\d{1,6}\s*"
_CONNECT = re.compile(rf"connect\s*\((?P<numbers>{_NUMBER}(?:,{_NUMBER}){{0,20}})\)", re.IGNORECASE)
_BY_SIZE = re.compile(
    r"(?:(?P<m>\d{1,6})\s*[x×]\s*(?P<n>\d{1,6})|infinite)[\s,]+k\s*=?\s*(?P<k>\d{1,6})[\s,]+p\s*=?\s*(?P<p>\d{1,6})[\s,]+q\s*=?\s*(?P<q>\d{1,6})\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    "(?:"
    + "|".join(alias.replace("-", "[-_ ]?") for alias in sorted(_ALIASES, key=len, reverse=True))
    + ")(?![a-z0-9(])",
    re.IGNORECASE,
)
_MAKER_BREAKER = re.compile(r"\s*(?:maker[- ]breaker|mb)\b", re.IGNORECASE)


def _plain(name: str) -> str:
    return re.sub(r"[-_ ]", "", name).lower()


_BY_NAME = {_plain(alias): KNOWN_GAMES[name] for alias, name in _ALIASES.items()}


def aliases(game: Game) -> list[str]:
    """The short names by which `Game.parse` knows a game."""
    return [alias for alias, name in _ALIASES.items() if KNOWN_GAMES[name] == game]
