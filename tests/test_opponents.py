import pytest

from tengen import BLACK, CONNECT6, GOMOKU, KNOWN_GAMES, Game, Position, TengenError
from tengen.play import OPPONENTS, Opponent, RandomOpponent, SimpleOpponent


def test_the_simple_opponent_completes_six() -> None:
    position = Position.parse("B: C3 D3 E3 F3 W: A19 A17 A15 to move: B 2")
    position.play(SimpleOpponent(1).choose(position))
    assert position.winner is BLACK


def test_the_simple_opponent_stops_a_threat() -> None:
    position = Position.parse("B: C3 D3 E3 F3 H9 W: A19 A17 A15 C9 to move: W 2")
    position.play(SimpleOpponent(1).choose(position))
    can_win = position.copy()
    assert not any(
        {"C3", "D3", "E3", "F3"} <= {f"{chr(65 + x)}3" for x in range(start, start + 6)}
        and all(can_win.at(f"{chr(65 + x)}3") in (None, BLACK) for x in range(start, start + 6))
        for start in range(6)
    )


def test_the_simple_opponent_wins_with_one_stone_where_one_is_enough() -> None:
    position = Position.parse("B: C3 D3 E3 F3 G3 W: A19 A17 A15 A13 to move: B 2")
    move = SimpleOpponent(1).choose(position)
    assert position.is_legal(move)
    position.play(move)
    assert position.winner is BLACK


@pytest.mark.parametrize("name", OPPONENTS)
@pytest.mark.parametrize("game", [*KNOWN_GAMES.values(), Game(3, 3, 5, 4, 3), Game(59, 59, 6, 2, 1)], ids=str)
def test_any_game_can_be_played(name: str, game: Game) -> None:
    position = Position(game)
    opponent = OPPONENTS[name](7)
    for _ in range(6):
        if not position.is_over:
            position.play(opponent.choose(position))
    assert position.steps > 1


def test_the_simple_opponent_beats_a_random_one() -> None:
    for game in (CONNECT6, GOMOKU):
        wins = 0
        for seed in range(6):
            players: list[Opponent] = [SimpleOpponent(seed), RandomOpponent(seed)]
            if seed % 2:
                players.reverse()
            position = Position(game)
            while not position.is_over:
                position.play(players[position.turn].choose(position))
            wins += isinstance(players[position.winner], SimpleOpponent) if position.winner is not None else 0
        assert wins == 6


def test_the_same_seed_plays_the_same_game() -> None:
    def game(seed: int) -> str:
        position, opponent = Position(), SimpleOpponent(seed)
        for _ in range(10):
            if not position.is_over:
                position.play(opponent.choose(position))
        return str(position)

    assert game(5) == game(5)


def test_a_finished_game_has_no_move() -> None:
    with pytest.raises(TengenError, match="over"):
        SimpleOpponent().choose(Position.parse("B: A1 B1 C1 D1 E1 F1 W: A9 to move: W"))
