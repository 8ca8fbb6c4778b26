"""Tengen: a workbench for Connect6 and the k-in-a-row family Connect(m,n,k,p,q).

>>> import tengen
>>> position = tengen.Position(tengen.CONNECT6)
>>> position.play("J10")
Move('J10')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tengen.game import (
    BLACK,
    CONNECT6,
    GOMOKU,
    KNOWN_GAMES,
    NULL_MOVE,
    TIC_TAC_TOE,
    WHITE,
    Colour,
    Game,
    GameError,
    IllegalMoveError,
    Move,
    NotationError,
    Position,
    SetupError,
    Square,
    Symmetry,
    TengenError,
)

if TYPE_CHECKING:
    from tengen.play import Budget, Engine, make_agent
    from tengen.prove import Defence, NoProofError, Settlement, Verdict, defend, settle, write_solution
    from tengen.prove.checking import check
    from tengen.prove.join import join
    from tengen.record import (
        Node,
        Record,
        RecordError,
        Store,
        StoreError,
        Visitor,
        read_file,
        read_text,
        write_file,
    )

# The function, not the room of the same name: this must come after the room's own import has bound the module. What
# else a caller of it needs stands here too, since `tengen.solve.Control` is out of reach now.
from tengen.solve import Control, Reply, Solution, Strategy, solve

__version__ = "0.1.0"

__all__ = [
    "BLACK",
    "CONNECT6",
    "GOMOKU",
    "KNOWN_GAMES",
    "NULL_MOVE",
    "TIC_TAC_TOE",
    "WHITE",
    "Budget",
    "Colour",
    "Control",
    "Defence",
    "Engine",
    "Game",
    "GameError",
    "IllegalMoveError",
    "Move",
    "NoProofError",
    "Node",
    "NotationError",
    "Position",
    "Record",
    "RecordError",
    "Reply",
    "Settlement",
    "SetupError",
    "Solution",
    "Square",
    "Store",
    "StoreError",
    "Strategy",
    "Symmetry",
    "TengenError",
    "Verdict",
    "Visitor",
    "check",
    "defend",
    "join",
    "make_agent",
    "read_file",
    "read_text",
    "settle",
    "solve",
    "write_file",
    "write_solution",
]

_LAZY = {
    name: room
    for room, names in {
        "tengen.play": "Budget Engine make_agent",
        "tengen.prove": "Defence NoProofError Settlement Verdict check defend join settle write_solution",
        "tengen.record": "Node Record RecordError Store StoreError Visitor read_file read_text write_file",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    # Rooms that not everybody needs are opened on first use, so that `import tengen` stays quick.
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'tengen' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
