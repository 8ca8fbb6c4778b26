"""What the subcommands share: reading their arguments, and answering."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import EISDIR, ENOENT
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console, ConsoleOptions
from rich.table import Column
from rich.text import Text
from typer.core import TyperGroup

from tengen.game import BLACK, WHITE, Game, NotationError, Position, TengenError
from tengen.record import FORMATS, Node, Record, RecordError, Store, read_file, recognise
from tengen.record.files import (
    Format,
    decode,
    format_for,
    no_record,
    position_lines,
    read_bytes,
    read_text,
    replacing,
    unpack,
)
from tengen.record.tree import advance

EXIT_BAD_INPUT = 3
EXIT_FILE_TROUBLE = 4
EXIT_INTERRUPTED = 130

GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        metavar="GAME",
        help="The game, such as gomoku or 'Connect(15,15,5,1,1)'; Connect6 if left out.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON: one object on a line for each answer.")]
LenientOption = Annotated[
    bool, typer.Option("--lenient", help="Read a file with an illegal move in it all the same, and report it.")
]
SvgOption = Annotated[
    str | None, typer.Option("--svg", metavar="FILE", help="Write the diagram as SVG; - for standard output.")
]
PngOption = Annotated[
    str | None, typer.Option("--png", metavar="FILE", help="Write the diagram as PNG; - for standard output.")
]
SecondsOption = Annotated[float | None, typer.Option("--seconds", min=0.001, help="Stop after this time.")]
NodesOption = Annotated[int | None, typer.Option("--nodes", min=1, help="Stop after about so many nodes.")]
AtOption = Annotated[
    int | None,
    typer.Option("--at", metavar="MOVE", help="The position after this move of a record; -1 is one before the last."),
]
RecordOption = Annotated[int, typer.Option("--record", metavar="N", help="Which record of a collection.")]
AreaOption = Annotated[str | None, typer.Option("--area", metavar="F6:N14", help="Show only this part of the board.")]
PositionArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="POSITION",
        help="Moves ('J10 J9K11 K9I11'), a set-up ('B: J10 W: J9 K11 to move: B'), a record file, library:NUMBER, "
        "or - for standard input. Write -- before one that begins with a minus.",
    ),
]

_STEERING = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], "\N{REPLACEMENT CHARACTER}")
for _harmless in "\n\r\t":  # the console leaves out \r
    del _STEERING[ord(_harmless)]


_WIDER_THAN_ANY_TABLE = 10_000


class _PlainConsole(Console):
    """Shows what people type and files hold as it is, without what would steer the terminal."""

    def __init__(self, **options: Any) -> None:
        # No markup and no pictures: there may well be square brackets, or ':x:'.
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(text.translate(_STEERING), **options)

    @property
    def options(self) -> ConsoleOptions:
        """A file has no width: there cells of a table stay whole."""
        options = super().options
        return options if self.is_terminal else options.update(max_width=_WIDER_THAN_ANY_TABLE)

    def print(self, *objects: Any, soft_wrap: bool | None = None, **options: Any) -> None:
        """Breaks lines on a terminal alone, sentences between words; what is to be pasted says `soft_wrap`."""
        if soft_wrap is None and all(isinstance(one, str) for one in objects):
            soft_wrap = not self.is_terminal
        if not self.is_terminal:
            options.setdefault("crop", False)
        super().print(*objects, soft_wrap=soft_wrap, **options)


out = _PlainConsole()
err = _PlainConsole(stderr=True)


def group_with_default(command: str) -> type[TyperGroup]:
    """A group of commands that takes what is no command for the arguments of this one: `tengen draw 11 2`."""

    class Group(TyperGroup):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
                args = [command, *args]
            return super().parse_args(ctx, args)

    return Group


def print_json(answer: Mapping[str, object], to_error: bool = False) -> None:
    """Prints one JSON object on one line: on standard output, or on standard error if that is taken."""
    print(json.dumps(answer, ensure_ascii=False), file=sys.stderr if to_error else sys.stdout, flush=True)


def share_standard_output(json: bool, *files: str | None) -> None:
    """Makes sure that at most one thing goes to standard output.

    Raises:
        BadParameter: if it would have to hold the answer and a file, or two files.
    """
    if files.count("-") + json > 1:
        raise typer.BadParameter("standard output can hold one thing only: write files elsewhere than to -")


def refuse_given(context: typer.Context, why: str, *parameters: str) -> None:
    """Refuses options that were given although the rest of the command leaves nothing for them to change.

    What was typed counts, not the value: `--threads 1` is meant to change something, be it the default or not.

    Args:
        context: that of the command.
        why: what it takes instead, or what they are for.
        parameters: the options, by the names of the command's parameters.

    Raises:
        BadParameter: if one of them was given.
    """
    options = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    sources = {name: context.get_parameter_source(name) for name in parameters}
    given = [options[name] for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    if given:
        raise typer.BadParameter(f"{' and '.join(given)} would change nothing here: {why}")


def write_output(name: str, content: bytes) -> None:
    """Writes a file and says so; `-` is standard output.

    Raises:
        OSError: if it cannot be written.
    """
    if name == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    with replacing(Path(name)) as file:
        file.write(content)
    err.print(f"wrote {name}")


def output_format(name: str, wanted: str | None) -> Format:
    """The format for a file of records: the one that is wanted by `--to`, or what its name says.

    Raises:
        RecordError: if there is no such format, or neither tells one.
    """
    if wanted is not None and wanted not in FORMATS:
        raise RecordError(f"{wanted!r} is no format; there are {', '.join(FORMATS)}")
    if wanted is None and name == "-":
        raise RecordError(f"say which format to write with --to: {', '.join(FORMATS)}")
    return format_for(Path(name)) if wanted is None else FORMATS[wanted]


def trouble(error: OSError) -> str:
    """What went wrong with a file or a process, in words."""
    name = f"{error.filename}: " if error.filename else ""
    return f"{name}{error.strerror or error}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things in words: `1 move`, `1,848 moves`."""
    return f"1 {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def chance(win: float | None) -> str:
    """A chance to win in words; 0 and 1 are certain."""
    if win is None:
        return "unknown"
    return {0.0: "loses", 1.0: "wins"}.get(win, f"{100 * win:.1f} %")


def figures_under(heading: str) -> Column:
    """A column of a table that holds numbers."""
    return Column(heading, justify="right")


def duration(seconds: float) -> str:
    """How long something will take, about: `40 s`, `5 min 03 s`, `7 h 20 min`, `3.5 days`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{seconds / 86400:,.1f} days"
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def parse_game(text: str | None) -> Game | None:
    """The game of a `--game` option."""
    return None if text is None else Game.parse(text)


def read_source(words: list[str], game: Game | None, number: int = 1, lenient: bool = False) -> Record:
    """The record that a POSITION argument names, one of several if it is a collection; bare moves make one too.

    Raises:
        TengenError: if it is neither a position nor a record.
        OSError: if a file cannot be read.
    """
    found = _found(words, game)
    if isinstance(found, Record):
        return found
    with _naming(found.name):
        return _from_text(found.content, game, number, lenient)


def read_sources(words: list[str], game: Game | None) -> list[Record]:
    """All records that a POSITION argument names.

    Raises:
        TengenError: if it is neither a position nor a record.
        OSError: if a file cannot be read.
    """
    found = _found(words, game)
    if isinstance(found, Record):
        return [found]
    with _naming(found.name):
        if recognise(found.content) is not None:
            return list(read_text(found.content, game=game))
        return [_from_line(line, found.content, game) for line in _position_lines(found.content)]


class _Text(NamedTuple):
    """What a file holds."""

    content: str
    name: str | None
    """None for standard input."""


def _found(words: list[str], game: Game | None) -> Record | _Text:
    text = " ".join(words)
    if text == "-":
        return _Text(standard_input(), None)
    if text.startswith("library:"):
        return _from_library(text.removeprefix("library:"))
    try:  # moves first, so that no file of that name can hide them
        return Record.from_position(parse_position(text, game))
    except TengenError as error:
        if _is_readable(text):
            with _naming(text):
                return _Text(decode(read_bytes(text)), text)
        if _is_folder(text):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), text) from None
        looks_like_a_file = "/" in text or Path(text).suffix.lower() in {f.suffix for f in FORMATS.values()} | {".gz"}
        if isinstance(error, NotationError) and looks_like_a_file:
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), text) from None
        raise


@contextmanager
def _naming(file: str | None) -> Iterator[None]:
    """Says of what is wrong in a file which one it is."""
    try:
        yield
    except TengenError as error:
        if file is None:
            raise
        raise RecordError(f"{file}: {error}") from error


def parse_position(text: str, game: Game | None = None) -> Position:
    """A position that was typed. A word of letters alone is none, though SGF could mean squares by it: a name, rather.

    Raises:
        TengenError: if it is no position.
    """
    position = Position.parse(text, game)
    if text.strip().isalpha() and position.stone_count:
        raise NotationError(f"{text.strip()!r} is neither a file nor a square: write squares like J10")
    return position


def read_position(words: list[str], game: str | None, number: int = 1, at: int | None = None) -> Position:
    """The position that POSITION, --game, --record and --at name, with something left to play for.

    Raises:
        TengenError: if it is neither a position nor a record, or the game is over there.
        OSError: if a file cannot be read.
    """
    source = read_source(words, parse_game(game), number)
    position = source.position(node_at(source, at))
    if position.is_over:
        before = "" if not position.moves else "; --at -1 asks about the position before the last move"
        raise TengenError(f"the game is over: there is nothing to search{before}")
    return position


def _is_readable(text: str) -> bool:
    return _is_there(text) and not Path(text).is_dir()  # a pipe will do


def _is_folder(text: str) -> bool:
    return _is_there(text) and Path(text).is_dir()


def _is_there(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long for a file name, or not one at all
        return False


def read_records(path: Path, game: Game | None = None) -> Iterator[Record]:
    """The records of a file, one after the other; of standard input, if it is called `-`.

    Raises:
        RecordError: if it holds something else; says which file.
        OSError: if it cannot be read.
    """
    try:
        yield from read_text(standard_input(), game=game) if str(path) == "-" else read_file(path, game=game)
    except TengenError as error:
        raise RecordError(f"{path}: {error}") from error


def standard_input() -> str:
    """All of it, as the text that its bytes make up; it may be compressed.

    Raises:
        RecordError: if it is broken or far too large.
    """
    return decode(unpack(sys.stdin.buffer))


def _from_library(number: str) -> Record:
    if not number.isdecimal():
        raise RecordError(f"'library:{number}': write library: and the number that 'tengen library list' shows")
    with Store() as store:
        return store.get(int(number))


def _from_text(text: str, game: Game | None, number: int, lenient: bool) -> Record:
    format = recognise(text)
    if format is None:
        lines = _position_lines(text)
        if not 1 <= number <= len(lines):
            raise _no_such_record(number, len(lines))
        record = _from_line(lines[number - 1], text, game)
        _tell_number(number, len(lines))
        return record
    found = 0
    for found, record in enumerate(read_text(text, format.name, game, strict=not lenient), 1):
        if found == number:
            _tell_number(number, sum(1 for _ in format.begins_game.finditer(text)))
            return record
    raise _no_such_record(number, found)


def _position_lines(text: str) -> list[str]:
    lines = list(position_lines(text).values())
    if not lines:
        raise RecordError("there is nothing in it")
    return lines


def _from_line(line: str, text: str, game: Game | None) -> Record:
    """The position of a line of a text that may be something else altogether."""
    try:
        return Record.from_position(Position.parse(line, game))
    except NotationError as error:
        raise RecordError(f"{no_record(text)}; nor is it a position: {error}") from error


def _no_such_record(number: int, count: int) -> RecordError:
    return RecordError(f"there is no record {number}: it has {count}")


def _tell_number(number: int, count: int) -> None:
    if count > 1:
        err.print(f"record {number} of {count:,}: --record N takes another")


def node_at(record: Record, at: int | None) -> Node:
    """The node of the main line after so many moves; negative numbers count from the end.

    Raises:
        RecordError: if the main line is shorter.
    """
    if at is None:
        return record.end()
    ends: list[Node] = [record.root]  # where each turn ends, which may take several nodes
    position = Position(record.game)
    line = record.main_line()
    for node, after in zip(line, [*line[1:], None], strict=True):
        continues = position.is_mid_turn
        position = advance(position, node, None if after is None else after.colour)
        if node.move is None or continues:
            ends[-1] = node
        else:
            ends.append(node)
    moves = len(ends) - 1
    if not -moves <= at <= moves:
        raise RecordError(f"there is no move {at}: the main line has {moves}")
    return ends[at] if at >= 0 else ends[moves + at]


def describe(position: Position) -> dict[str, Any]:
    """What every `--json` answer says of a position."""
    row = position.winning_row
    return {
        "game": str(position.game),
        "position": str(position),
        "moves": [str(move) for move in position.moves],
        "stones": {
            "black": [str(s) for s in position.stones(BLACK)],
            "white": [str(s) for s in position.stones(WHITE)],
        },
        "turn": str(position.turn),
        "stones_left": position.stones_left,
        "winner": None if position.winner is None else str(position.winner),
        "winning_row": None if row is None else [str(s) for s in row],
        "draw": position.is_draw,
        "key": f"{position.key:016x}",
        "canonical": str(position.canonical()),
    }


def status_line(position: Position) -> str:
    """Whose turn it is, or how the game ended, in one sentence."""
    if position.winner is not None:
        row = position.winning_row or ()
        return f"{str(position.winner).capitalize()} has won: {row[0]} to {row[-1]}."
    if position.is_draw:
        return "The board is full: a draw."
    stones = "one stone" if position.stones_left == 1 else f"{position.stones_left} stones"
    return f"{str(position.turn).capitalize()} to place {stones}."


def rules_sentence(game: Game) -> str:
    """The rules of a game in one sentence."""
    board = "an infinite board" if game.is_infinite else f"a board of {game.m} x {game.n}"
    first, later = ("one stone" if count == 1 else f"{count} stones" for count in (game.q, game.p))
    winners = "only Black can win, by" if game.maker_breaker else "win with"
    return f"Black begins with {first} on {board}, then each places {later} in turn; {winners} {game.k} in a row."
