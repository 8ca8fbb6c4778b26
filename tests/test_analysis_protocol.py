"""The analysis protocol: every kind of question, mistakes, reports on the way, and being told to stop."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import __version__
from tengen.game import CONNECT6, Game, Move, Position, TengenError
from tengen.play import make_agent
from tengen.play.agent import Agent, Budget, Choice
from tengen.protocol import AnalysisServer, serve
from tengen.protocol.analysis import KINDS, Query, QueryError, read_query
from tengen.protocol.analysis.queries import MAX_ID, MAX_TEXT
from tengen.protocol.speaker import MAX_LINE
from tengen.prove import defend
from tengen.solve import solve
from tengen.threat import ThreatSummary

LONG = {"kind": "defend", "position": "J10 J9K11", "reply_nodes": 10**9, "seconds": 3600.0}
"""A question that nobody has the time to answer."""


class Session:
    """A server whose answers are kept."""

    def __init__(self, agent: Callable[[], Agent] | None = None, threads: int = 1, seconds: float = 10.0) -> None:
        self.answers: list[dict[str, Any]] = []
        self.changed = threading.Condition()
        self.server = AnalysisServer(agent or (lambda: make_agent("simple", 1)), self.write, threads, seconds)

    def write(self, line: str) -> None:
        assert "\n" not in line
        with self.changed:
            self.answers.append(json.loads(line))
            self.changed.notify_all()

    def ask(self, **query: Any) -> None:
        self.server.accept(json.dumps(query))

    def wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first answer of a kind."""
        with self.changed:
            assert self.changed.wait_for(lambda: any(map(wanted, self.answers)), timeout=300)
            return next(answer for answer in self.answers if wanted(answer))

    def start_long(self) -> None:
        """Keeps a worker busy."""
        self.ask(id="long", report_every=0.01, **LONG)
        self.wait(lambda answer: answer.get("during_search") is True)

    def last(self, id: str) -> dict[str, Any]:
        return self.wait(lambda answer: answer.get("id") == id and not answer.get("during_search"))


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session()
    yield session
    session.server.finish(wait=False)


def is_of(id: str, turn: int, answer: dict[str, Any]) -> bool:
    return answer.get("id") == id and answer.get("turn") == turn


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "seconds"}


# Answers


def test_analyse(session: Session) -> None:
    session.ask(id="a", position="J10 J9K11", nodes=1000)
    answer = session.last("a")
    expected = make_agent("simple", 1).choose(Position.parse("J10 J9K11"), Budget()).move
    assert answer == {
        "id": "a",
        "kind": "analyse",
        "turn": 2,
        "during_search": False,
        "answer": {
            "agent": "simple",
            "side": "black",
            "stones_left": 2,
            "moves": [
                {
                    "order": 0,
                    "move": str(expected),
                    "win": None,
                    "status": None,
                    "line": [str(expected)],
                    "depth": None,
                    "nodes": None,
                    "notes": {},
                }
            ],
            "seconds": answer["answer"]["seconds"],
            "position": "J10 J9K11",
        },
    }


VCDT = "B: J10 K10 L10 J11 K12 L13 W: A1 C1 A3 C3 A5 C5 to move: B"


def test_solve_defend_and_threats_answer_as_the_library_does(session: Session) -> None:
    position = Position.parse(VCDT)
    session.ask(id="s", kind="solve", position=VCDT, win="vcst", zones=True, all_moves=True, nodes=10**6)
    session.ask(id="d", kind="defend", position="J10 J9K11", order=1, reply_nodes=10, nodes=2000)
    session.ask(id="t", kind="threats", position=VCDT, side="black", method="wu-huang")
    found = solve(position, "vcst", zones=True, all_moves=True, nodes=10**6).as_json()
    assert without_time(session.last("s")["answer"]) == without_time(found)
    assert found["result"] == "win"
    held = defend(Position.parse("J10 J9K11"), order=1, reply_nodes=10, nodes=2000).as_json()
    assert without_time(session.last("d")["answer"]) == without_time(held)
    threats = ThreatSummary(position, position.turn, "wu-huang").as_json()
    assert session.last("t")["answer"] == {**threats, "position": str(position)}


def test_several_turns_of_a_game(session: Session) -> None:
    session.ask(id="game", kind="threats", position="J10 J9K11 K9I11", turns=[3, 0, 1])
    answers = {}
    for turn in (0, 1, 3):
        answers[turn] = session.wait(partial(is_of, "game", turn))["answer"]["position"]
    assert answers == {0: "", 1: "J10", 3: "J10 J9K11 K9I11"}


def test_other_games(session: Session) -> None:
    session.ask(id="g", game="gomoku", position="H8")
    session.ask(id="h", position="Connect(6,2,3) J10L10K11")
    assert session.last("g")["answer"]["stones_left"] == 1
    assert session.last("h")["answer"]["stones_left"] == 2
    session.ask(id="i", game="gomoku", position="connect6 J10")
    assert session.last("i")["field"] == "position"


def test_version(session: Session) -> None:
    session.ask(id="v", action="query_version")
    assert session.last("v") == {"id": "v", "action": "query_version", "version": __version__}


def test_a_question_that_makes_no_sense_there(session: Session) -> None:
    won = "J10 A1A3 K10L10 A5A7 M10N10 A9A11 O10P10"
    for kind in ("analyse", "solve", "defend"):
        session.ask(id=kind, kind=kind, position=won)
        assert "over" in session.last(kind)["error"]
        assert session.last(kind)["turn"] == 7
    session.ask(id="p", kind="defend", position="J10", prohibited=["J10K10"])
    assert "legal" in session.last("p")["error"]


# Mistakes

WRONG: list[tuple[dict[str, Any], str | None]] = [
    ({}, "id"),
    ({"id": 7}, "id"),
    ({"id": ""}, "id"),
    ({"id": "x" * (MAX_ID + 1)}, "id"),
    ({"id": "a", "kind": "guess"}, "kind"),
    ({"id": "a", "kind": ["solve"]}, "kind"),
    ({"id": "a", "action": "stop"}, "action"),
    ({"id": "a", "action": {}}, "action"),
    ({"id": "a", "action": "terminate"}, "terminate_id"),
    ({"id": "a", "action": "terminate_all", "kind": "solve"}, "kind"),
    ({"id": "a", "colour": "red"}, "colour"),
    ({"id": "a", "kind": "threats", "seconds": 1}, "seconds"),
    ({"id": "a", "position": "K99"}, "position"),
    ({"id": "a", "position": ["J10"]}, "position"),
    ({"id": "a", "position": " " * (MAX_TEXT + 1)}, "position"),
    ({"id": "a", "position": "J10 J10K10"}, "position"),
    ({"id": "a", "game": "chess"}, "game"),
    ({"id": "a", "game": "Connect(19,19,6,9,1)"}, "game"),
    ({"id": "a", "game": "Connect(9999,2,1)"}, "position"),
    ({"id": "a", "turns": []}, "turns"),
    ({"id": "a", "turns": [1]}, "turns"),
    ({"id": "a", "turns": [0, 0]}, "turns"),
    ({"id": "a", "turns": [-1]}, "turns"),
    ({"id": "a", "turns": 0}, "turns"),
    ({"id": "a", "seconds": 0}, "seconds"),
    ({"id": "a", "seconds": True}, "seconds"),
    ({"id": "a", "seconds": "1"}, "seconds"),
    ({"id": "a", "seconds": 1e300}, "seconds"),
    ({"id": "a", "nodes": 1.5}, "nodes"),
    ({"id": "a", "nodes": 10**40}, "nodes"),
    ({"id": "a", "lines": 1000}, "lines"),
    ({"id": "a", "report_every": 0}, "report_every"),
    ({"id": "a", "increment": False}, "increment"),
    ({"id": "a", "kind": "solve", "win": "vcf"}, "win"),
    ({"id": "a", "kind": "solve", "win": "order 99"}, "win"),
    ({"id": "a", "kind": "solve", "side": "red"}, "side"),
    ({"id": "a", "kind": "solve", "method": []}, "method"),
    ({"id": "a", "kind": "solve", "wide": 1}, "wide"),
    ({"id": "a", "kind": "defend", "prohibited": "J10"}, "prohibited"),
    ({"id": "a", "kind": "defend", "prohibited": ["?"]}, "prohibited"),
]


@pytest.mark.parametrize(("query", "field"), WRONG)
def test_wrong_queries(query: dict[str, Any], field: str | None) -> None:
    with pytest.raises(QueryError) as caught:
        read_query(json.dumps(query))
    answer = caught.value.as_json()
    assert answer["field"] == field
    assert answer["error"]
    assert answer.get("id") == ("a" if query.get("id") == "a" else None)


def test_wrong_lines(session: Session) -> None:
    lines = ["{", "[]", "7", "null", '"x"', "[" * 100_000, '{"id": NaN}', f'{{"id": {"9" * 5000}}}', "x" * MAX_LINE]
    for line in ["", "   ", *lines]:
        session.server.accept(line)
    assert len(session.answers) == len(lines)
    assert all(set(answer) <= {"error", "field"} for answer in session.answers)


def test_ids_must_differ_while_they_run(session: Session) -> None:
    session.ask(id="a", **LONG)
    session.ask(id="a", position="J10")
    assert "not answered yet" in session.last("a")["error"]


def test_too_many_queries(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.protocol.analysis.server.MAX_WAITING", 10)
    session.start_long()
    for number in range(6):
        session.ask(id=str(number), kind="threats", position="J10 J9K11", turns=[0, 2])
    assert [answer["id"] for answer in session.answers if "waiting" in answer.get("error", "")] == ["5"]


def test_an_agent_that_fails_does_not_take_the_server_with_it() -> None:
    class Broken:
        name = "broken"

        def choose(self, position: Position, budget: Budget) -> Choice:
            raise ZeroDivisionError("one over nothing")

        def close(self) -> None:
            pass

    session = Session(Broken)
    session.ask(id="a")
    assert session.last("a")["error"] == "broken failed: ZeroDivisionError: one over nothing"
    session.ask(id="b", kind="threats")
    assert session.last("b")["answer"]["threats"] == 0
    session.server.finish()


def test_what_an_agent_says_that_cannot_be_told_is_its_fault() -> None:
    class Odd:
        name = "odd"

        def choose(self, position: Position, budget: Budget) -> Choice:
            return Choice(Move("K11I9"), win=float("inf"), notes={"why": self})  # type: ignore[dict-item]

        def close(self) -> None:
            pass

    session = Session(Odd)
    session.ask(id="a", position="J10")
    assert session.last("a")["error"].startswith("odd failed: it answered with what cannot be told")
    session.ask(id="b", kind="threats")
    assert session.last("b")["answer"]["threats"] == 0
    session.server.finish()


def test_no_agent_to_be_had() -> None:
    def nobody() -> Agent:
        raise TengenError("nobody is at home")

    session = Session(nobody)
    session.ask(id="a")
    assert session.last("a")["error"] == "nobody is at home"
    session.server.finish()


# While it thinks


def test_reports_on_the_way(session: Session) -> None:
    session.ask(id="long", report_every=0.01, **LONG)
    first = session.wait(lambda answer: answer.get("during_search") is True and "waiting" in answer["answer"])
    assert first["id"] == "long"
    assert first["answer"]["seconds"] > 0
    session.ask(id="stop", action="terminate", terminate_id="long")
    assert session.last("stop") == {"id": "stop", "action": "terminate", "terminate_id": "long"}
    last = session.last("long")
    assert last["answer"]["result"] == "unknown"
    session.server.finish()
    assert session.answers[-1] == last  # nothing comes after the last answer


def test_terminate_those_that_wait(session: Session) -> None:
    session.start_long()
    session.ask(id="waits", kind="threats", position="J10 J9K11", turns=[0, 1])
    session.ask(id="other", kind="threats")
    session.ask(id="stop", action="terminate", terminate_id="waits")
    for turn in (0, 1):
        said = session.wait(partial(is_of, "waits", turn))
        assert said == {"id": "waits", "kind": "threats", "turn": turn, "during_search": False, "no_results": True}
    assert not any(is_of("other", 0, answer) for answer in session.answers)
    session.ask(id="nobody", action="terminate", terminate_id="unheard of")
    session.ask(id="all", action="terminate_all")
    assert session.last("long")["answer"]["result"] == "unknown"
    assert session.last("other")["no_results"]


def test_agents_that_answer_with_one_move_are_stopped_too() -> None:
    session = Session(agent=lambda: make_agent("monte-carlo:games=1000000000", 1))
    session.ask(id="long", position="J10 A1A2", seconds=3600.0, report_every=0.01)
    session.wait(lambda answer: answer.get("during_search") is True)
    session.ask(id="stop", action="terminate", terminate_id="long")
    assert len(session.last("long")["answer"]["moves"]) == 1
    session.server.finish()


def test_a_program_that_is_stopped_has_no_results(tmp_path: Path) -> None:
    script, begun = tmp_path / "hang.py", tmp_path / "begun"
    script.write_text(f"import time; open({str(begun)!r}, 'w').close(); time.sleep(1000)")
    session = Session(agent=lambda: make_agent(f"gtp:{sys.executable} -I {script}"))
    session.ask(id="long", position="J10", seconds=3600.0)
    while not begun.exists():
        time.sleep(0.01)
    session.ask(id="stop", action="terminate_all")
    said = session.last("long")
    assert said == {"id": "long", "kind": "analyse", "turn": 1, "during_search": False, "no_results": True}
    session.server.finish()


def test_answers_come_in_any_order() -> None:
    session = Session(threads=2)
    session.start_long()
    session.ask(id="short", kind="threats")
    assert session.last("short")["answer"]
    assert all(answer["during_search"] for answer in session.answers if answer["id"] == "long")
    session.server.finish(wait=False)
    assert session.last("long")["answer"]["result"] == "unknown"


def test_an_agent_that_can_be_watched_and_stopped() -> None:
    class Watched:
        """Reports its best moves until it is stopped."""

        name = "watched"

        def choose(self, position: Position, budget: Budget) -> Choice:
            raise AssertionError("it is watched instead")

        def analyse(self, position: Position, budget: Budget, **asked: Any) -> Sequence[Choice]:
            moves = [Choice(move, win=0.5) for move in islice(position.legal_moves(), asked["lines"])]
            while not asked["control"].stopped:
                asked["report"](moves)
                time.sleep(0.001)
            return moves

        def close(self) -> None:
            pass

    session = Session(Watched)
    session.ask(id="a", position="J10", lines=3, report_every=0.01, seconds=3600)
    report = session.wait(lambda answer: answer.get("during_search") is True and "moves" in answer["answer"])
    assert [choice["order"] for choice in report["answer"]["moves"]] == [0, 1, 2]
    session.ask(id="b", action="terminate", terminate_id="a")
    assert [choice["move"] for choice in session.last("a")["answer"]["moves"]] == ["A1B1", "A1C1", "A1D1"]
    session.server.finish()


def test_reports_go_on_though_an_agent_tells_what_cannot_be_told() -> None:
    class Odd:
        name = "odd"

        def choose(self, position: Position, budget: Budget) -> Choice:
            raise AssertionError("it is watched instead")

        def analyse(self, position: Position, budget: Budget, **asked: Any) -> Sequence[Choice]:
            moves = [Choice(Move("K11I9"), win=float("inf"))]
            while not asked["control"].stopped:
                asked["report"](moves)
                time.sleep(0.001)
            return moves

        def close(self) -> None:
            pass

    session = Session(Odd)
    session.ask(id="a", position="J10", report_every=0.01, seconds=3600)
    with session.changed:  # the first may come before the agent has told anything
        assert session.changed.wait_for(lambda: len(session.answers) >= 5, timeout=300)
    assert "moves" not in session.answers[-1]["answer"]
    session.ask(id="b", action="terminate", terminate_id="a")
    session.last("a")
    session.start_long()
    session.server.finish(wait=False)


def test_the_budget_reaches_the_agent() -> None:
    budgets = []

    class Noting:
        name = "noting"

        def choose(self, position: Position, budget: Budget) -> Choice:
            budgets.append(budget)
            return Choice(Move("J10"))

        def close(self) -> None:
            pass

    session = Session(Noting, seconds=7.0)
    session.ask(id="a")
    session.ask(id="b", nodes=100, depth=3)
    session.ask(id="c", remaining=60, increment=2)
    session.server.finish()
    assert budgets == [Budget(seconds=7.0), Budget(nodes=100, depth=3), Budget(remaining=60.0, increment=2.0)]


def test_the_end_of_the_input() -> None:
    session = Session()
    queries = [json.dumps({"id": str(number), "kind": "threats"}) for number in range(20)]
    serve(session.server, io.BytesIO("\n".join(queries).encode()))
    assert {answer["id"] for answer in session.answers} == {str(number) for number in range(20)}
    hasty = Session()
    long_query = json.dumps({"id": "long", **LONG})
    serve(hasty.server, io.BytesIO(long_query.encode()), wait=False)
    assert [answer["id"] for answer in hasty.answers] == ["long"]


def test_nobody_listens_any_more() -> None:
    def write(_line: str) -> None:
        raise BrokenPipeError

    server = AnalysisServer(lambda: make_agent("simple"), write)
    server.accept(json.dumps({"id": "long", **LONG}))
    server.accept(json.dumps({"id": "v", "action": "query_version"}))
    server.finish()  # the long search has been stopped


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 20),
        st.floats(),
        st.sampled_from(
            ["", "J10", "J10 J9K11", "solve", "defend", "vcst", "black", "gomoku", "a", "terminate", "pass"]
        ),
        st.text(max_size=5),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=5,
)
NAMES = sorted({"id", "kind", "action", "terminate_id", "game", "position", "turns"}.union(*KINDS.values()))


@settings(max_examples=300)
@given(
    st.dictionaries(st.sampled_from([name for name in NAMES if name not in ("seconds", "nodes")]), values, max_size=6),
    st.sampled_from(sorted(KINDS)),
)
def test_any_query_gets_an_answer(query: dict[str, Any], kind: str) -> None:
    session = Session(seconds=0.01)
    session.ask(**({"kind": kind, "id": "a"} | query))
    session.server.finish(wait=False)
    assert session.answers
    assert all("internal" not in answer.get("error", "") for answer in session.answers)


@given(st.text(max_size=60))
def test_any_line_is_met_with_an_error(line: str) -> None:
    said: list[str] = []
    server = AnalysisServer(lambda: make_agent("simple"), said.append)
    server.accept(line)
    server.finish()
    assert len(said) == bool(line.strip())
    assert all("error" in json.loads(answer) for answer in said)


# From the command line


def test_the_command() -> None:
    command = [sys.executable, "-m", "tengen", "engine", "--protocol", "analysis", "--agent", "simple"]
    queries = '{"id":"a","position":"J10"}\nnonsense\n{"id":"b","action":"query_version"}\n'
    done = subprocess.run(command, input=queries, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(answer.get("id", "") for answer in answers) == ["", "a", "b"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("-p", "gtp", "-a", "nobody"), "'nobody'"),
        (("-p", "analysis", "-a", "nobody"), "'nobody'"),
        (("-p", "gtp", "-g", "Connect6-59"), "at most 25 columns"),
        (("-p", "gtp", "-g", "chess"), "is no game"),
        (("-p", "uci"), "uci"),
        (("-p", "analysis", "-g", "gomoku"), "names its own game"),
        (("-p", "analysis", "--nodes", "9"), "names its own game, nodes and depth"),
    ],
)
def test_wrong_options(options: tuple[str, ...], reason: str) -> None:
    command = [sys.executable, "-m", "tengen", "engine", *options]
    done = subprocess.run(command, input="", capture_output=True, text=True)
    assert done.returncode == 3
    assert reason in " ".join(done.stderr.split())
    assert done.stdout == ""


def test_positions_are_what_they_say() -> None:
    query = read_query('{"id": "a", "position": "J10 J9K11 K9", "turns": [2, 3]}')
    assert isinstance(query, Query)
    assert [(turn, str(position)) for turn, position in query.positions] == [(2, "J10 J9K11"), (3, "J10 J9K11 K9")]
    assert query.positions[0][1].game == CONNECT6
    empty = read_query('{"id": "a", "game": "gomoku"}')
    assert isinstance(empty, Query)
    assert empty.positions[0][1].game == Game.parse("gomoku")
