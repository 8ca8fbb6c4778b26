"""Wins played as their proofs say: whatever the defender does, the row comes."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from test_prove import solved
from test_writing_proofs import LOST, merged

from tengen import BLACK, Game, Move, Position
from tengen.prove import Guide, NoProofError, check, defend, settle, write_solution
from tengen.threat import critical_defences


def replies(position: Position, rng: random.Random | None, count: int) -> Iterator[Move]:
    """Every reply; or, drawn by lot, as many that meet the threats if they can, and as many of any kind."""
    if rng is None:
        yield from position.legal_moves()
        return
    squares = list(position.empty_squares())
    defences = critical_defences(position, position.turn.opponent)
    for number in range(2 * count):
        stones = list(rng.choice(defences).stones) if defences and number % 2 else []
        others = [square for square in squares if square not in stones]
        yield Move([*stones, *rng.sample(others, position.stones_left - len(stones))])


def won(guide: Guide, position: Position, rng: random.Random | None = None, count: int = 2) -> int:
    """How many games the winner has won, playing by the proof; an answer that is missing or loses fails."""
    if position.is_over:
        assert position.winner is guide.winner
        return 1
    if position.turn is guide.winner:
        move = guide.answer(position)
        assert move is not None, str(position)
        moves: Iterator[Move] = iter([move])
    else:
        moves = replies(position, rng, count)
    games = 0
    for move in moves:
        position.play(move)
        games += won(guide, position, rng, count)
        position.undo()
    return games


@pytest.mark.parametrize("game", [Game(4, 3, 3, 1, 1), Game(3, 4, 3, 1, 1), Game(3, 3, 3, 2, 1)])
def test_small_games_are_won_against_every_defence(game: Game, tmp_path: Path) -> None:
    position = Position(game)
    settle(position).write_proof(tmp_path / "a.tpf")
    assert won(Guide(tmp_path / "a.tpf"), position) > 20


def test_a_win_with_the_defender_to_move(tmp_path: Path) -> None:
    """The verifier's proof has passes, and refers from one position to its mirror image."""
    path = tmp_path / "a.tpf"
    defend(LOST).write_proof(path)
    guide, rng = Guide(path), random.Random(1)
    assert guide.winner is BLACK
    assert guide.answer(LOST) is None  # it is White's turn
    for reply in LOST.legal_moves():
        after = LOST.copy()
        after.play(reply)
        won(guide, after, rng, 1)


def test_solutions_with_stones_left_out_and_with_macros(tmp_path: Path) -> None:
    path, rng, macros = tmp_path / "a.tpf", random.Random(5), 0
    for solution in solved(31, 40):
        assert solution.strategy is not None
        write_solution(path, solution)
        won(Guide(path), solution.position, rng)
        if solution.found == "vcdt":
            write_solution(path, replace(solution, explain=partial(merged, solution.position, solution.strategy)))
            assert check(path).accepted
            macros += any(" +" in line for line in Guide(path)._lines)
            won(Guide(path), solution.position, rng)
    assert macros > 3


def test_half_a_move_is_completed(tmp_path: Path) -> None:
    solution = next(one for one in solved(7, 60) if one.position.stones_left == 2)
    write_solution(tmp_path / "a.tpf", solution)
    guide, position = Guide(tmp_path / "a.tpf"), solution.position.copy()
    answer = guide.answer(position)
    assert answer is not None
    one, other = answer
    position.play(one)
    assert guide.answer(position) == Move([other])
    position.undo()
    elsewhere = next(square for square in position.empty_squares() if square not in answer)
    position.play(elsewhere)
    after = guide.answer(position)  # nothing, but for a row that one stone completes
    assert after is None or len(after) == 1


def test_a_game_that_leaves_the_proof(tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    settle(Position(Game(4, 3, 3, 1, 1))).write_proof(path)
    guide = Guide(path)
    start = Position(Game(4, 3, 3, 1, 1))
    first = guide.answer(start)
    assert first is not None
    other = next(move for move in start.legal_moves() if move != first)
    start.play(other)
    start.play(next(iter(start.legal_moves())))
    assert guide.answer(start) is None
    assert guide.answer(Position(Game(3, 4, 3, 1, 1))) is None


def test_what_is_no_proof_of_a_win(tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    settle(Position(Game(3, 3, 3, 1, 1))).write_proof(path)  # a draw
    with pytest.raises(NoProofError, match="no proof of a win"):
        Guide(path)
    settle(Position(Game(4, 3, 3, 1, 1))).write_proof(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(NoProofError):
        Guide(path)
    path.write_text("hello")
    with pytest.raises(NoProofError, match="no proof file"):
        Guide(path)
