"""Whatever is in a file, one process and several give the same verdict on it."""

import gzip
import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_prove import MirrorProver, damaged, null_move, sealed, text_of

from tengen import BLACK, Position
from tengen.prove import Verdict, check, defend, parallel, write_solution, write_win
from tengen.solve import solve


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Wins with turned references, with passes at several depths, and with macro replies."""
    path = tmp_path_factory.mktemp("proofs") / "a.tpf"
    mirrored = Position.parse("Connect(4,4,3,1,1) maker-breaker B: W: to move: B 1")
    write_win(path, mirrored, BLACK, MirrorProver(4, 4, 3, 1, defender_rows=False).win(0, 0, 1))
    texts = [text_of(path)]
    write_solution(path, solve(null_move("Connect(19,19,6,2,3) J10L10K11")))
    texts.append(text_of(path))
    lost = Position.parse("Connect(7,6,5,2,1) B: C1 E1 C2 E2 B6 D6 F6 W: B2 F2 A6 G6 to move: W 2")
    defend(lost, threads=1).write_proof(path)
    return [*texts, text_of(path)]


class Workers:
    """Processes played by one: each keeps what it has judged, and any of them may be handed the next task."""

    def __init__(self, count: int, rng: random.Random) -> None:
        self.count, self.rng = count, rng

    def __call__(
        self, work: Callable[[Any], Any], items: Sequence[Any], jobs: int, *, prepare: Callable[[], None], at_once: int
    ) -> Generator[Any, None, None]:
        parts = []
        for _ in range(self.count):
            prepare()
            parts.append(parallel._part)
        try:
            for item in items:
                parallel._part = self.rng.choice(parts)
                yield work(item)
        finally:
            for part in parts:
                part.lines.close()


def untimed(verdict: Verdict) -> Verdict:
    return replace(verdict, seconds=0.0)


Compare = Callable[[bytes], Verdict]


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Compare:
    """The verdict on a file, which must not depend on how many judge it, or where it is cut among them."""
    monkeypatch.setattr(parallel, "_WORTH_IT", 0)
    rng = random.Random(3)

    def compare(content: bytes) -> Verdict:
        path = tmp_path / "p.tpf"
        path.write_bytes(content)
        alone = untimed(check(path))
        for jobs, tasks_each in ((2, 1), (3, 1), (2, 8)):
            monkeypatch.setattr(parallel, "_TASKS_EACH", tasks_each)
            monkeypatch.setattr(parallel, "answers_in_order", Workers(jobs, rng))
            assert untimed(check(path, jobs=jobs)) == alone
        return alone

    return compare


def mangled(rng: random.Random, text: str) -> str:
    """A proof with a line put in, taken out, copied or cut, which no proof need have."""
    head, _, rest = text.partition("\n\n")
    lines = rest.split("\n")[:-2]
    at = rng.randrange(len(lines))
    words = lines[at].split(" ")
    match rng.randrange(7):
        case 0:  # hangs in the air, or goes on below another
            lines.insert(at, " ".join([str(rng.randrange(12)), *words[1:]]))
        case 1:
            lines.insert(at, lines[rng.randrange(len(lines))])
        case 2:
            lines[at] = rng.choice(["", " ", words[0], " ".join(words[:2]), f"{lines[at]} ", f" {lines[at]}", "0", "ÿ"])
        case 3:
            lines[at] = " ".join([rng.choice(["00", "01", "9999", "99999", "-1", "", "x"]), *words[1:]])
        case 4:  # refers to anything, from anywhere, also to what comes later
            lines[at] = " ".join([*words[:-1], f"={rng.randrange(len(lines) + 2)}.{rng.randrange(9)}"])
        case 5:
            del lines[at : at + rng.randrange(1, 4)]
        case _:
            lines = lines[at:] + lines[:at]
    return f"{head}\n\n" + "\n".join(lines) + "\n"


def test_whole_proofs_are_accepted(compare: Compare, proofs: list[str]) -> None:
    for text in proofs:
        assert compare(text.encode()).accepted


@pytest.mark.parametrize("change", [damaged, mangled])
def test_damages(compare: Compare, proofs: list[str], change: Callable[[random.Random, str], str]) -> None:
    rng = random.Random(7)
    refused = 0
    for _ in range(150):
        text = rng.choice(proofs)
        for _ in range(rng.randint(1, 2)):
            text = change(rng, text)
        refused += not compare(sealed(text)).accepted
    assert refused > 100


HEAD = """tengen-proof 1
game Connect(4,3,3,1,1)
position B: W:
to-move black
left 1
claim win
attacker black

"""
BODY = """0 - A1
1 /1 B1
2 C1 B2
1 B1 B2
2 C3 A2
1 C1 A2
2 A3 B2
1 B2 B1
2 C1 A3
3 A2 C2
4 D3 B3
1 C2 B2
2 C3 C1
1 B3 C1
2 B1 B2
1 C3 B1
2 C1 C2
3 D3 B3"""
"""The first example of docs/proof-format.md."""


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("2 C1 B2", "3 C1 B2\n2 C1 B2"),  # hangs in the air, just below where the file is cut
        ("2 C1 B2", "9 C1 B2\n2 C1 B2"),
        ("0 - A1", "0 - A1\n2 C1 B2"),  # and just at the cut
        ("0 - A1", "0 - A1\n3 C1 B2"),
        ("2 C1 A3", "2 C1 =3.0"),
        ("2 C1 A3", "2 C1 =9.0"),  # itself
        ("2 C1 A3", "2 C1 =10.0"),  # round in a circle
        ("3 A2 C2", "3 A2 =9.0"),
        ("3 D3 B3", "3 D3 =16.0"),  # what it is a part of
        ("3 D3 B3", "3 D3 =1.0"),
        ("3 D3 B3", "3 D3 =999.0"),
        ("3 D3 B3", "3 D3 B3\n1 D3 =2.0\n1 D3 =2.0"),
        ("2 C1 B2", "2 C1 B2\n2 C1 B2"),
        ("1 C3 B1", "2 C3 B1"),
        ("1 C3 B1", "0 - A1\n1 C3 B1"),
        ("3 D3 B3", "3 D3 B3\n70000 D3 B3"),
    ],
)
def test_lines_in_wrong_places(compare: Compare, line: str, instead: str) -> None:
    assert not compare(sealed(HEAD + BODY.replace(line, instead) + "\n")).accepted


@pytest.mark.parametrize("hanging", ["2 C3 A2", "3 C3 A2", "2", "2 C3", "2 C3 =2.0"])
def test_lines_that_hang_in_the_air_and_are_referred_to(compare: Compare, hanging: str) -> None:
    body = BODY.replace("2 C3 A2", "2 C3 =2.0").replace("0 - A1", f"0 - A1\n{hanging}")
    assert not compare(sealed(f"{HEAD}{body}\n")).accepted


def test_a_path_that_never_ends(compare: Compare) -> None:
    deep = "\n".join(f"{depth} B1 B2" for depth in range(1, 70_000))
    assert not compare(sealed(f"{HEAD}0 - A1\n{deep}\n")).accepted


def test_processes_of_their_own(proofs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_WORTH_IT", 0)
    path = tmp_path / "p.tpf"
    for content in (proofs[0].encode(), sealed(HEAD + BODY.replace("0 - A1", "0 - A1\n2 C1 B2") + "\n")):
        path.write_bytes(content)
        assert untimed(check(path, jobs=2)) == untimed(check(path))


def test_packed_files_that_end_too_soon(compare: Compare, proofs: list[str]) -> None:
    packed = gzip.compress(proofs[0].encode(), mtime=0)
    for length in (len(packed) - 1, len(packed) - 8, len(packed) // 2, 30):
        assert not compare(packed[:length]).accepted
    assert not compare(packed + b"\n").accepted
