"""How fast do the agents move? Each is asked in the same positions of a game of Connect6 on 19x19."""

from __future__ import annotations

from harness import Bench, best_seconds

from tengen import Position
from tengen.play import Budget, Ranking, make_agent

AGENTS = [
    "random",
    "simple",
    "adjacent",
    "windows",
    "threats",
    "sequences",
    "mesh",
    "monte-carlo",
    "minimax:threats,depth=4",
    "minimax:sequences,depth=4",
    "minimax:windows,depth=4",
]
REPEATS = 3


def positions() -> list[Position]:
    """Every fourth position of a game between two agents."""
    position, found = Position(moves="J10"), list[Position]()
    agent = make_agent("sequences", 1)
    while not position.is_over and len(found) < 6:
        if position.steps % 4 == 1:
            found.append(position.copy())
        position.play(agent.choose(position, Budget()).move)
    return found


def main() -> None:
    bench = Bench("Agents on 19x19: moves (of two stones) a second")
    asked = positions()
    for text in AGENTS:
        agent = make_agent(text, 1)
        seconds = best_seconds(lambda agent=agent: [agent.choose(p, Budget()) for p in asked], REPEATS)  # type: ignore[misc]
        stones = ""
        if isinstance(agent, Ranking):
            each = best_seconds(lambda agent=agent: [agent.rank(p) for p in asked], REPEATS)  # type: ignore[misc]
            stones = f"{1e6 * each / len(asked):,.0f} us to rank all squares once"
        bench.report(text, len(asked) / seconds, "moves/s", "1 move/s", stones)
    bench.finish()


if __name__ == "__main__":
    main()
