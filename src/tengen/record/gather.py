"""Games from many files and folders; a bad one is told, and the next one read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tengen.game import Game, TengenError
from tengen.record.errors import RecordError
from tengen.record.files import decode, read_bytes, read_text, recognise
from tengen.record.jsonlines import numbered_lines
from tengen.record.tree import Record


def gather(paths: Iterable[str | os.PathLike[str]], game: Game | None = None) -> Iterator[Record | RecordError]:
    """All games of some files, and of all files in some folders: each as a record, or as what is wrong with it.

    Raises:
        OSError: if a file or folder that was named is not there, or cannot be read.
    """
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith("."))
            for file in inside:
                try:
                    yield from _of_file(file, game)
                except OSError as error:  # nobody named it, and the others are there
                    yield RecordError(f"{file}: {error.strerror or error}")
        else:
            yield from _of_file(path, game)


def _of_file(path: Path, game: Game | None) -> Iterator[Record | RecordError]:
    try:
        text = decode(read_bytes(path))
    except RecordError as error:
        yield RecordError(f"{path}: {error}")
        return
    yield from gather_text(text, str(path), game)


def gather_text(text: str, name: str, game: Game | None = None) -> Iterator[Record | RecordError]:
    """All games of a text of that name, in the same way."""
    format = recognise(text)
    if format is not None and format.name == "jsonl":  # here alone a line that cannot be read spoils no other
        for number, line in numbered_lines(text):
            yield from _of_text(line, f"{name}, line {number}", game)
    else:
        yield from _of_text(text, name, game)


def _of_text(text: str, name: str, game: Game | None) -> Iterator[Record | RecordError]:
    try:
        for number, record in enumerate(read_text(text, game=game, strict=False), 1):
            if record.problems:
                yield RecordError(f"{name}, game {number}: {record.problems[0]}")
            else:
                yield record
    except TengenError as error:
        yield RecordError(f"{name}: {error}")
