"""What the engine calls certain is true: against small games settled completely, and against proofs for Connect6.

`bench/engine_truth.py` asks thousands of such questions.
"""

import random

import pytest
from reference.truth import Question, Verdict, check, connect6_question, random_question

from tengen import Move, Position, solve
from tengen.grid import Json, Task
from tengen.play import Budget, Engine
from tengen.search import jobs

SMALL_QUESTIONS = 80
CONNECT6_QUESTIONS = 8


def test_certain_claims_about_small_games_are_true() -> None:
    verdict = Verdict()
    for seed in range(SMALL_QUESTIONS):
        check(random_question(random.Random(seed), repeatable=True), verdict)
    assert not verdict.false, "\n".join(verdict.false)
    assert verdict.wins > 20
    assert verdict.losses > 5
    assert verdict.sure_losses > 5
    assert verdict.unchecked == 0


def test_certain_claims_about_connect6_are_proved() -> None:
    verdict = Verdict()
    for seed in range(CONNECT6_QUESTIONS):
        check(connect6_question(random.Random(seed)), verdict)
    assert not verdict.false, "\n".join(verdict.false)
    assert verdict.claims - verdict.unchecked > 3


@pytest.mark.parametrize(
    ("text", "prohibited", "nodes"),
    [
        # Cut short before the first move was searched: that is no loss.
        ("Connect(7,5,6,2,1) B: B1 A1 D1 E2 G2 W: C1 C2 C3 E1 B3 D2 to move: B 2", "", 1),
        # All moves that were tried lose, but not all were tried: no step may call it a loss.
        ("Connect(6,6,5,2,1) B: B3 B6 A5 A6 W: C4 D5 D4 C5 to move: B 1", "", 60),
        # Cut short when one of two moves was known to lose.
        ("Connect(4,5,4,2,1) B: B1 D1 W: B2 A2 to move: B 1", "", 20),
        # A row needs one stone of two; with the other anywhere it still is a move that may be prohibited.
        ("Connect(5,4,4,3,3) B: E3 C3 C1 C4 D3 B2 W: B3 D1 B1 C2 to move: W 2", "A4A1", 60),
        # Some rows are prohibited, others are not, and the opponent's threats leave no other move.
        ("Connect(4,4,3,2,1) B: B2 W: B3 B4 to move: B 2", "C1A3 A1C3 A2C2 C3D4", 10),
        # A line that fills the board has a last move of fewer stones, which is no pass.
        ("Connect(4,5,4,2,1) B: A3 B2 C1 D1 C2 C5 A4 B4 W: A1 A2 B1 B3 C3 D3 C4 to move: B 2", "", 3000),
    ],
)
def test_what_was_once_claimed_wrongly(text: str, prohibited: str, nodes: int) -> None:
    verdict = Verdict()
    moves = tuple(map(Move, prohibited.split()))
    check(Question(Position.parse(text), moves, 10, Budget(nodes=nodes), 1), verdict)
    assert not verdict.false, "\n".join(verdict.false)


@pytest.mark.parametrize("nodes", [1, 300])
@pytest.mark.parametrize(
    "text",
    [
        "J10 H10L8 F12M9 J12I11 F8L14 I9L6 F11F13 F9F14",
        "J10 I8I9 G7I11 J8K9 G8G9 G10H10 G5K7 G6H7 H9J9 F7E8 D9F9 E9E10",
        "J10 J8L10 H7N8 K9M11 H6N12 H8L9 L8N9 N11M10 K8M13 O11M8",  # one move holds, for a while
    ],
)
def test_leaves_no_double_threats_open_however_few_its_nodes(text: str, nodes: int) -> None:
    position = Position(moves=text)
    assert solve(position, side=position.turn.opponent, nodes=100_000).result == "win"  # unless they are met
    move = Engine().choose(position, Budget(nodes=nodes)).move
    assert solve(position.after(move), depth=5, nodes=100_000).result != "win"


def test_the_maker_is_never_under_attack() -> None:
    position = Position.parse("Connect(4,4,4,1,1) maker-breaker B: A1 W: B2")
    every = [*position.legal_moves()]
    for prohibited in ([], every):
        asked: Json = {"position": str(position), "prohibited": list(map(str, prohibited)), "nodes": 60, "fear": 1}
        assert jobs.engine(asked, Task(lambda _: None))["outcome"] != "loss"
