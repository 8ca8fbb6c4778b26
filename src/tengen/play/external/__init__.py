"""Other people's programs as agents, over five protocols."""

from tengen.play.external.engine import ExternalEngine, Options
from tengen.play.external.errors import (
    EngineCrashed,
    EngineFailure,
    EngineResigned,
    EngineStopped,
    EngineTimeout,
    IllegalAnswer,
    NonsenseAnswer,
)
from tengen.play.external.process import Command
from tengen.play.external.spec import PROTOCOLS, external_agent, is_external

__all__ = [
    "PROTOCOLS",
    "Command",
    "EngineCrashed",
    "EngineFailure",
    "EngineResigned",
    "EngineStopped",
    "EngineTimeout",
    "ExternalEngine",
    "IllegalAnswer",
    "NonsenseAnswer",
    "Options",
    "external_agent",
    "is_external",
]
