"""Writes the page of commands from the commands themselves, whenever the site is built."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from typer import Context
from typer.cli import get_docs_for_click
from typer.main import get_command

from tengen.cli import app
from tengen.cli.lazy import LazyGroup

PAGE = "reference/commands.md"
INTRODUCTION = """# Commands

This page is made from the commands themselves; `tengen COMMAND --help` says the same. Wherever a position or a file is
read, `-` is standard input. Exit codes: 0 done or yes, 1 no, 2 unknown, 3 bad input, 4 trouble with files or processes,
130 interrupted.

"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the page."""
    command = get_command(app)
    assert isinstance(command, LazyGroup)
    command.load_all()
    described = get_docs_for_click(obj=command, ctx=Context(command), name="tengen")
    _, _, commands = described.partition(
        "\n## "
    )  # what comes before is a list of them, which the page's contents are too
    files.append(File.generated(config, PAGE, content=f"{INTRODUCTION}## {commands}"))
    return files
