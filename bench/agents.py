"""How fast do the agents move? Each is asked in the same positions of a game of Connect6 on 19x19.

And does it matter that Sequences scans only a few windows again after a stone that it tries?
"""

from __future__ import annotations

from harness import Bench, best_seconds

from tengen import BLACK, Position, _native
from tengen.play import Agent, Budget, Ranking, agent_kinds, make_agent

AGENTS = [
    *(name for name in agent_kinds() if name not in ("engine", "opening-book", "minimax")),
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


def rescans(games: int = 12) -> tuple[int, int, int]:
    """Stones tried in games of Sequences, those after which there are threats, and those after which the threats by a
    local rescan are not those by a scan of the whole board."""
    tried = with_threats = different = 0
    for seed in range(games):
        players = [make_agent("sequences", seed), make_agent("sequences:defence=2", seed + 50)]
        position = Position(moves="J10")
        while not position.is_over:
            for square in position.empty_squares():
                local = _native.sequence_threats(position.native_board, 2, False, [(square.x, square.y)], position.turn)
                position.play(square)
                whole = _native.sequence_threats(position.native_board, 2, False, [], BLACK)
                position.undo()
                tried += 1
                with_threats += whole != (0, 0)
                different += local != whole
            position.play(players[position.turn].choose(position, Budget()).move)
    return tried, with_threats, different


def report(bench: Bench, text: str, agent: Agent, asked: list[Position]) -> None:
    seconds = best_seconds(lambda: [agent.choose(position, Budget()) for position in asked], REPEATS)
    stones = ""
    if isinstance(agent, Ranking):
        ranking: Ranking = agent
        each = best_seconds(lambda: [ranking.rank(position) for position in asked], REPEATS)
        stones = f"{1e6 * each / len(asked):,.0f} us to rank all squares once"
    bench.report(text, len(asked) / seconds, "moves/s", "1 move/s", stones)


def main() -> None:
    bench = Bench("Agents on 19x19: moves (of two stones) a second")
    asked = positions()
    for text in AGENTS:
        report(bench, text, make_agent(text, 1), asked)
    tried, with_threats, different = rescans()
    yardstick = f"{tried:,} stones tried, threats after {with_threats:,}"
    bench.report("local rescan of Sequences unlike a whole scan", different, "stones", "", yardstick)
    bench.finish()


if __name__ == "__main__":
    main()
