"""What a search may be asked: numbers that make sense, and moves that can be played."""

from __future__ import annotations

from tengen.game import Move, Position, Square, TengenError

MAX_THREADS = 256
MAX_TABLE_BITS = 30
_ABSURD = 1 << 62
"""The native side counts in 64 bits, and adds some."""


def check_limits(**limits: float | None) -> None:
    """Refuses limits, given by their names, that make no sense.

    Raises:
        TengenError: if one is not above 0, or absurdly large, or, `seconds` apart, no whole number.
    """
    for name, limit in limits.items():
        wanted = int | float if name == "seconds" else int
        if limit is not None and not isinstance(limit, wanted):
            raise TengenError(f"{name} must be a {'' if name == 'seconds' else 'whole '}number, not {limit!r}")
        if limit is not None and not 0 < limit < _ABSURD:
            raise TengenError(f"{name} must be above 0, and not absurd: {limit}")


def check_range(name: str, number: object, least: int, most: int) -> None:
    """Refuses a number, given with its name, that is out of range.

    Raises:
        TengenError: if it is, or is no whole number.
    """
    if not isinstance(number, int) or not least <= number <= most:
        raise TengenError(f"{name} must be {least} to {most}, not {number!r}")


def check_means(threads: int, table_bits: int) -> None:
    """Refuses more threads, or a larger table, than any machine has room for.

    Raises:
        TengenError: if they are that many, or no whole numbers.
    """
    check_range("threads", threads, 1, MAX_THREADS)
    check_range("table_bits", table_bits, 0, MAX_TABLE_BITS)


def legal_move(position: Position, move: Move | Square | str) -> Move:
    """A move that somebody named, as `Position.play` takes it; the position stays as it is.

    Raises:
        TengenError: if it cannot be played here.
    """
    try:
        return position.copy().play(move)
    except TengenError as error:
        raise TengenError(f"{move} is no legal move here: {error}") from None
