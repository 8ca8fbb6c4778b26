"""The tutorials: what they tell people to do works."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WRITTEN = re.compile(r"[Pp]ut this one into `([\w.]+)`")
TIME = re.compile(r"\d+\.\d+ s")
pytestmark = pytest.mark.workshop


def test_there_are_tutorials() -> None:
    assert len(TUTORIALS) == 6


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_what_a_tutorial_shows_works(path: Path, tmp_path: Path) -> None:
    """Runs its console blocks and its Python, in order, and looks whether the answers are those that it shows.

    Other blocks show files, with dots where something is left out, or wait for somebody.
    """
    text = path.read_text(encoding="utf-8")
    answers = ""
    environment = {**os.environ, "TENGEN_DATA": str(tmp_path / "data")}
    for match in BLOCK.finditer(text):
        kind, content = match.groups()
        named = WRITTEN.findall(text[: match.start()])
        if kind == "text" and named and not (tmp_path / named[-1]).exists():
            (tmp_path / named[-1]).write_text(content, encoding="utf-8")
        elif kind == "text" and "\n...\n" not in content:
            assert TIME.sub("", content) in answers
        elif kind == "python":
            subprocess.run([sys.executable, "-c", content], cwd=tmp_path, env=environment, check=True, timeout=600)
        elif kind == "console":
            for line in content.splitlines():
                command, _, code = line.removeprefix("$ tengen ").partition("  # exit code ")
                done = subprocess.run(
                    [sys.executable, "-m", "tengen", *shlex.split(command)],
                    cwd=tmp_path,
                    env=environment,
                    capture_output=True,
                    text=True,
                    timeout=600,
                )
                assert done.returncode == int(code or 0), f"{line}\n{done.stdout}{done.stderr}"
                answers += TIME.sub("", done.stdout)


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_commands_in_a_tutorial_exist(path: Path) -> None:
    from typer.main import get_command

    from tengen.cli import app

    commands = getattr(get_command(app), "commands", {})
    named = re.findall(r"\btengen ([a-z]+)\b(?! =)", "".join(content for _, content in BLOCK.findall(path.read_text())))
    assert {name for name in named if name not in commands} <= {"import"}
