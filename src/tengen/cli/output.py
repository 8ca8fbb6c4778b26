"""Where the answer of a search goes: standard output, a strategy, a proof, and its zones on the board."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from errno import EACCES, EISDIR, ENOENT
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import typer

from tengen.cli.board import print_board, write_diagram
from tengen.cli.common import EXIT_INTERRUPTED, err, out, print_json, share_standard_output
from tengen.cli.searching import reported_progress
from tengen.diagram import Area, Overlay, draw
from tengen.game import Position, Square
from tengen.record import Record, write_file

Zones = tuple[frozenset[Square], ...]
Made = TypeVar("Made")


@dataclass(kw_only=True)
class Output:
    """What the options of a command ask for. Standard output holds one thing: words, JSON, or a diagram.

    Files are written before the answer is told. Ctrl-C meanwhile ends the writing, not the answer.

    Raises:
        BadParameter: if two things are to go to standard output, or something that cannot.
        OSError: if there is no place for a file; better now than after an hour's search.
    """

    json: bool
    whole: bool = False
    sgf: str | None = None
    proof: str | None = None
    zones: bool = False
    svg: str | None = None
    png: str | None = None
    is_interrupted: bool = field(default=False, init=False)
    """Whether something that was asked for is missing since somebody did not want to wait for it."""

    def __post_init__(self) -> None:
        share_standard_output(self.json, self.svg, self.png)
        if "-" in (self.sgf, self.proof):
            raise typer.BadParameter("a strategy or a proof needs a file with a name: it is written in several passes")
        for name in (self.sgf, self.proof, self.svg, self.png):
            if name is not None and name != "-":
                _check_place(name)

    @property
    def wants_zones(self) -> bool:
        """Whether the zones must be found."""
        return self.zones or self.svg is not None or self.png is not None

    @property
    def in_words(self) -> bool:
        """Whether standard output is for a reader."""
        return not self.json and "-" not in (self.svg, self.png)

    def beside(self, what: str, make: Callable[[], Made]) -> Made | None:
        """Makes something that belongs to the answer but is not the answer; None if Ctrl-C has put an end to it."""
        if not self.is_interrupted:
            try:
                return make()
            except KeyboardInterrupt:
                self.is_interrupted = True
        err.print(f"interrupted: there is no {what}")
        return None

    def write_strategy(self, record: Callable[[], Record]) -> None:
        """Writes a strategy and says so, if that was asked for.

        Raises:
            OSError: if the file cannot be written.
        """
        if (name := self.sgf) is not None:
            self.beside(name, lambda: write_file([record()], name, format="sgf"))
            if not self.is_interrupted:
                err.print(f"wrote {name}")

    def write_proof(self, write: Callable[..., int]) -> int | None:
        """Lets a proof be written and says so, if one was asked for; returns the number of its nodes if it is there.

        Args:
            write: writes it, given the name of the file and `progress`.

        Raises:
            OSError: if the file cannot be written.
        """
        if (name := self.proof) is None:
            return None

        def make() -> int:
            with reported_progress("writing the proof") as report:
                return write(name, progress=report)

        nodes = self.beside(name, make)
        if nodes is not None:
            err.print(f"wrote {name}")
        return nodes

    def tell_missing(self, why: str, *names: str | None) -> None:
        """Says which files are not written although they were asked for."""
        for name in names:
            if name is not None:
                err.print(f"{why}: {'the diagram' if name == '-' else name} was not written", style="yellow")

    def write_zones(self, position: Position, zones: Zones) -> None:
        """Writes the diagrams that were asked for, if there are zones.

        Raises:
            OSError: if a file cannot be written.
        """
        if not zones:
            self.tell_missing("no zones", self.svg, self.png)
        elif self.svg is not None or self.png is not None:
            write_diagram(draw(position, area=_area(position, zones), overlay=Overlay(zones=zones)), self.svg, self.png)

    def print_json(self, answer: dict[str, Any]) -> None:
        """Prints the answer as one JSON object, which says so if something is missing beside it."""
        print_json(answer | ({"interrupted": True} if self.is_interrupted else {}))

    def exit(self, code: int) -> NoReturn:
        """Exits with the code of the answer, unless Ctrl-C came before all was there."""
        raise typer.Exit(EXIT_INTERRUPTED if self.is_interrupted else code)


def print_zones(position: Position, zones: Zones) -> None:
    """Prints the board with the zones on it, and their sizes, if there are any."""
    if zones:
        print_board(out, position, area=_area(position, zones), overlay=Overlay(zones=zones))
        sizes = ", ".join(f"Z{number} = {len(zone)}" for number, zone in enumerate(zones, 1))
        out.print(f"Squares of the relevance zones: {sizes}.")
        out.print("On the board each square has the number of the smallest zone that holds it.")


def as_lists(zones: Zones) -> list[list[str]]:
    """Zones as JSON can hold them."""
    return [[str(square) for square in sorted(zone)] for zone in zones]


def _check_place(name: str) -> None:
    path = Path(name)
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), name)
    if not path.parent.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), name)
    if not path.exists() and not os.access(path.parent, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), name)


def _area(position: Position, zones: Zones) -> Area | None:
    """On the infinite board, what the second zone reaches; the third may be all there is."""
    if not position.game.is_infinite:
        return None
    stones, reach = Area.of(position), sorted(zones[min(1, len(zones) - 1)])
    xs, ys = [s.x for s in reach], [s.y for s in reach]
    return Area(min(stones.left, *xs), min(stones.bottom, *ys), max(stones.right, *xs), max(stones.top, *ys))
