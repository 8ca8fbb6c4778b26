"""The pages say what the programs and the lists say."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from tengen.prove import check
from tengen.theory import settled_games
from tengen.theory.boards import settled_boards

DOCS = Path(__file__).resolve().parents[1] / "docs"


def test_settled_games_are_those_of_the_list() -> None:
    shown = (DOCS / "fairness.md").read_text()
    for settled in settled_games():
        moves = settled.position.removeprefix(settled.game).strip() or "the empty board"
        row = f"| {settled.game} | {settled.says} | {moves} | {settled.nodes:,} | {settled.seconds:.2f} |"
        assert row in shown


def test_a_game_that_two_lists_have_has_one_proof() -> None:
    """Both name the command that writes it, so its nodes are the same."""
    settled = {game.command: game.nodes for game in settled_games()}
    both = [boards for boards in settled_boards() if boards.command in settled]
    assert len(both) > 3
    for boards in both:
        assert boards.nodes == settled[boards.command], boards.command


def test_the_room_of_four_in_a_row_is_that_of_the_list() -> None:
    (wide,) = (boards for boards in settled_boards() if boards.k == 4 and boards.to is None)
    page = " ".join((DOCS / "small-games.md").read_text().split())
    assert f"on the infinite board ({wide.nodes:,} nodes) needs {wide.m} x {wide.n} " in page


def test_speed_ups_are_those_of_the_results() -> None:
    page = (DOCS / "job-level-search.md").read_text()
    found = json.loads((DOCS / "results" / "job-simulation.json").read_text())["lines"]
    said: dict[str, list[str]] = {}
    for line in found:
        if line["case"] == "speed-up" and line["workers"] > 1:
            said.setdefault(line["policy"], []).append(f"{line['of_sums']:.2f} / {line['geometric_mean']:.2f}")
    for policy, cells in said.items():
        assert f"| {policy} | {' | '.join(cells)} |" in page


def proof_examples() -> list[str]:
    """The proof files that the page of the format shows."""
    page = (DOCS / "proof-format.md").read_text()
    return [text for text in re.findall(r"^```\n(.*?)^```$", page, re.M | re.S) if text.startswith("tengen-proof")]


def refused_examples() -> list[tuple[str, str]]:
    """The files of the page that are refused, made from its examples as it says, with the reasons that it gives."""
    page = (DOCS / "proof-format.md").read_text()
    _, _, table = page.partition("| example | reason | lines | in their place |\n")
    made = []
    for row in table.splitlines()[1:]:
        number, reason, before, after = (cell.strip() for cell in row.strip("|").split("|"))
        old, new = ("".join(f"{line}\n" for line in re.findall("`(.*?)`", cell)) for cell in (before, after))
        text = proof_examples()[int(number) - 1]
        digest = text.split()[-1]
        old, new = old.replace("…", digest), new.replace("…", digest)
        assert f"\n{old}" in text, row
        text = text.replace(f"\n{old}", f"\n{new}")
        if not old.startswith("end "):
            start = text[: text.index("end ")]
            nodes = start[start.index("\n\n") + 2 :].count("\n")
            text = f"{start}end {nodes} {hashlib.sha256(start.encode()).hexdigest()}\n"
        made.append((text, reason))
    return made


@pytest.mark.parametrize("text", proof_examples(), ids=lambda text: text.splitlines()[1])
def test_examples_of_the_proof_format_are_accepted(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    path.write_text(text)
    verdict = check(path)
    assert verdict.accepted, verdict.reason
    path.write_bytes(gzip.compress(text[:50].encode()) + gzip.compress(text[50:].encode()))
    assert check(path).accepted
    path.write_bytes(gzip.compress(text.encode()) + b"more")
    assert not check(path).accepted


@pytest.mark.parametrize(("text", "reason"), refused_examples())
def test_examples_that_the_page_calls_wrong_are_refused(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tpf"
    path.write_text(text)
    verdict = check(path)
    assert not verdict.accepted
    assert reason in str(verdict.reason)


def test_the_examples_show_all_that_a_body_may_hold() -> None:
    bodies = [example.partition("\n\n")[2] for example in proof_examples()]
    for sign in (" /1 ", "/1 ", " +", " =", " .\n", " x\n", "0 ~", "\n1 - "):
        assert any(sign in body for body in bodies), sign
