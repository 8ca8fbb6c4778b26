"""Agents by name: what a text makes, what is wrong with one, and agents of other packages."""

import json
import sys
from pathlib import Path

import pytest
from agent_helpers import AGENTS
from test_cli import Run, run

from tengen import CONNECT6, Position, Square, TengenError
from tengen.play import Budget, OpeningBook, agent_kinds, make_agent
from tengen.play.agents import Sequences
from tengen.play.ranking import described

__all__ = ["run"]  # the fixture


@pytest.mark.parametrize(
    "text",
    [
        *AGENTS,
        "minimax:threats",
        "monte-carlo",
        "monte-carlo:seconds=1",
        "monte-carlo:seconds=0.05,local=no",
        "sequences:defence=0.1234567",
        "sequences:defence=1e-05",
    ],
)
def test_a_name_makes_the_same_agent_again(text: str) -> None:
    assert make_agent(text).name == text


@pytest.mark.parametrize(
    "file", ["book.jsonl", "my,book.jsonl", "a=b.jsonl", "c:book", "(book)", "a(1) b(2)", "(1)(2)"]
)
@pytest.mark.parametrize("then", ["then=threats", "then=(minimax:(sequences:defence=2),depth=2),significant=3"])
def test_a_name_may_hold_any_file(tmp_path: Path, file: str, then: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    OpeningBook(CONNECT6).write(Path(file))
    word = file if file == "book.jsonl" else f"({file})"
    agent = make_agent(f"opening-book:{word},{then}")
    assert agent.name == f"opening-book:{word},{then}"
    assert make_agent(agent.name).name == agent.name


def test_a_word_needs_parentheses_only_where_it_would_be_misread() -> None:
    assert described("simple") == described("simple", depth=None) == "simple"
    assert (
        described("mesh", theirs=2.0, local=False, deep=True, over=1e-7) == "mesh:theirs=2,local=no,deep=yes,over=1e-07"
    )
    assert described("minimax", "threats", then="mesh:theirs=2") == "minimax:threats,then=(mesh:theirs=2)"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nobody", "'nobody' is no agent; there are engine, random, simple"),
        ("", "'' is no agent"),
        ("sequences:offence=1", "no parameter 'offence'; there are defence"),
        ("sequences:defence=high", "defence is a number, not 'high'"),
        ("sequences:defence=nan", "defence is a number from 0"),
        ("sequences:2", "should be name=value"),
        ("adjacent:x=1", "it has none"),
        ("minimax", "minimax needs over"),
        ("minimax:random", "random offers no moves with utilities"),
        ("minimax:threats,depth=0", "depth is 1 to"),
        ("minimax:threats,depth=2,depth=3", "given twice"),
        ("minimax:(threats,depth=2", "parentheses"),
        ("minimax:threats),depth=2", "parentheses"),
        ("minimax:threats,top=0", "top 1 to"),
        ("minimax:threats,top=99999999999", "top 1 to"),
        ("monte-carlo:games=0", "games must be above 0"),
        ("monte-carlo:seconds=nan", "seconds must be above 0"),
        ("monte-carlo:within=99999999999", "not absurd"),
        ("monte-carlo:local=perhaps", "local is yes or no"),
        ("mesh:theirs=inf", "from -100 to 100"),
    ],
)
def test_a_wrong_name_is_explained(text: str, reason: str) -> None:
    with pytest.raises(TengenError) as caught:
        make_agent(text)
    assert reason in str(caught.value)


def test_a_missing_book_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        make_agent(f"opening-book:{tmp_path / 'none.jsonl'}")


def test_every_agent_explains_itself() -> None:
    for kind in agent_kinds().values():
        assert kind.help.endswith(".")
        assert all(parameter.help for parameter in kind.parameters)


def documented_example() -> str:
    text = (Path(__file__).resolve().parents[1] / "docs" / "agents.md").read_text()
    return text.split("```python\n")[1].split("```")[0]


def test_another_package_adds_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """The example of docs/agents.md, installed as pip would."""
    (tmp_path / "corner.py").write_text(documented_example())
    info = tmp_path / "corner_agent-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corner-agent\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[tengen.agents]\ncorner = corner:Corner\nbroken = nowhere:Nothing\nsequences = corner:Corner\n"
        "unmade = unmade:make\n"
    )
    (tmp_path / "unmade.py").write_text("def make():\n    return 1 / 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        agent = make_agent("corner:pull=2", 1)
        position = Position.parse("J10")
        (first, second) = agent.choose(position, Budget()).move
        assert {first, second} < {Square(0, 0), Square(0, 18), Square(18, 0), Square(18, 18)}
        assert make_agent("minimax:corner,depth=2,top=3").choose(position, Budget()).move
        assert isinstance(make_agent("sequences"), Sequences)  # no package takes a name of ours
        with pytest.raises(TengenError, match="'broken' of corner-agent cannot be loaded"):
            make_agent("broken")
        with pytest.raises(TengenError, match="'unmade' of corner-agent cannot be made: ZeroDivisionError: division"):
            make_agent("unmade")
        code, out, _ = run("agents", "--json")
        assert code == 0
        listed = {entry["name"]: entry for entry in map(json.loads, out.splitlines())}
        assert listed["corner"]["package"] == "corner-agent"
        assert listed["corner"]["parameters"][0]["default"] == 1.0
        assert "cannot be loaded" in listed["broken"]["problem"]
        assert run("agents")[0] == 0
    finally:
        for name in ("corner", "unmade"):
            sys.modules.pop(name, None)


def test_agents_are_listed_and_explained(run: Run) -> None:
    code, out, _ = run("agents")
    assert code == 0
    assert "sequences" in out
    code, out, _ = run("agents", "minimax")
    assert code == 0
    assert "over = agent (needed)" in out
    assert "board = yes or no (yes)" in out
    assert run("agents", "nobody")[0] == 3


def test_play_against_an_agent_with_parameters(run: Run) -> None:
    code, out, _ = run("play", "--against", "minimax:threats,depth=2", "--no-keep", stdin="J10\nquit\n")
    assert code == 0
    assert "White (minimax:threats,depth=2) plays" in out
