"""What is installed and executed to build the project is pinned by its content."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "requirements"
LOCKED = ("build.txt", "dev.txt", "node.txt")
pytestmark = pytest.mark.workshop


@pytest.mark.parametrize("name", LOCKED)
def test_every_requirement_has_hashes_and_no_file_names_an_index(name: str) -> None:
    text = (REQUIREMENTS / name).read_text()
    assert "://" not in text
    assert "index" not in text
    for requirement in text.replace(" \\\n", " ").splitlines()[1:]:
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; [^#]+?)?(\s+--hash=sha256:[0-9a-f]{64})+", requirement), requirement


def test_the_locked_versions_are_those_of_the_constraints() -> None:
    subprocess.run([sys.executable, str(ROOT / ".ci" / "lock-requirements"), "--check"], check=True)


def test_setup_installs_by_hash() -> None:
    text = (ROOT / "Makefile").read_text()
    assert "--require-hashes" in text
    for line in text.splitlines():
        if "pip install" in line and not line.startswith("PIP"):
            raise AssertionError(f"an installation that bypasses the hashes: {line}")


def test_pip_refuses_a_file_with_another_hash(tmp_path: Path) -> None:
    """A wheel that was replaced on its way is not installed."""
    wheel = tmp_path / "iniconfig-2.3.1-py3-none-any.whl"
    wheel.write_bytes(b"PK\x05\x06" + bytes(18))  # an empty archive
    locked = (REQUIREMENTS / "dev.txt").read_text()
    (requirement,) = re.findall(r"^iniconfig==2.3.1 \\\n(?:    --hash=\S+(?: \\)?\n)+", locked, re.MULTILINE)
    (tmp_path / "one.txt").write_text(requirement)
    command = [sys.executable, "-m", "pip", "install", "--isolated", "--no-index", "--find-links", str(tmp_path)]
    target = ["--target", str(tmp_path / "target"), "--no-deps", "--require-hashes", "-r", str(tmp_path / "one.txt")]
    done = subprocess.run([*command, *target], capture_output=True, text=True)
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not (tmp_path / "target").exists()


def test_every_package_of_the_page_has_a_hash_and_none_names_a_registry() -> None:
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text())
    for name, package in lock["packages"].items():
        if name:
            assert package["integrity"].startswith("sha512-"), name
            assert "resolved" not in package, name


def test_actions_are_pinned_by_commit() -> None:
    files = list((ROOT / ".github" / "workflows").glob("*.yml"))
    assert files
    for path in files:
        for action in re.findall(r"uses:\s*(.+)", path.read_text()):
            assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}  # v[\d.]+", action), (path.name, action)


def test_known_vulnerabilities_are_looked_for() -> None:
    text = (ROOT / ".github" / "workflows" / "audit.yml").read_text()
    assert "pip-audit" in text
    assert "npm audit" in text
    assert "schedule:" in text
