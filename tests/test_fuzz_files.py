"""Files and messages of strangers that are not records: our own errors only, whatever was changed in them."""

from __future__ import annotations

import copy
import gzip
import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tengen import CONNECT6, Game, Position, TengenError, check
from tengen.arena.settings import Settings
from tengen.diagram.scene import Area
from tengen.grid import Task
from tengen.grid.handlers import check_kind
from tengen.opening.atlas import Atlas
from tengen.opening.jobs import look
from tengen.play.clock import TimeControl
from tengen.play.registry import make_agent
from tengen.prove import settle
from tengen.puzzle import read_puzzles
from tengen.search import jobs
from tengen.search.finding import Finding
from tengen.search.hints import read_hint
from tengen.search.journal import JournalError, read_entries
from tengen.sudoku.grid import Grid, Puzzle
from tengen.sudoku.jobs import check_grids
from tengen.theory import find_breaker, zetters
from tengen.theory.jobs import tilings

HERE = Path(__file__).parent
NUMBERS = [-1, 0, 1, 7, 2**70, 0.5, float("inf"), float("nan")]
JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, *NUMBERS, "", "x", "é", "9", "J10", [], [[]], ["x"], {}, {"x": 1}]
)
WRONG_WORDS = ["", "0", "1", "-", ".", "x", "?", "/1", "+A1", "A1", "A1B1", "ZZ99", "=1.0", "=9.7", "é", "99999999999"]


def places(value: Any) -> list[tuple[Any, ...]]:
    """Where in a JSON value something can be changed."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *rest) for key, within in inner for rest in places(within))]


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:
    """A JSON value with something else in one or two places, or without something."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 2))):
        path = draw(st.sampled_from(places(value)))
        if not path:
            value = copy.deepcopy(draw(JUNK))
            continue
        within = value
        for key in path[:-1]:
            within = within[key]
        if draw(st.booleans()):
            within[path[-1]] = copy.deepcopy(draw(JUNK))
        else:
            del within[path[-1]]
    return value


def only_ours(act: Callable[[], object]) -> None:
    with suppress(TengenError):
        act()


PUZZLE = json.loads((HERE / "few_puzzles.jsonl").read_text(encoding="utf-8").splitlines()[0])


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changed(PUZZLE))
def test_puzzles(tmp_path: Path, puzzle: Any) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_text(json.dumps(puzzle) + "\n")
    only_ours(lambda: list(read_puzzles(path)))


TOURNAMENT = Settings.from_json(
    {
        "players": [{"name": "a", "spec": "simple"}, {"name": "b", "spec": "random"}],
        "openings": ["J10"],
        "games": 2,
        "format": "round robin",
        "time": "5m+2s",
        "tolerance": 0.25,
        "nodes": None,
        "depth": None,
        "max_moves": None,
        "adjudicate": False,
        "seed": 0,
        "sprt": None,
    }
).as_json()


@settings(max_examples=300)
@given(changed(TOURNAMENT))
def test_settings_of_tournaments(entry: Any) -> None:
    only_ours(lambda: Settings.from_json(entry))


@settings(max_examples=300)
@given(
    changed({"outcome": "move", "nodes": 5, "move": "J10", "status": "B1", "chance": 0.5, "more": ["K10"]})
    | changed({"outcome": "loss", "nodes": 5, "status": "W4", "more": ["K10"], "proof": "QUJD"})
)
def test_what_workers_tell(result: Any) -> None:
    if isinstance(result, dict):  # the messages of the grid hold nothing else
        only_ours(lambda: Finding.from_json(result))


QUESTION = {
    "position": "Connect(3,3,3,1,1) B2 A1",
    "prohibited": ["C3"],
    "nodes": 50,
    "level": 3,
    "verifier_nodes": 50,
    "reply_nodes": 20,
    "solver_nodes": 50,
    "order": 2,
    "hope": 0.5,
    "fear": 0.5,
    "lines": 1,
    "grows": 0,
    "max_open": 3,
    "batch": 2,
}
TILINGS = {
    "family": {"k": 8, "p": 1, "width": 4, "heights": [3, 3], "most_shift": 1},
    "first": 0,
    "end": 2,
    "nodes": 100,
}
GRID = "471598236286734519359612748763145982195286374824973165938427651642351897517869423"


@settings(max_examples=400)
@given(
    st.tuples(st.sampled_from([jobs.engine, jobs.verifier, jobs.lambda_proof, jobs.settlement]), changed(QUESTION))
    | st.tuples(st.just(look), changed({"position": "J10 K11I9", "shapes": False}))
    | st.tuples(st.just(check_grids), changed({"grids": [GRID], "clues": 6}))
    | st.tuples(st.just(tilings), changed(TILINGS))
)
def test_jobs(job: tuple[Callable[[Any, Task], Any], Any]) -> None:
    """A position is small, so that no number of nodes lasts long."""
    handler, arguments = job
    if isinstance(arguments, dict):
        task = Task(lambda _figures: None)
        only_ours(lambda: handler(arguments, task))


def signed(text: str) -> bytes:
    """A proof with a last line that fits it, so that more than that line is looked at."""
    body = text[: text.rindex("end ")]
    count = body.partition("\n\n")[2].count("\n") if text.startswith("tengen-proof") else body.count("\n")
    return f"{body}end {count} {hashlib.sha256(body.encode()).hexdigest()}\n".encode()


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A win, a draw with holds, and a breaker's strategy."""
    folder = tmp_path_factory.mktemp("proofs")
    texts = []
    for name in ("Connect(4,3,3,1,1)", "Connect(3,3,3,1,1)"):
        settle(Position(Game.parse(name))).write_proof(folder / "p.tpf")
        texts.append(gzip.decompress((folder / "p.tpf").read_bytes()).decode())
    return [*texts, find_breaker(8, 1, zetters()).text()]


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_proofs(tmp_path: Path, proofs: list[str], data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(proofs))
    lines = text.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 3))
        words = lines[at].split(" ")
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(WRONG_WORDS))
        lines[at : at + 1] = data.draw(st.sampled_from([[" ".join(words)], [], [lines[at]] * 2]))
    content = "\n".join(lines)
    path = tmp_path / "p.tpf"
    path.write_bytes(signed(content) if data.draw(st.booleans()) else content.encode())
    with suppress(TengenError):
        verdict = check(path)
        assert verdict.accepted == (verdict.reason is None)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200) | st.integers(1, 30_000).map(lambda depth: b"[" * depth + b"\n"))
def test_journals(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(content)
    with suppress(JournalError):
        list(read_entries(path))


ATLAS = [
    {"format": "tengen-atlas", "version": 1, "first": "J10", "radius": 1},
    {"white": "J11J9", "looks": 1, "thirds": [{"black": "K11I9", "value": 0.5}]},
]


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changed(ATLAS))
def test_atlases(tmp_path: Path, lines: Any) -> None:
    path = tmp_path / "atlas.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (lines if isinstance(lines, list) else [lines])))
    only_ours(lambda: Atlas.read(path))


WORDS = st.text(max_size=40) | st.text("0123456789msh+/:.,-()= abjkABJK", max_size=30)


@settings(max_examples=400)
@given(WORDS)
def test_words(text: str) -> None:
    for read in (TimeControl.parse, Area.parse, Grid, Puzzle, check_kind, lambda text: read_hint(text, CONNECT6)):
        only_ours(lambda read=read: read(text))  # type: ignore[misc]


@settings(max_examples=300)
@given(st.sampled_from(["minimax:", "sequences:", "engine:", "monte-carlo:", "mesh:", "breaker:", ""]), WORDS)
def test_names_of_agents(kind: str, text: str) -> None:
    only_ours(lambda: make_agent(f"{kind}{text}").close())
