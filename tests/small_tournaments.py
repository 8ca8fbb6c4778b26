"""Tournaments that take a moment: four in a row on a small board."""

from pathlib import Path
from typing import Any

from arena_players import make

from tengen.arena.ledger import Ledger
from tengen.arena.settings import Player, Settings
from tengen.arena.tournament import Tournament

OPENINGS = ("Connect(7,7,4,1,1) D4 C3", "Connect(7,7,4,1,1) D4 D6", "Connect(7,7,4,1,1) D4 B2")


def settings(*specs: str, games: int = 4, **more: Any) -> Settings:
    players = tuple(Player(f"{spec}{number}", spec) for number, spec in enumerate(specs))
    return Settings(players, OPENINGS, games, **more)


def played(folder: Path, wanted: Settings, concurrency: int = 1) -> Ledger:
    with Ledger.open(folder, wanted) as ledger:
        Tournament(ledger).play(concurrency, make)
    return ledger


def moves_of(ledger: Ledger) -> dict[int, tuple[str, list[str]]]:
    return {n: (p.outcome.letter, [str(m.move) for m in p.outcome.moves]) for n, p in sorted(ledger.games.items())}
