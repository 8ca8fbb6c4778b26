"""The checker stands alone, and what it knows about segments is what one sees by looking at them one by one."""

import ast
import random
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.board import DIRECTIONS

from tengen.prove.checker.board import Board, bits
from tengen.prove.checker.win import defences

PROVE = Path(__file__).resolve().parents[1] / "src" / "tengen" / "prove"
CHECKER = [PROVE / "check.py", PROVE / "parallel.py", *sorted((PROVE / "checker").glob("*.py"))]


# It trusts nobody


@pytest.mark.parametrize("file", CHECKER, ids=lambda file: file.name)
def test_it_imports_the_standard_library_and_its_neighbours_only(file: Path) -> None:
    neighbours = {"tengen.prove.check", "tengen.prove.checker"}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        for name in names:
            is_neighbour = name in neighbours or name.startswith("tengen.prove.checker.")
            assert is_neighbour or name.split(".")[0] in sys.stdlib_module_names, name


def test_it_runs_without_the_rest_of_the_house(tmp_path: Path) -> None:
    page = (PROVE.parents[2] / "docs" / "proof-format.md").read_text(encoding="utf-8")
    proof = tmp_path / "example.tpf"
    proof.write_text(page.split("```\n")[1], encoding="ascii")
    program = f"""
import sys, types
for name, folder in (("tengen", {str(PROVE.parent)!r}), ("tengen.prove", {str(PROVE)!r})):
    sys.modules[name] = types.ModuleType(name)  # so that nothing is imported by the packages around it
    sys.modules[name].__path__ = [folder]
from tengen.prove.parallel import check
verdict = check({str(proof)!r})
assert verdict.accepted, verdict.reason
others = [name for name in sys.modules if name.startswith("tengen.") and not name.startswith("tengen.prove")]
assert not others, others
"""
    subprocess.run([sys.executable, "-c", program], check=True)


# Segments one by one


@st.composite
def stones(draw: st.DrawFn) -> tuple[Board, list[frozenset[int]], int, int]:
    """A board, its segments as sets of squares, and two sets of stones."""
    m, n, k = draw(st.integers(3, 7)), draw(st.integers(3, 7)), draw(st.integers(1, 8))
    segments = []
    for dx, dy in DIRECTIONS:
        for i in range(m * n):
            squares = [(i % m + j * dx, i // m + j * dy) for j in range(k)]
            if all(0 <= x < m and 0 <= y < n for x, y in squares):
                segments.append(frozenset(x + y * m for x, y in squares))
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    share = rng.random()
    own = sum(1 << i for i in range(m * n) if rng.random() < share)
    other = sum(1 << i for i in range(m * n) if rng.random() < 0.3 and not own >> i & 1)
    return Board(m, n, k, draw(st.integers(1, 4))), segments, own, other


@given(stones(), st.integers(0, 4))
def test_rows_threats_and_zones_of_rows(case: tuple[Board, list[frozenset[int]], int, int], count: int) -> None:
    board, segments, own, other = case
    in_lines = board.in_lines(own), board.in_lines(other)
    assert board.in_plain(in_lines[0]) == own
    assert board.room(in_lines[0] | in_lines[1]) == board.area - own.bit_count() - other.bit_count()
    empty = {i for i in range(board.area) if not (own | other) >> i & 1}
    still_open = [segment for segment in segments if not segment & set(bits(other))]
    gaps = [segment & empty for segment in still_open]
    assert board.has_row(in_lines[0]) == any(segment <= set(bits(own)) for segment in segments)
    assert bool(board.open_starts(in_lines[1])) == bool(still_open)
    found = board.gaps(*in_lines, min(board.p, board.k))
    assert sorted(map(bits, found)) == sorted(sorted(gap) for gap in gaps if len(gap) <= board.p)
    zones = board.near_rows(*in_lines, count)
    assert (zones is None) == any(len(gap) <= count for gap in gaps)
    for more, zone in enumerate(zones or (), 1):
        near = {square for gap in gaps if len(gap) <= count + more for square in gap}
        assert set(bits(board.in_plain(zone))) == near
        assert bool(zone & board.beyond) == (count + more >= board.k)


@given(st.lists(st.integers(1, (1 << 9) - 1), max_size=6), st.integers(0, 4))
def test_critical_defences(threats: list[int], count: int) -> None:
    sets = [sum(1 << i for i in squares) for size in range(count + 1) for squares in combinations(range(9), size)]
    hitting = [chosen for chosen in sets if all(threat & chosen for threat in threats)]
    critical = {c for c in hitting if not any(smaller != c and not smaller & ~c for smaller in hitting)}
    assert defences(threats, count) == critical
