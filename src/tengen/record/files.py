"""Records in files: formats, encodings, limits, and writes that lose nothing when they fail."""

from __future__ import annotations

import codecs
import errno
import gzip
import io
import os
import re
import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tengen.game import Game
from tengen.record.ccgc import read_ccgc, write_ccgc
from tengen.record.connectk import read_connectk, write_connectk
from tengen.record.encodings import accepted_encoding, checked_encoding
from tengen.record.errors import RecordError
from tengen.record.jsonlines import read_json_lines, write_json_line
from tengen.record.limits import ReadLimits, default_limits
from tengen.record.movelist import read_move_list, write_move_list
from tengen.record.sgf import Dialect, read_sgf, write_sgf
from tengen.record.tree import Record

Reader = Callable[[str, Game | None, bool, ReadLimits | None], Iterator[Record]]
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
"""Characters of binary files, which no text has."""
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@dataclass(frozen=True)
class Format:
    """A way to keep records in a file."""

    name: str
    about: str
    suffix: str
    read: Reader
    write: Callable[[Record, str], str]
    """The text of a record, given the encoding that it will have."""
    looks_like: re.Pattern[str]
    """What such a file begins with."""
    begins_game: re.Pattern[str]
    """What a game in it begins with, roughly: for an estimate of how many there are."""
    keeps: frozenset[str] = frozenset()
    """The root's properties that a format without variations holds."""
    has_variations: bool = False
    holds_many: bool = True


_SGF_START = re.compile(r"(?s).{0,4000}?\(\s*;")
_SGF_GAME = re.compile(r"\(\s*;\s*(?:FF|GM|CA|SZ|EV|PB)\b")


def _sgf(name: str, about: str, dialect: Dialect) -> Format:
    def write(record: Record, encoding: str) -> str:
        return write_sgf(record, dialect, encoding)

    return Format(name, about, ".sgf", read_sgf, write, _SGF_START, _SGF_GAME, has_variations=True)


def _line(
    name: str,
    about: str,
    suffix: str,
    read: Reader,
    write: Callable[[Record], str],
    looks_like: str,
    game: str,
    keeps: str = "",
    holds_many: bool = True,
) -> Format:
    return Format(
        name,
        about,
        suffix,
        read,
        lambda record, _encoding: write(record),
        re.compile(looks_like),
        re.compile(game),
        frozenset(keeps.split()),
        holds_many=holds_many,
    )


FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        _sgf("sgf", "SGF FF[4]: a stone a node, letter pairs", Dialect.FF4),
        _sgf("littlegolem", "Little Golem's SGF: a move a node, B[j10];W[i9k11]", Dialect.LITTLE_GOLEM),
        _sgf("nctu", "NCTU6's SGF: a stone a node, B[JJ];W[KK];W[IK]", Dialect.NCTU),
        _line(
            "ccgc",
            "the CCGC contest format, {[C6]…;B(J,10)…}",
            ".txt",
            read_ccgc,
            write_ccgc,
            r"\s*\{\s*\[",
            r"\{\s*\[",
            "PB PW RE DT PC EV",
        ),
        _line(
            "moves",
            "Little Golem's plain text, 1.j10 2.i9l10",
            ".txt",
            read_move_list,
            write_move_list,
            r"\s*(?:[A-Za-z][^\n.]*\s)?1\s*\.+\s*[A-Za-z-]",
            r"(?<!\d)1\s*\.",
        ),
        _line(
            "connectk",
            "connectk's file: size k p q, then a stone a line",
            ".connectk",
            read_connectk,
            write_connectk,
            r"\s*\d+[ \t]+\d+[ \t]+\d+[ \t]+\d+",
            r"\A",
            holds_many=False,
        ),
        _line(
            "jsonl",
            "JSON lines, one game a line",
            ".jsonl",
            read_json_lines,
            write_json_line,
            r"\s*\{\s*(?:\"|\})",
            r"(?m)^\s*\{",
            "GN EV PB PW RE",
        ),
    )
}
"""The formats by name. A file is recognised by what it begins with, not by its name."""


def recognise(text: str) -> Format | None:
    """The format of a text; None if it looks like none."""
    # SGF comes last, since it alone may begin with anything.
    candidates = sorted(FORMATS.values(), key=lambda format: format.read is read_sgf)
    return next((format for format in candidates if format.looks_like.match(text)), None)


def decode(data: bytes, encoding: str | None = None) -> str:
    """Decode a file: by the encoding given, else by its byte order mark, SGF's CA or as UTF-8, whichever fits first.

    Contest files that are not UTF-8 are GB 18030; SGF without CA is Latin-1, as FF[4] says. An encoding in CA that is
    not accepted is ignored.

    Raises:
        RecordError: if the encoding given is unknown or does not fit.
    """
    if encoding is not None:
        try:
            return data.decode(checked_encoding(encoding))
        except UnicodeError as error:
            raise RecordError(f"cannot read it as {encoding}: {error}") from None
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(name, errors="replace")
    declared = re.search(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{2,20})\s*\]", data[:4000])
    declared_name = accepted_encoding(declared[1].decode("ascii")) if declared else None
    is_contest = re.match(rb"\s*+\{", data) is not None
    for candidate in (declared_name, "utf-8", "gb18030" if is_contest else None):
        if candidate is not None:
            with suppress(UnicodeError):
                return data.decode(candidate)
    return data.decode("latin-1")


def read_text(
    text: str,
    format: str | None = None,
    game: Game | None = None,
    strict: bool = True,
    limits: ReadLimits | None = None,
) -> Iterator[Record]:
    """Read the records of a text in any format.

    Raises:
        RecordError: if it has no known format, is invalid, or a record is too large.
    """
    chosen = recognise(text) if format is None else _format(format)
    if chosen is None:
        raise no_record(text)
    return chosen.read(text, game, strict, limits)


def no_record(text: str) -> RecordError:
    """What to say of a text that has no format we know."""
    return RecordError.at(f"this looks like no record; the formats are {', '.join(FORMATS)}", text, 0)


def position_lines(text: str) -> dict[int, str]:
    """The lines of a text that has a position a line, by number, without those that are empty or begin with #.

    Raises:
        RecordError: if it is no text at all.
    """
    if _NO_TEXT.search(text):
        raise no_record(text)
    numbered = enumerate(text.splitlines(), 1)
    return {number: line for number, line in numbered if line.strip() and not line.lstrip().startswith("#")}


def read_file(
    path: str | os.PathLike[str],
    format: str | None = None,
    game: Game | None = None,
    strict: bool = True,
    encoding: str | None = None,
    limits: ReadLimits | None = None,
) -> Iterator[Record]:
    """Read the records of a file, also of one that is compressed by gzip.

    Args:
        path: the file.
        format: the name of its format; by default recognised from its content.
        game: the game that is played; by default that of the file.
        strict: whether an illegal move is an error. If not, it is added to the `problems` of the record.
        encoding: its encoding; by default recognised from its content.
        limits: limits for the file and for each record; by default those of the environment.

    Raises:
        OSError: if the file cannot be read.
        RecordError: if it is not a file of records, is invalid or too large.
    """
    return read_text(decode(read_bytes(path, limits), encoding), format, game, strict, limits)


def read_bytes(path: str | os.PathLike[str], limits: ReadLimits | None = None) -> bytes:
    """Return the content of a file, decompressed if it is compressed by gzip.

    Raises:
        OSError: if the file cannot be read.
        RecordError: if it is damaged or too large.
    """
    try:
        with Path(path).open("rb") as file:
            return unpack(file, limits)
    except OSError as error:  # a disk that fails during a read does not name the file
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def unpack(file: BinaryIO, limits: ReadLimits | None = None) -> bytes:
    """Return the content of a binary stream, decompressed if it is compressed by gzip.

    Raises:
        RecordError: if it is damaged or too large.
    """
    limits = limits or default_limits()
    data = file.read(limits.max_bytes + 1)
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
                data = unpacked.read(limits.max_bytes + 1)
        except (EOFError, OSError, ValueError, zlib.error) as error:
            raise RecordError(f"the compressed file is damaged: {error}") from None
    if len(data) > limits.max_bytes:
        raise limits.file_too_large()
    return data


def write_file(
    records: Iterable[Record],
    path: str | os.PathLike[str],
    format: str | None = None,
    encoding: str = "utf-8",
) -> int:
    """Writes records to a file (`.gz` compresses it) and returns their number. The suffix tells the format by default.

    The file appears whole or not at all; an old one stays as it was if anything fails.

    Raises:
        OSError: if the file cannot be written.
        RecordError: if the format cannot hold a record.
    """
    path = Path(path)
    chosen = _format(format) if format is not None else format_for(path)
    encoder = Encoder(encoding)
    count = 0
    with replacing(path) as file:
        packer = gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) if path.suffix == ".gz" else None
        with packer or nullcontext():
            for record in records:
                count += 1
                if count > 1 and not chosen.holds_many:
                    raise RecordError(f"a {chosen.name} file holds one game; write each to its own file")
                (packer or file).write(encoder.encode(chosen.write(record, encoding)))
    return count


class Encoder:
    """Encodes the texts of one file, one after the other: a byte order mark stands before the first alone.

    Raises:
        RecordError: if there is no such encoding.
    """

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._encoder = codecs.getincrementalencoder(checked_encoding(encoding))()

    def encode(self, text: str) -> bytes:
        """The bytes of the next text.

        Raises:
            RecordError: if the encoding has no place for a character.
        """
        try:
            return self._encoder.encode(text)
        except UnicodeError as error:
            raise _cannot_write(self._encoding, error) from None


def encode(text: str, encoding: str) -> bytes:
    """The bytes of a text that is a file by itself.

    Raises:
        RecordError: if there is no such encoding, or it has no place for a character.
    """
    try:
        return text.encode(checked_encoding(encoding))
    except UnicodeError as error:
        raise _cannot_write(encoding, error) from None


def _cannot_write(encoding: str, error: Exception) -> RecordError:
    return RecordError(f"cannot write it as {encoding}: {error}")


def format_for(path: Path) -> Format:
    """The format that a file's name asks for.

    Raises:
        RecordError: if it asks for none.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    suffix = suffixes[-1] if suffixes else ""
    for format in FORMATS.values():
        if format.suffix == suffix and suffix != ".txt":  # two formats share .txt
            return format
    endings = ", ".join(sorted({format.suffix for format in FORMATS.values()} - {".txt"}))
    raise RecordError(
        f"{str(path)!r} does not say which format it should have: end it in {endings}; the formats are "
        + ", ".join(FORMATS)
    )


def _format(name: str) -> Format:
    try:
        return FORMATS[name]
    except KeyError:
        raise RecordError(f"{name!r} is no format; there are {', '.join(FORMATS)}") from None


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write aside, which takes the place of `path` only once it is written whole and safe on disk."""
    path = path.resolve()  # through a link, the file that it points to is replaced
    if path.exists() and not path.is_file():  # a device or a pipe is written to, a folder is an error
        with path.open("wb") as stream:
            yield stream
        return
    # Its name is known before it is there, so that a signal in between leaves nothing behind.
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with named_when_full(path), _made(aside, path) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            aside.chmod(path.stat().st_mode & 0o7777)
        aside.replace(path)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise


@contextmanager
def named_when_full(path: Path) -> Iterator[None]:
    """Names the file in the error of a disk that is full, which does not say where that was."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def _made(aside: Path, path: Path) -> BinaryIO:
    try:
        return aside.open("xb")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
