"""What holds the project together, checked in its own checkout."""

import ast
import doctest
import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
from nanobind.stubgen import StubGen

import tengen
from tengen import _native

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.workshop


def signatures(stub: str) -> dict[str, list[str]]:
    """The names that a stub declares, with the names of their parameters."""
    found: dict[str, list[str]] = {}
    for statement in ast.parse(stub).body:
        members = (
            [(statement.name + ".", node) for node in statement.body]
            if isinstance(statement, ast.ClassDef)
            else [("", statement)]
        )
        for prefix, node in members:
            if isinstance(node, ast.FunctionDef):
                found[prefix + node.name] = [argument.arg for argument in node.args.args]
            elif isinstance(node, ast.AnnAssign):
                found[prefix + ast.unparse(node.target)] = []
    return found


def test_the_native_stubs_tell_the_truth() -> None:
    generator = StubGen(_native)
    generator.put(_native)
    written = (ROOT / "src" / "tengen" / "_native.pyi").read_text()
    assert signatures(written) == signatures(generator.get())


def test_the_version_is_the_same_everywhere() -> None:
    assert version("tengen") == tengen.__version__, "pyproject.toml takes it from the package"
    assert f"## {tengen.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_all_that_the_library_offers_is_in_the_reference() -> None:
    words = {*re.findall(r"\w+", (ROOT / "docs" / "reference" / "python.md").read_text())}
    assert {*tengen.__all__} <= words


def test_the_examples_of_docstrings_hold() -> None:
    house = ROOT / "src" / "tengen"
    tried = 0
    for path in house.rglob("*.py"):
        if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE):
            name = ".".join(["tengen", *path.relative_to(house).with_suffix("").parts]).removesuffix(".__init__")
            found = doctest.testmod(import_module(name))
            assert found.failed == 0, name
            tried += found.attempted
    assert tried > 0


def test_importing_the_library_loads_no_heavy_room() -> None:
    code = "import sys, tengen; print(*sorted({'sqlite3', 'typer', 'rich', 'PIL', 'tengen.record'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


def test_only_the_rooms_that_own_a_native_part_touch_it() -> None:
    owners = {"game", "grid", "play", "prove", "solve", "sudoku", "theory", "threat"}  # grid: the flag that ends a job
    house = ROOT / "src" / "tengen"
    for path in house.rglob("*.py"):
        if "_native" in path.read_text():
            assert path.relative_to(house).parts[0] in owners, path


def test_everything_public_has_a_docstring_and_can_be_reached() -> None:
    for name in tengen.__all__:
        assert getattr(tengen, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        tengen.nonsense  # noqa: B018
