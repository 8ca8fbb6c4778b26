"""Our side of the protocols of other people, against transcripts written by hand from their descriptions."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cli import Run, run
from transcripts import read_transcript

from tengen.game import BLACK, CONNECT6, WHITE, Game, Move, NotationError, Position, Square, TengenError
from tengen.play import make_agent, registry
from tengen.play.agent import Agent, Budget, Choice
from tengen.play.external.botzone import BOTZONE_GAME
from tengen.play.external.notation import (
    as_turns,
    from_letters,
    from_numbers,
    from_vertex,
    to_letters,
    to_numbers,
    to_vertex,
)
from tengen.protocol import BotzoneSpeaker, CloudictSpeaker, GtpSpeaker, SauSpeaker, Speaker, converse
from tengen.protocol.speaker import MAX_LINE

__all__ = ["run"]  # the fixture


class Scripted:
    """Plays moves that were decided beforehand, and remembers what it was allowed."""

    name = "scripted"

    def __init__(self, moves: Iterable[str]) -> None:
        self.moves = iter(moves)
        self.budgets: list[Budget] = []

    def choose(self, position: Position, budget: Budget) -> Choice:
        self.budgets.append(budget)
        return Choice(Move(next(self.moves)))

    def close(self) -> None:
        pass


def keeping_botzone(agent: Agent, budget: Budget) -> BotzoneSpeaker:
    return BotzoneSpeaker(agent, budget, keep_running=True)


@pytest.mark.parametrize(
    ("transcript", "make", "moves"),
    [
        ("cloudict.txt", CloudictSpeaker, "J10 K9I11 J9J11"),
        ("cloudict-position.txt", CloudictSpeaker, "L13G8"),
        ("sau.txt", SauSpeaker, "J9K11 H12L8"),
        ("sau-black.txt", SauSpeaker, "J10 K9I11"),
        ("botzone.txt", BotzoneSpeaker, "J6G10"),
        ("botzone-keep-running.txt", keeping_botzone, "I9H7 A1O15"),
        ("gtp.txt", GtpSpeaker, "I9K11 H8L12"),
        ("gtp-commands.txt", GtpSpeaker, ""),
    ],
)
def test_transcript(transcript: str, make: Callable[[Agent, Budget], Speaker], moves: str) -> None:
    speaker = make(Scripted(moves.split()), Budget())
    for said, expected in read_transcript(transcript):
        answer = speaker.answer(said)
        assert (f"{answer}\n" if answer else "").splitlines() == [line.rstrip() for line in expected], said
    assert speaker.finished == (transcript != "botzone-keep-running.txt")


def test_cloudict_places_stones_out_of_turn() -> None:
    agent = Scripted(["A1B2", "C3D4"])
    speaker = CloudictSpeaker(agent, Budget())
    for line in ("new white", "black JJ", "black KK", "white AB", "white CD", "black LL"):
        assert speaker.answer(line) == ""
    assert speaker.position.stones(BLACK) == (Square(9, 9), Square(10, 10), Square(11, 11))
    assert speaker.position.turn is WHITE
    assert speaker.answer("next") == "move AABB"
    assert speaker.answer("next") == "move CCDD"
    assert len(speaker.position.stones(BLACK)) == 5


def test_cloudict_settings_and_mistakes() -> None:
    agent = Scripted(["J10"])
    speaker = CloudictSpeaker(agent, Budget(seconds=3))
    assert speaker.answer("DEPTH 5") == "depth 5"
    assert speaker.answer("depth five").startswith("error depth")
    for word in ("vcf", "unvcf", "novcf", "", "   "):
        assert speaker.answer(word) == ""
    assert speaker.answer("new black") == "move JJ"
    assert agent.budgets == [Budget(seconds=3, depth=5)]
    before = str(speaker.position)
    for mistake in ("move", "move JJKK", "move IIII", "move I", "move ZZAA", "move II", "new", "new green", "fly"):
        assert speaker.answer(mistake).startswith("error "), mistake
    assert str(speaker.position) == before
    assert "novcf" not in speaker.answer("help")
    assert speaker.answer("print").count("X") == 1
    assert not speaker.finished
    assert speaker.answer("exit") == ""
    assert speaker.finished


def test_a_won_game_is_not_answered() -> None:
    speaker = CloudictSpeaker(Scripted([]), Budget())
    for line in ("black JJ", "white AABA", "black SSSA", "white CADA", "black ASQQ"):
        speaker.answer(line)
    assert speaker.answer("move EAFA") == ""
    assert speaker.position.winner is WHITE
    assert speaker.answer("next").startswith("error")


def test_a_winning_move_is_filled_up() -> None:
    # The simple opponent stops at the winning stone; other programs expect as many stones as a turn has.
    game = "J10 A1A3 K10L10 A5A7 M10H10 A9A11"
    speaker = GtpSpeaker(make_agent("simple", 1), Budget())
    speaker.position = Position.parse(game)
    assert speaker.answer("genmove b") == "= J10\n"
    assert speaker.position.winner is BLACK
    assert speaker.answer("genmove b").startswith("= ")
    assert speaker.answer("final_score") == "= B+1\n"
    assert speaker.answer("genmove w").startswith("? ")
    letters = CloudictSpeaker(make_agent("simple", 1), Budget())
    letters.position = Position.parse(game)
    assert len(letters.answer("next")) == len("move XXXX")


def test_gtp_second_stone_is_the_plans() -> None:
    agent = Scripted(["I9K11", "H8L12", "A1", "S19"])
    speaker = GtpSpeaker(agent, Budget())
    speaker.answer("play b K10")
    assert speaker.answer("genmove w") == "= J9\n"
    assert speaker.answer("genmove w") == "= L11\n"
    assert len(agent.budgets) == 1
    speaker.answer("undo")
    speaker.answer("undo")
    assert speaker.answer("genmove w") == "= H8\n"
    assert speaker.answer("play w G7") == "=\n"  # somebody else places the second stone: the plan is void
    speaker.answer("undo")
    assert speaker.answer("genmove w") == "= A1\n"
    assert len(agent.budgets) == 3


def test_gtp_clocks() -> None:
    agent = Scripted(["J10", "I9K11", "A1B1", "A2B2", "A3B3"])
    speaker = GtpSpeaker(agent, Budget(seconds=1.5))
    speaker.answer("genmove b")
    speaker.answer("time_settings 0 10 2")
    speaker.answer("genmove w")
    speaker.answer("genmove w")
    speaker.answer("time_settings 60 0 0")
    speaker.answer("genmove b")
    speaker.answer("genmove b")
    speaker.answer("time_left w 20 0")
    speaker.answer("genmove w")
    speaker.answer("genmove w")
    speaker.answer("genmove b")
    budgets = agent.budgets
    assert [budget.seconds for budget in budgets] == [1.5, 10, None, None, None]
    assert [budget.remaining for budget in budgets[:4]] == [None, None, 60, 20]
    assert budgets[4].remaining is not None
    assert 0 <= budgets[4].remaining < 60  # what Black thought about his last move is off his clock


@pytest.mark.parametrize(
    "question",
    [
        "no JSON",
        "[]",
        "{}",
        '{"requests":[]}',
        '{"requests":{},"responses":[]}',
        '{"requests":[{"x0":7,"y0":7,"x1":8,"y1":8}],"responses":[]}',
        '{"requests":[{"x0":7,"y0":"7","x1":-1,"y1":-1}],"responses":[]}',
        '{"requests":[{"x0":77,"y0":7,"x1":-1,"y1":-1}],"responses":[]}',
        '{"requests":[{"x0":-1,"y0":-1,"x1":-1,"y1":-1},{"x0":-1,"y0":-1,"x1":-1,"y1":-1}],"responses":[{"x0":7}]}',
        "[" * 100_000,
    ],
)
def test_botzone_mistakes(question: str) -> None:
    answer = json.loads(BotzoneSpeaker(Scripted(["H8"]), Budget()).answer(question))
    assert answer["response"]["x0"] == -1
    assert answer["debug"]


class Failing:
    """Fails as somebody else's agent may."""

    name = "failing"

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def choose(self, position: Position, budget: Budget) -> Choice:
        position.play(next(iter(position.empty_squares())))  # its copy, not the game
        if self.kind == "raises":
            raise ZeroDivisionError("one\nover nothing")
        if self.kind == "closed":
            raise BrokenPipeError(32, "Broken pipe")
        return "J10" if self.kind == "words" else Choice("J10")  # type: ignore[return-value,arg-type]

    def close(self) -> None:
        raise ZeroDivisionError("no goodbye")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("raises", "failing failed: ZeroDivisionError: one over nothing"),
        ("closed", "failing failed: BrokenPipeError: [Errno 32] Broken pipe"),
        ("words", "failing failed: 'J10' is no choice of a move"),
        ("word", "failing failed: Choice(move='J10', win=None"),
    ],
)
def test_an_agent_that_fails_is_an_error_in_the_manner_of_each_protocol(kind: str, reason: str) -> None:
    for speaker, line, begin in (
        (CloudictSpeaker(Failing(kind), Budget()), "new black", "error "),
        (SauSpeaker(Failing(kind), Budget()), "new black", "error "),
        (GtpSpeaker(Failing(kind), Budget()), "7 genmove b", "?7 "),
    ):
        answer = speaker.answer(line)
        assert answer.startswith(begin + reason)
        assert "\n" not in answer.rstrip("\n")
        assert not speaker.finished
        assert speaker.position.stone_count == 0
    question = {"requests": [to_numbers(None, BOTZONE_GAME)], "responses": []}
    said = json.loads(BotzoneSpeaker(Failing(kind), Budget()).answer(json.dumps(question)))
    assert (said["response"]["x0"], reason in " ".join(said["debug"].split())) == (-1, True)


def test_the_engine_goes_on_after_an_agent_has_failed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._OWN, "failing", lambda: Failing("raises"))
    code, out, err = run("engine", "-p", "gtp", "-a", "failing", stdin="genmove b\nname\nquit\n")
    assert (code, err) == (0, "")
    assert out == "? failing failed: ZeroDivisionError: one over nothing\n\n= Tengen failing\n\n=\n\n"


def test_a_game_is_kept_though_the_opponent_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._OWN, "failing", lambda: Failing("raises"))
    code, out, err = run("play", "--against", "failing", stdin="J10\n")
    assert (code, "failing failed: ZeroDivisionError" in err) == (3, True)
    assert "Kept as library:1" in out


def test_games_that_do_not_fit() -> None:
    agent = Scripted([])
    for make, game in (
        (CloudictSpeaker, Game(59, 59, 6, 2, 1)),
        (SauSpeaker, Game.infinite(6, 2, 1)),
        (GtpSpeaker, Game(26, 26, 6, 2, 1)),
        (BotzoneSpeaker, Game(19, 19, 6, 3, 1)),
    ):
        with pytest.raises(TengenError, match=r"protocol"):
            make(agent, Budget(), game)


def test_other_games_than_connect6() -> None:
    speaker = CloudictSpeaker(Scripted(["H8", "I9"]), Budget(), Game.parse("gomoku"))
    assert speaker.answer("new black") == "move HH"
    assert speaker.answer("move HI") == "move II"


def test_converse_ends_with_either_side() -> None:
    for lines, expected in (
        (b"name\nquit\nname\n", "name Tengen scripted\n"),
        (b"name\r\nname", "name Tengen scripted\n" * 2),
        (b"x" * (3 * MAX_LINE) + b"\nname\n", "error unknown command: xxxxxxxxxxxxxxxxxxxx\nname Tengen scripted\n"),
        (b"\xff\xfe\nname\n", "error unknown command: \ufffd\ufffd\nname Tengen scripted\n"),
    ):
        said = io.StringIO()
        converse(CloudictSpeaker(Scripted([]), Budget()), io.BytesIO(lines), said)
        assert said.getvalue() == expected


WORDS = [
    "name",
    "name?",
    "new",
    "move",
    "black",
    "white",
    "next",
    "depth",
    "vcf",
    "print",
    "help",
    "error",
    "end",
    "play",
    "genmove",
    "undo",
    "boardsize",
    "clear_board",
    "komi",
    "showboard",
    "time_settings",
    "time_left",
    "final_score",
    "known_command",
    "b",
    "w",
    "green",
    "JJ",
    "IIKK",
    "JJ@@",
    "@@",
    "K10",
    "pass",
    "resign",
    "0",
    "1",
    "2",
    "19",
    "-1",
    "1e999",
    "nan",
    "#",
    "=",
    "?",
    "7",
    "{}",
    "[]",
    "\x00",
    "\u2028",
    "天元",
]
lines = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join))


@given(st.lists(lines, max_size=30), st.sampled_from([CloudictSpeaker, SauSpeaker, GtpSpeaker, keeping_botzone]))
def test_no_line_raises(said: list[str], make: Callable[[Agent, Budget], Speaker]) -> None:
    speaker = make(make_agent("random", 1), Budget())
    for line in said:
        answer = speaker.answer(line)
        assert "\n\n" not in answer or make is GtpSpeaker
        if make is GtpSpeaker and answer:
            assert answer[0] in "=?"
            assert answer.endswith("\n")


numbers = st.one_of(st.integers(-3, 20), st.none(), st.text(max_size=2), st.floats())
entries = st.one_of(st.dictionaries(st.sampled_from(["x0", "y0", "x1", "y1"]), numbers), numbers)


@given(
    st.dictionaries(st.sampled_from(["requests", "responses", "x0", "y0", "x1", "y1"]), st.lists(entries, max_size=4))
)
def test_no_botzone_question_raises(question: dict[str, object]) -> None:
    speaker = keeping_botzone(make_agent("random", 1), Budget())
    assert json.loads(speaker.answer(json.dumps(question)).splitlines()[0])["response"]


squares = st.builds(Square, st.integers(0, 18), st.integers(0, 18))


@given(st.lists(squares, min_size=1, max_size=2, unique=True))
def test_notations_are_read_back(stones: list[Square]) -> None:
    move = Move(stones)
    for from_top in (False, True):
        assert from_letters(to_letters(move, CONNECT6, from_top), CONNECT6, from_top) == move
        assert from_letters(to_letters(move, CONNECT6, from_top).lower(), CONNECT6, from_top) == move
    assert from_numbers(to_numbers(move, CONNECT6), CONNECT6) == move
    for square in stones:
        assert from_vertex(to_vertex(square), CONNECT6) == square


def test_notations_as_published() -> None:
    assert to_letters(Move("J10"), CONNECT6) == "JJ"
    assert to_letters(Move("A1S19"), CONNECT6) == "AASS"
    assert to_letters(Move("A1S19"), CONNECT6, from_top=True) == "ASSA"
    with pytest.raises(NotationError, match="write it like E5"):
        from_vertex("K10", Game(9, 9, 5, 1, 1))
    assert [to_vertex(Square.parse(name)) for name in ("A1", "H8", "I9", "J10", "S19")] == [
        "A1",
        "H8",
        "J9",
        "K10",
        "T19",
    ]
    assert to_numbers(Move("A15"), BOTZONE_GAME) == {"x0": 0, "y0": 0, "x1": -1, "y1": -1}
    assert to_numbers(None, BOTZONE_GAME) == dict.fromkeys(("x0", "y0", "x1", "y1"), -1)
    for text in ("", "K", "K0", "K20", "I5", "U1", "K١", "pass", "K100"):
        with pytest.raises(NotationError):
            from_vertex(text, CONNECT6)


def test_positions_as_games() -> None:
    position = Position.parse("B: J10 K9 I11 W: J9 K11 to move: W then: A1A2")
    turns = as_turns(position)
    assert [len(turn.move) for turn in turns] == [1, 2, 2, 2]
    replayed = Position(CONNECT6, [turn.move for turn in turns])
    assert replayed == position
    for text, reason in (
        ("B: J10 K9 W: J9 K11 to move: W", "regular"),
        ("J10 J9K11 K9", "beginning of a turn"),
        ("J10 pass", "pass"),
        ("B: J10 W: J9 K11 to move: W", "regular"),
    ):
        with pytest.raises(TengenError, match=reason):
            as_turns(Position.parse(text))


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.dictionaries(st.sampled_from(["x0", "y0", "x1", "y1", "response"]), inner),
)


@given(st.text(max_size=8), anything)
def test_what_other_programs_say_is_a_move_or_nonsense(text: str, numbers: object) -> None:
    for read in (
        lambda: from_letters(text, CONNECT6),
        lambda: from_vertex(text, CONNECT6),
        lambda: from_numbers(numbers, CONNECT6),
    ):
        with contextlib.suppress(NotationError):
            found = read()
            assert found is None or isinstance(found, Move | Square)
