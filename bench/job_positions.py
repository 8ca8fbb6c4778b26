"""The positions of the benchmarks of job-level search, in `data/`: how they were found.

    python bench/job_positions.py mine FOLDER      play games, and solve positions on the way back from their ends
    python bench/job_positions.py choose FOLDER    write the chosen ones to the data file

There are two sets: the benchmark itself, and with `--large` fewer positions that take many more jobs.

A game: one of the second moves that people like to play, a free choice among the engine's best moves for the next
three, and from there on the engine at level 6 against itself at level 4. Then, from its end back, every position
is searched for the winner with small jobs, up to the first that takes more than the set allows: by four virtual
workers, lest positions be chosen in which one was lucky, or many were, and with plain sums, which the search that is
measured does not use. Of each game the hardest two positions that the
winner has to move in and the hardest two of the loser are candidates; the first of each kind are chosen, by the games'
seeds, until there are enough.

FOLDER keeps every job that was run and every game that was dealt with, so that mining can be ended at any moment and
goes on there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen import CONNECT6, Colour, Position
from tengen.play import Budget
from tengen.play.engine import Engine
from tengen.search import Client, Journal, Judge, Recipe, Recording, Simulator
from tengen.search.speedup import Question

RECIPE = Recipe(
    "engine",
    {"nodes": 10, "level": 2, "solver_nodes": 40, "verifier_nodes": 200, "reply_nodes": 20, "order": 1},
)
"""Small jobs, a few milliseconds: what is measured is the search, and a benchmark must come to an end."""


@dataclass(frozen=True)
class PositionSet:
    """Positions that take about as many jobs."""

    file: str
    least: int
    """Jobs that a position must take."""
    most: int
    """Jobs after which it is given up."""
    wanted: dict[bool, int]
    """How many are to be won by the side to move (true), and by the other."""
    classes: tuple[int, ...]
    """What the positions are divided by when figures are told by size."""

    @property
    def path(self) -> Path:
        return Path(__file__).parent / "data" / self.file


BENCHMARK = PositionSet("job_positions.jsonl", 30, 200, {False: 20, True: 15}, (60, 120, 200))
LARGE = PositionSet("large_job_positions.jsonl", 400, 3000, {False: 6, True: 3}, (1000, 3000))
SECOND_MOVES = ("I11K11", "I10K11", "J12K9", "J11K10", "J9K11", "I11K10", "J12K11", "I9K11", "H9I8", "K12K9")
FREE_MOVES, FREE_CHOICE = 3, 5
GAME_NODES = 400
MAX_MOVES = 40
MINERS = 4
MOST_OF_A_GAME = 2
"""So many of a kind."""


def played_game(seed: int) -> Position:
    """The last position of a game."""
    rng = random.Random(seed)
    position = Position(CONNECT6, ["J10", SECOND_MOVES[seed % len(SECOND_MOVES)]])
    players = [Engine(threads=1, seed=seed, level=level) for level in (6, 4)]
    while not position.is_over and len(position.moves) < MAX_MOVES:
        is_free = len(position.moves) < 2 + FREE_MOVES
        player = players[(len(position.moves) + seed // len(SECOND_MOVES)) % 2]
        found = player.analyse(position, Budget(nodes=GAME_NODES), lines=FREE_CHOICE if is_free else 1)
        position.play(rng.choice(found).move)
    return position


def mine(folder: Path, first: int, games: int, wanted: PositionSet) -> None:
    """Deals with games, those that were dealt with before left out."""
    known = {game["seed"] for game in mined(folder)}
    for seed in range(first, first + games):
        if seed in known:
            continue
        end = played_game(seed)
        found = [] if end.winner is None else list(solved_positions(folder, seed, end, wanted.most))
        game = {
            "seed": seed,
            "winner": None if end.winner is None else str(end.winner),
            "moves": len(end.moves),
            "solved": found,
        }
        with games_file(folder).open("a") as file:
            file.write(json.dumps(game) + "\n")
        print(json.dumps(game | {"solved": [case["jobs"] for case in found]}), flush=True)


def solved_positions(folder: Path, seed: int, end: Position, most: int) -> Iterator[dict[str, Any]]:
    """From the end of a game back: the positions that so many jobs solve, up to the first that they do not."""
    assert end.winner is not None
    with Journal(folder / f"{seed:04d}.journal", {"seed": seed}, resume=True) as journal:
        recording = Recording(journal)
        for length in range(len(end.moves) - 2, 2, -1):
            root = Position(CONNECT6, end.moves[:length])
            jobs = jobs_to_solve(root, end.winner, recording, most)
            if jobs is None:
                return
            yield {"position": str(root), "winner": str(end.winner), "jobs": jobs, "game": seed}


def jobs_to_solve(root: Position, attacker: Colour, recording: Recording, most: int) -> int | None:
    """How many jobs a few workers need to decide a position for the attacker; None if that is too many."""
    client = searched(Question(root, attacker, RECIPE, is_weak=False), recording, MINERS, most)
    return client.counts.done if client.search.tree.winner(0) is attacker else None


def searched(
    question: Question, recording: Recording, workers: int, most: int, journal: Journal | None = None
) -> Client:
    """A search on virtual workers that has come to its end, or to so many jobs; with a journal proofs are checked."""
    judge = None if journal is None else Judge()
    client = question.client(Simulator(recording, workers), journal=journal, judge=judge)

    def give_up() -> None:
        if client.counts.done >= most:
            client.stop()

    client.run(tell=give_up)
    return client


def mined(folder: Path) -> list[dict[str, Any]]:
    """The games that were dealt with."""
    path = games_file(folder)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def games_file(folder: Path) -> Path:
    return folder / "games.jsonl"


def choose(folder: Path, wanted: PositionSet) -> None:
    """Writes the hardest positions of the first games to the data file, at most two of a kind from a game."""
    chosen: dict[bool, list[dict[str, Any]]] = {kind: [] for kind in wanted.wanted}
    for game in sorted(mined(folder), key=lambda game: int(game["seed"])):
        for winner_moves, cases in chosen.items():
            of_kind = [case for case in game["solved"] if is_winner_to_move(case) is winner_moves]
            hardest = sorted(of_kind, key=lambda case: int(case["jobs"]))[-MOST_OF_A_GAME:]
            missing = wanted.wanted[winner_moves] - len(cases)
            cases += [case for case in hardest if case["jobs"] >= wanted.least][:missing]
    with wanted.path.open("w") as file:
        for cases in chosen.values():
            for case in sorted(cases, key=lambda case: int(case["jobs"])):
                file.write(json.dumps(case) + "\n")
    for kind, cases in chosen.items():
        print(f"{len(cases)} of {wanted.wanted[kind]} won by the {'side to move' if kind else 'other side'}")
    if any(len(cases) < wanted.wanted[kind] for kind, cases in chosen.items()):
        sys.exit("not enough: mine more games")


def questions(of: PositionSet) -> Iterator[tuple[str, Question, int]]:
    """The positions of a set, each with a name, and the jobs that it took when it was found.

    The names of those that the side to move wins have a W in front, the others an L.
    """
    for line in of.path.read_text().splitlines():
        case = json.loads(line)
        root = Position.parse(case["position"])
        name = f"{'W' if is_winner_to_move(case) else 'L'}{case['game']:04d}-{len(root.moves):02d}"
        yield name, Question(root, Colour.parse(case["winner"]), RECIPE), case["jobs"]


def is_winner_to_move(case: dict[str, Any]) -> bool:
    return Position.parse(case["position"]).turn is Colour.parse(case["winner"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["mine", "choose"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=100, help="how many to play")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first game")
    parser.add_argument("--large", action="store_true", help="positions that take many jobs")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    wanted = LARGE if given.large else BENCHMARK
    if given.step == "mine":
        mine(given.folder, given.first, given.games, wanted)
    else:
        choose(given.folder, wanted)


if __name__ == "__main__":
    main()
