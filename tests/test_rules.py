import pytest

from tengen import CONNECT6, GOMOKU, KNOWN_GAMES, TIC_TAC_TOE, Colour, Game, GameError


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("Connect(19,19,6,2,1)", CONNECT6),
        ("connect6", CONNECT6),
        (" CONNECT6 ", CONNECT6),
        ("Connect( 19, 19 ,6,2,1 )", CONNECT6),
        ("15x15 k5 p1 q1", GOMOKU),
        ("15×15, k=5, p=1, q=1", GOMOKU),
        ("gomoku", GOMOKU),
        ("tic-tac-toe", TIC_TAC_TOE),
        ("tictactoe", TIC_TAC_TOE),
        ("Tic Tac Toe", TIC_TAC_TOE),
        ("Connect(6,2,3)", Game.infinite(6, 2, 3)),
        ("infinite k6 p2 q3", Game.infinite(6, 2, 3)),
        ("Connect(59,59,6,2,1)", Game(59, 59, 6, 2, 1)),
        ("Connect(5,6,4,1,1) maker-breaker", Game(5, 6, 4, 1, 1, maker_breaker=True)),
    ],
)
def test_games_are_read_as_people_write_them(text: str, game: Game) -> None:
    assert Game.parse(text) == game


@pytest.mark.parametrize("game", [*KNOWN_GAMES.values(), Game(3, 59, 4, 3, 2), Game(7, 7, 4, 2, 1, maker_breaker=True)])
def test_a_game_reads_back_what_it_writes(game: Game) -> None:
    assert Game.parse(str(game)) == game


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("chess", "no game"),
        ("Connect(19,19)", "five numbers"),
        ("Connect(60,60,6,2,1)", "m = 60 is out of range: 3 to 59"),
        ("Connect(2,9,6,2,1)", "m = 2"),
        ("Connect(19,19,6,0,1)", "p = 0"),
        ("Connect(19,19,6,2,99999)", "q = 99999"),
        ("connect6 please", "no game"),
        ("", "no game"),
    ],
)
def test_nonsense_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(GameError, match=reason.replace("(", r"\(")):
        Game.parse(text)


def test_parameters_must_be_whole_numbers() -> None:
    with pytest.raises(GameError, match="whole number"):
        Game(19, 19, 6.0, 2, 1)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="both"):
        Game(19, None, 6, 2, 1)


def test_colours() -> None:
    assert Colour.parse(" White ") is Colour.WHITE
    assert Colour.BLACK.opponent is Colour.WHITE
    with pytest.raises(GameError, match="say black or white"):
        Colour.parse("red")


def test_infinite_game_has_no_size() -> None:
    assert Game.infinite(6, 2, 1).squares is None
    assert CONNECT6.squares == 361
    assert Game.parse("connect6").name == "Connect6"
    assert Game(9, 9, 6, 2, 1).name == "Connect(9,9,6,2,1)"
