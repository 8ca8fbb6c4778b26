"""What is the engine's judgement of openings worth? Quiet ones, judged as in the arena, and again with more nodes."""

from __future__ import annotations

from harness import Bench

from tengen import CONNECT6, Position
from tengen.arena.openings import ANY_BALANCE, BALANCE, generate_openings, looks_even
from tengen.play import Budget, Engine

OPENINGS = 50
SEED = 1
MANY_NODES = 8_000
NEARLY_WON = 0.9


def main() -> None:
    bench = Bench(f"Balanced openings of Connect6, of {OPENINGS} quiet ones")
    engine = Engine(threads=1, seed=0)
    quiet = generate_openings(CONNECT6, OPENINGS, SEED, balance=ANY_BALANCE)
    taken = [opening for opening in quiet if looks_even(opening, engine)]
    for name, openings in (("quiet", quiet), ("taken", taken)):
        chances = [chance(engine, opening) for opening in openings]
        even = sum(abs(win - 0.5) <= BALANCE for win in chances)
        won = sum(win >= NEARLY_WON for win in chances)
        bench.report(name, len(openings), "openings", "", f"with {MANY_NODES:,} nodes {even} even, {won} nearly won")
    bench.finish()


def chance(engine: Engine, opening: Position) -> float:
    """Of the player to move, as far as the engine sees with many nodes."""
    return engine.analyse(opening, Budget(nodes=MANY_NODES))[0].win or 0.0


if __name__ == "__main__":
    main()
