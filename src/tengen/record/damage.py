"""Errors of damaged data files, as errors of our own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tengen.game import TengenError

DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, sqlite3.Error)
"""What reading values of a wrong type or range raises."""


@contextmanager
def reporting_damage(make_error: Callable[[str], TengenError]) -> Iterator[None]:
    """Turn errors that wrong values in a file cause into the error that `make_error` returns for their description.

    To be used around the interpretation of data only, since it would hide faults of other code as well.
    """
    try:
        yield
    except TengenError:
        raise
    except DAMAGE as error:
        raise make_error(f"{type(error).__name__}: {error}") from error
