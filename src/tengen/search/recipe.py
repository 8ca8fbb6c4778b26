"""Which job a node gets: its kind, and how much it may cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tengen.game import Move, Position

_MORE = 4
"""By how much all limits of nodes grow each time a job has found nothing."""


@dataclass(frozen=True)
class Recipe:
    """How a search makes jobs of nodes."""

    kind: str = "engine"
    """The name of the handler."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What it is told beside the position and the prohibited moves."""

    def arguments(self, position: Position, prohibited: Sequence[Move], effort: int = 0) -> dict[str, Any]:
        """The arguments of a job.

        Args:
            position: the node's position.
            prohibited: its moves that have nodes already.
            effort: how often its jobs have found nothing.
        """
        options = {
            name: value * _MORE**effort if name.endswith("nodes") else value for name, value in self.options.items()
        }
        return {"position": str(position), "prohibited": [str(move) for move in prohibited], **options}

    def as_json(self) -> dict[str, Any]:
        """As a journal keeps it."""
        return {"kind": self.kind, "options": dict(self.options)}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Recipe:
        """Reads what `as_json` wrote."""
        return cls(kept["kind"], kept["options"])
