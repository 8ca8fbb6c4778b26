"""What a search may cost: numbers that make sense, or none."""

from __future__ import annotations

from tengen.game import TengenError

_ABSURD = 1 << 62
"""The native side counts in 64 bits, and adds some."""


def check_limits(**limits: float | None) -> None:
    """Refuses limits, given by their names, that make no sense.

    Raises:
        TengenError: if one is not above 0, or absurdly large.
    """
    for name, limit in limits.items():
        if limit is not None and not 0 < limit < _ABSURD:
            raise TengenError(f"{name} must be above 0, and not absurd: {limit}")
