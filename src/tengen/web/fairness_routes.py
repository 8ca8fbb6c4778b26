"""The map of the family as windows ask for it: every game with its class and all that says so."""

from __future__ import annotations

from functools import cache

from fastapi import FastAPI

from tengen.theory import Cell, family_map
from tengen.web.models import Model


class EvidenceView(Model):
    """One thing that is known about a game."""

    kind: str
    says: str
    why: str
    source: str
    """Who published it, or the command that shows it."""


class FamilyCell(Model):
    """A game of the map."""

    k: int
    p: int
    q: int
    game: str
    label: str
    """The value of the game if it is known, else its class."""
    fairness: str
    evidence: list[EvidenceView]


class FamilyMap(Model):
    """All games of the map, row by row."""

    cells: list[FamilyCell]


def add_fairness(app: FastAPI) -> None:
    """Lets an application answer what is known of the family."""

    @app.get("/api/fairness")
    def fairness() -> FamilyMap:
        return _map()


@cache
def _map() -> FamilyMap:
    return FamilyMap(cells=[_view(cell) for cell in family_map()])


def _view(cell: Cell) -> FamilyCell:
    found = cell.assessment
    return FamilyCell(
        k=cell.k,
        p=cell.p,
        q=cell.q,
        game=str(found.game),
        label=cell.label,
        fairness=str(found.fairness),
        evidence=[EvidenceView(**evidence.as_json()) for evidence in found.evidence],
    )
