"""What can go wrong with another program. Each is a loss with a reason for whoever runs a match."""

from __future__ import annotations

from tengen.game import TengenError


class EngineFailure(TengenError):  # noqa: N818 - it is not the program's caller who erred
    """Another program failed to give a legal move; it has been ended, and is started afresh when next asked."""


class EngineCrashed(EngineFailure):
    """It ended, or could not be started."""


class EngineTimeout(EngineFailure):
    """It did not answer in time."""


class IllegalAnswer(EngineFailure):
    """It answered with a move that the rules forbid."""


class NonsenseAnswer(EngineFailure):
    """It answered with something that is no move, or refused a correct command."""


class EngineStopped(EngineFailure):
    """It was told to think no more, and as no protocol has a word for that it has been ended."""


class EngineResigned(EngineFailure):
    """It gave the game up."""
