"""What the engine calls certain, held against the truth: small games that are settled completely, proofs for Connect6.

A question is a random position with an engine, a budget and moves that are prohibited. Everything in the answers is
looked at, those on the way included. Certain are: a win of 1 (this move wins), a win of 0 (this move loses, and said of
the best move, so does every other that is not prohibited), a status Bw or Ww, a sure loss.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from reference.positions import quiet_position, random_position, to_move
from tengen import BLACK, CONNECT6, WHITE, Colour, Game, Move, Position, Square, TengenError, defend, solve
from tengen.grid import Json, Task
from tengen.play import Budget, Choice, Engine, make_agent
from tengen.prove import settle, write_solution, write_win
from tengen.prove.small import MAX_SQUARES
from tengen.search import jobs
from tengen.search.finding import Finding
from tengen.search.jobs import AS_IN_THESIS

GAMES = [
    *("Connect(3,3,3,1,1)", "Connect(4,4,4,1,1)", "Connect(5,5,4,1,1)", "Connect(6,5,4,1,2)", "Connect(6,6,5,1,1)"),
    *("Connect(4,4,3,2,1)", "Connect(4,5,4,2,1)", "Connect(5,5,4,2,1)", "Connect(6,6,5,2,1)", "Connect(6,5,5,2,2)"),
    *("Connect(7,5,6,2,1)", "Connect(6,6,6,2,1)"),
    *("Connect(5,5,5,3,1)", "Connect(5,6,5,3,2)", "Connect(6,6,6,3,1)", "Connect(5,4,4,3,3)"),
    *("Connect(4,4,4,1,1) maker-breaker", "Connect(5,5,4,1,1) maker-breaker", "Connect(5,5,5,2,2) maker-breaker"),
    *("Connect(5,5,4,2,1) maker-breaker", "Connect(6,5,5,3,1) maker-breaker"),
]
_SETTLE_NODES = 400_000
_PROOF_NODES = 100_000
_JOB_NODES = 1_000


@dataclass(frozen=True)
class Question:
    position: Position
    prohibited: tuple[Move, ...]
    level: int
    budget: Budget
    lines: int
    threads: int = 1
    evaluation: str = "counts"

    def engine(self) -> Engine:
        return Engine(level=self.level, threads=self.threads, evaluation=self.evaluation, seed=1)


@dataclass
class Verdict:
    """What was found in the answers to questions."""

    wins: int = 0
    losses: int = 0
    sure_losses: int = 0
    false: list[str] = field(default_factory=list)
    unchecked: int = 0
    """Claims about positions that could not be settled."""

    @property
    def claims(self) -> int:
        return self.wins + self.losses + self.sure_losses


def value(position: Position, side: Colour) -> str:
    """What a position is worth to a side: `win`, `draw`, `loss`, or `unknown`."""
    winner = position.winner
    if not position.is_over:
        if (position.game.squares or 0) > MAX_SQUARES:
            winner = _proved_winner(position)
            if winner is None:
                return "unknown"
        else:
            settlement = settle(position, nodes=_SETTLE_NODES, max_branches=0)
            if settlement.value == "unknown":
                return "unknown"
            winner = settlement.winner
    return "draw" if winner is None else "win" if winner is side else "loss"


def _proved_winner(position: Position) -> Colour | None:
    """Who wins, if there is a proof that the checker accepts: no other is ever written."""
    solution = solve(position, "vcst", nodes=_PROOF_NODES)
    if solution.strategy is not None:
        write_solution(BytesIO(), solution)
        return position.turn
    defence = defend(position, nodes=_PROOF_NODES)
    if defence.result == "loss":
        write_win(BytesIO(), position, defence.attacker, defence.replies)
        return defence.attacker
    return None


def values_of_moves(position: Position, prohibited: Collection[Move]) -> Iterator[str]:
    """What the moves that are not prohibited are worth to the side to move."""
    for move in position.legal_moves():
        if move not in prohibited:
            yield value(position.after(move), position.turn)


def random_small_position(rng: random.Random) -> Position:
    """Somewhere in a game, often near its end; seldom with a row to complete at once."""
    while True:
        game = Game.parse(rng.choice(GAMES))
        assert game.m is not None
        assert game.n is not None
        squares = game.m * game.n
        stones = rng.randint(max(game.q, squares // 5), squares - 1)
        if rng.random() < 0.5:
            black, white = random_position(rng, game.m, game.n, game.k, game.p, game.q, stones)
            turn, left = to_move(len(black) + len(white), game.p, game.q)
        else:  # uneven numbers, so that more is lost or won by threats
            most = (stones // 2 - rng.randint(0, 2), stones // 2 - rng.randint(0, 2))
            black, white = quiet_position(rng, game.m, game.n, game.k, game.p, *most, game.p)
            turn, left = rng.randint(0, 1), rng.randint(1, game.p)
        if (empty := squares - len(black) - len(white)) < 1:
            continue
        blacks, whites = ([Square(*s) for s in side] for side in (black, white))
        position = Position.setup(game, blacks, whites, (BLACK, WHITE)[turn], min(left, empty))
        if position.is_over or (rng.random() < 0.7 and _wins_at_once(position)):
            continue
        if value(position, BLACK) != "unknown":
            return position


def random_connect6_position(rng: random.Random) -> Position:
    """A game of somebody who now plays anywhere near, now after a plan, as far as its middle."""
    while True:
        position = Position(CONNECT6)
        sensible = [make_agent("sequences", rng.randrange(1 << 30)), make_agent("threats", rng.randrange(1 << 30))]
        for _ in range(rng.randint(4, 14)):
            if position.is_over:
                break
            if rng.random() < 0.35:
                near = list(position.empty_squares(within=1))
                position.play(Move(rng.sample(near, position.stones_left)))
            else:
                position.play(rng.choice(sensible).choose(position, Budget()).move)
        if not position.is_over and solve(position, depth=1).result != "win":
            return position


def connect6_question(rng: random.Random) -> Question:
    position = random_connect6_position(rng)
    budget = Budget(nodes=rng.choice([1, 10, 60, 400]))
    first = Engine().analyse(position, Budget(nodes=30))[0].move
    prohibited = (first,) if rng.random() < 0.3 else ()
    return Question(position, prohibited, rng.choice([10, 10, rng.randint(1, 9)]), budget, rng.choice([1, 3]))


def _wins_at_once(position: Position) -> bool:
    return any(position.after(move).winner is position.turn for move in position.legal_moves())


def random_question(rng: random.Random, *, repeatable: bool) -> Question:
    """With `repeatable`, one whose answer is the same whenever it is asked."""
    position = random_small_position(rng)
    if repeatable or rng.random() < 0.7:
        budget, threads = Budget(nodes=rng.choice([1, 10, 60, 400, 3000])), 1
    else:
        budget, threads = Budget(depth=rng.choice([1, 2, 4, 7])), rng.choice([1, 2])
    level = rng.choice([10, 10, 10, rng.randint(1, 9)])
    return Question(position, _prohibited(rng, position), level, budget, rng.choice([1, 1, 4]), threads)


def _prohibited(rng: random.Random, position: Position) -> tuple[Move, ...]:
    """Nothing; or any moves; or, to set a trap, those that are good; or almost all."""
    kind = rng.randrange(5)
    if kind < 2:
        return ()
    moves = list(position.legal_moves())
    rng.shuffle(moves)
    if kind == 2:
        return tuple(moves[: rng.randint(1, len(moves))])
    if kind == 3 and len(moves) <= 600:
        best = value(position, position.turn)
        good = [move for move in moves if value(position.after(move), position.turn) == best]
        return tuple(good[rng.choice([0, 1, 1, 2]) :])
    choices = Engine().analyse(position, Budget(nodes=60), lines=rng.randint(1, 6))
    return tuple(choice.move for choice in choices)


def check(question: Question, verdict: Verdict) -> None:
    """Asks, and adds what is found to the verdict."""
    told: list[Sequence[Choice]] = []
    position, prohibited = question.position, question.prohibited
    told.append(
        question.engine().analyse(
            position, question.budget, lines=question.lines, prohibited=prohibited, report=told.append
        )
    )
    for choices in told:
        for rank, choice in enumerate(choices):
            _check_choice(question, choice, rank == 0, verdict)
    _check_job(question, verdict)


def _check_job(question: Question, verdict: Verdict) -> None:
    """The same question as a job of job-level search."""
    nodes = question.budget.nodes or _JOB_NODES
    asked: Json = {
        "position": str(question.position),
        "prohibited": [str(move) for move in question.prohibited],
        "level": question.level,
        "nodes": nodes,
        "verifier_nodes": nodes,
        **AS_IN_THESIS,
    }
    found = Finding.from_json(jobs.engine(asked, Task(lambda _: None)))
    if found.outcome == "loss":
        verdict.sure_losses += 1
        _check_all_lose(question, "sure loss", verdict)
    elif found.outcome == "win":
        verdict.wins += 1
        worth = value(question.position, question.position.turn)
        verdict.unchecked += worth == "unknown"
        if worth not in ("unknown", "win"):
            verdict.false.append(f"a win, but it is a {worth}: {question}")
    elif any(move in question.prohibited or not question.position.is_legal(move) for move in found.moves):
        verdict.false.append(f"{found} is prohibited or illegal: {question}")


def _check_choice(question: Question, choice: Choice, is_best: bool, verdict: Verdict) -> None:
    position = question.position
    said = f"{choice.move}, win {choice.win}, status {choice.status}"
    if choice.move in question.prohibited:
        verdict.false.append(f"{said} is prohibited: {question}")
    if not position.is_legal(choice.move):
        verdict.false.append(f"{said} is illegal: {question}")
        return
    trial = position.copy()
    if choice.line[:1] != (choice.move,) or not all(_plays(trial, move) for move in choice.line):
        verdict.false.append(f"{said}: its line cannot be played, {choice.line}: {question}")
    sure = {1.0: f"{position.turn.letter}w", 0.0: f"{position.turn.opponent.letter}w"}
    claimed = choice.status if choice.status in sure.values() else None
    if claimed != (None if choice.win is None else sure.get(choice.win)):
        verdict.false.append(f"{said}: the status says something else: {question}")
    if claimed is None:
        return
    verdict.wins += choice.win == 1.0
    verdict.losses += choice.win == 0.0
    worth = value(position.after(choice.move), position.turn)
    verdict.unchecked += worth == "unknown"
    if worth not in ("unknown", "win" if choice.win == 1.0 else "loss"):
        verdict.false.append(f"{said}, but it is a {worth}: {question}")
    elif choice.win == 0.0 and is_best:
        _check_all_lose(question, said, verdict)


def _plays(position: Position, move: Move) -> bool:
    try:
        position.play(move)
    except TengenError:
        return False
    return True


def _check_all_lose(question: Question, said: str, verdict: Verdict) -> None:
    if not question.prohibited:
        values = {value(question.position, question.position.turn)}
    elif (question.position.game.squares or 0) > MAX_SQUARES:
        values = {"unknown"}  # there are too many
    else:
        values = set(values_of_moves(question.position, question.prohibited))
    verdict.unchecked += "unknown" in values
    if others := values - {"loss", "unknown"}:
        verdict.false.append(f"{said}, but the best is a {'win' if 'win' in others else 'draw'}: {question}")
