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
    from tengen.prove import Defence, Settlement, Verdict, defend, settle
    from tengen.prove.parallel import check
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

# The function, not the room of the same name: this must come after the room's own import has bound the module.
from tengen.solve import Solution, Strategy, solve

__version__ = "0.1.0"

__all__ = [
    "BLACK",
    "CONNECT6",
    "GOMOKU",
    "KNOWN_GAMES",
    "NULL_MOVE",
    "TIC_TAC_TOE",
    "WHITE",
    "Colour",
    "Defence",
    "Game",
    "GameError",
    "IllegalMoveError",
    "Move",
    "Node",
    "NotationError",
    "Position",
    "Record",
    "RecordError",
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
    "read_file",
    "read_text",
    "settle",
    "solve",
    "write_file",
]

_LAZY = dict.fromkeys(
    ("Defence", "Settlement", "Verdict", "check", "defend", "settle"), "tengen.prove"
) | dict.fromkeys(
    (
        "Node",
        "Record",
        "RecordError",
        "Store",
        "StoreError",
        "Visitor",
        "read_file",
        "read_text",
        "write_file",
    ),
    "tengen.record",
)


def __getattr__(name: str) -> Any:
    # Rooms that not everybody needs are opened on first use, so that `import tengen` stays quick.
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'tengen' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
