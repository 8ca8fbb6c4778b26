import errno
import gzip
import io
import os
import stat
from pathlib import Path
from typing import BinaryIO

import pytest

from tengen import CONNECT6, Game, Position, Record, RecordError, read_file, read_text, write_file
from tengen.record import FORMATS, ReadLimits, gather, recognise
from tengen.record import files as record_files
from tengen.record.errors import RecordTooLargeError
from tengen.record.files import decode, unpack

MOVES = "J10 K11I11 J12L11 I12I10 H11I9"
CCGC = (
    "{[C6][Alpha B][贝塔 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(K,11);W(I,11)MARK[1]"
    ";B(J,12);B(L,11);W(I,12);W(I,10);B(H,11);B(I,9)}"
)
MOVE_LIST = "1.j10 2.k11i11 3.j12l11 4.i12i10 5.h11i9"
CONNECTK = "19 6 2 1 0\nj10\nk11\ni11\nj12\nl11\ni12\ni10\nh11\ni9\n"
JSON_LINE = '{"id":7,"result":"B","six":false,"moves":["j10","k11i11","j12l11","i12i10","h11i9"],"event":"cup"}'


@pytest.mark.parametrize(
    ("text", "name"), [(CCGC, "ccgc"), (MOVE_LIST, "moves"), (CONNECTK, "connectk"), (JSON_LINE, "jsonl")]
)
def test_formats_are_recognised_and_read(text: str, name: str) -> None:
    format = recognise(text)
    assert format is not None
    assert format.name == name
    assert next(read_text(text)).position() == Position(moves=MOVES)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_round_trips(name: str, tmp_path: Path) -> None:
    record = Record.from_position(Position(moves=MOVES))
    path = tmp_path / "game"
    assert write_file([record], path, name) == 1
    assert [r.moves() for r in read_file(path)] == [record.moves()]


@pytest.mark.parametrize("name", [name for name, format in FORMATS.items() if format.holds_many])
def test_collections_round_trip_compressed_too(name: str, tmp_path: Path) -> None:
    records = [Record.from_position(Position(moves=moves)) for moves in ("J10 A1A2", MOVES, "A1 B2C3")]
    path = tmp_path / "games.gz"
    assert write_file(records, path, name) == 3
    assert path.read_bytes().startswith(b"\x1f\x8b")
    assert [str(r.position()) for r in read_file(path)] == [str(r.position()) for r in records]


def test_contest_header_fields() -> None:
    record = next(read_text(CCGC))
    expected = {
        "PB": "Alpha",
        "PW": "贝塔",
        "RE": "B+",
        "DT": "2017.07.29 14:00",
        "PC": "重庆",
        "EV": "2017 CCGC",
    }
    assert {name: record.root.get(name) for name in expected} == expected
    assert record.main_line()[2].get("MARK") == "1"
    assert FORMATS["ccgc"].write(record, "utf-8") == CCGC + "\n"


def test_contest_files_in_the_chinese_encoding(tmp_path: Path) -> None:
    path = tmp_path / "contest.txt"
    path.write_bytes(CCGC.encode("gb18030"))
    assert next(read_file(path)).root.get("PW") == "贝塔"
    write_file(read_file(path), tmp_path / "again.txt", "ccgc", encoding="gb18030")
    assert (tmp_path / "again.txt").read_bytes() == CCGC.encode("gb18030") + b"\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("é".encode(), "é"),
        (b"\xef\xbb\xbf(;C[x])", "(;C[x])"),
        ("(;C[é])".encode("utf-16"), "(;C[é])"),
        ("(;CA[GB2312]C[棋])".encode("gb2312"), "(;CA[GB2312]C[棋])"),
        ("(;CA[nonsense]C[é])".encode(), "(;CA[nonsense]C[é])"),
        ("(;C[é])".encode("latin-1"), "(;C[é])"),
    ],
)
def test_encodings(data: bytes, text: str) -> None:
    assert decode(data) == text


def test_an_encoding_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(RecordError, match="utf-8"):
        decode(b"\xff", "utf-8")
    with pytest.raises(RecordError, match="klingon"):
        decode(b"x", "klingon")


def test_move_lists_of_other_games_and_resignations() -> None:
    text = "Connect(15,15,5,1,1) 1.h8 2.h9 3.resign\n1. j10\n"
    records = list(read_text(text))
    assert [r.game for r in records] == [Game(15, 15, 5, 1, 1), CONNECT6]
    assert records[0].end().resigns
    assert records[0].result == "W+Resign"
    assert FORMATS["moves"].write(records[0], "utf-8") == "Connect(15,15,5,1,1) 1.h8 2.h9 3.resign\n"


@pytest.mark.parametrize(
    ("text", "format", "line", "column", "reason"),
    [
        ("1.j10 2.k11\n3.a1a2", "moves", 2, 3, "too few stones"),
        ("1.j10\n3.a1a2", "moves", 2, 1, "move 2 should stand here"),
        ("1.j10 2.k11z99", "moves", 1, 9, "Z99 is off the board"),
        ("1.j10 what", "moves", 1, 7, "1.j10"),
        ("1.j10 2.resign 3.a1a2", "moves", 1, 18, "has resigned"),
        ("19 6 2 1\nj10\nj10", "connectk", 3, 1, "J10 is occupied"),
        ("19 6 2 1\nj10\n  what now", "connectk", 3, 3, "no square"),
        ("99 6 2 1\n", "connectk", 1, 1, "m = 99"),
        ("{[C6];B(J,10)\n;B(K,10)}", "ccgc", 2, 2, "white's turn"),
        ("{[C6];B(J,10)", "ccgc", 1, 14, "closing"),
        ("{[GO];B(J,10)}", "ccgc", 1, 1, "not C6"),
        ('{"moves":["j10"]}\n{"moves":["j10","j10k10"]}', "jsonl", 2, 17, "J10 is occupied"),
        ('{"moves":["j10"]}\n{"moves":', "jsonl", 2, 10, "no JSON"),
        ('{"moves":[1]}', "jsonl", 1, 1, "list of texts"),
    ],
)
def test_errors_tell_line_and_column(text: str, format: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        list(read_text(text, format))
    assert (caught.value.line, caught.value.column) == (line, column)
    if "should stand" not in reason and format != "jsonl" and line > 1 and "what" not in text:
        assert list(read_text(text, format, strict=False))[-1].problems


def test_what_a_format_cannot_hold_is_refused() -> None:
    set_up = Record.from_position(Position.parse("B: J10 W: K10 to move: W 1"))
    null_move = Record.from_position(Position(moves="J10 pass"))
    gomoku = Record(Game(15, 15, 5, 1, 1))
    for name in ("ccgc", "moves", "connectk", "jsonl"):
        for record in (set_up, null_move):
            with pytest.raises(RecordError, match="cannot hold"):
                FORMATS[name].write(record, "utf-8")
    with pytest.raises(RecordError, match="Connect6"):
        FORMATS["ccgc"].write(gomoku, "utf-8")
    with pytest.raises(RecordError, match="square boards"):
        FORMATS["connectk"].write(Record(Game(5, 6, 4, 1, 1)), "utf-8")
    with pytest.raises(RecordError, match="one game"):
        write_file([gomoku, gomoku], "x.connectk")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.sgf"
    record = Record.from_position(Position(moves=MOVES))
    write_file([record], path)
    before = path.read_bytes()

    def half_a_collection() -> object:
        yield record
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_file(half_a_collection(), path)  # type: ignore[arg-type]
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(5, "Input/output error")))
    with pytest.raises(OSError, match="Input/output"):
        write_file([record, record], path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_keeps_the_files_mode_and_follows_links(tmp_path: Path) -> None:
    path, link = tmp_path / "game.sgf", tmp_path / "link.sgf"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_file([Record()], link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_text().startswith("(;FF[4]")
    new = tmp_path / "new.sgf"
    write_file([Record()], new)
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(new.stat().st_mode) == 0o666 & ~mask


def test_damaged_and_bomb_like_compressed_files() -> None:
    packed = gzip.compress(b"(;FF[4])" * 100)
    with pytest.raises(RecordError, match="damaged"):
        unpack(io.BytesIO(packed[:-9]))
    with pytest.raises(RecordError, match="damaged"):
        unpack(io.BytesIO(packed[:10] + b"\xff" + packed[11:]))
    with pytest.raises(RecordTooLargeError, match="larger than"):
        unpack(io.BytesIO(packed), ReadLimits(max_bytes=100))


def test_what_cannot_be_read_in_a_folder_is_told_and_the_rest_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unpack_unless_failing(file: BinaryIO, limits: ReadLimits | None = None) -> bytes:
        if "failing" in file.name:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return unpack(file)

    monkeypatch.setattr(record_files, "unpack", unpack_unless_failing)
    packed = gzip.compress(MOVE_LIST.encode())
    (tmp_path / "a.txt").write_text(MOVE_LIST)
    (tmp_path / "damaged.gz").write_bytes(packed[:10] + b"\xff" + packed[11:])
    (tmp_path / "failing.txt").write_text(MOVE_LIST)
    (tmp_path / "z.txt").write_text(MOVE_LIST)
    first, damaged, failing, last = gather([tmp_path])
    assert isinstance(first, Record)
    assert "damaged.gz: the compressed file is damaged" in str(damaged)
    assert str(failing) == f"{tmp_path / 'failing.txt'}: {os.strerror(errno.EIO)}"
    assert isinstance(last, Record)
    with pytest.raises(OSError, match="failing"):
        list(gather([tmp_path / "failing.txt"]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("name", ["jsonl", "sgf", "ccgc"])
def test_collections_round_trip_in_every_encoding(encoding: str, name: str, tmp_path: Path) -> None:
    records = [Record.from_position(Position(moves=moves)) for moves in ("J10 A1A2", MOVES)]
    for record in records:
        record.root.set("EV", "重庆")
    path = tmp_path / "games"
    write_file(records, path, name, encoding)
    assert [r.root.get("EV") for r in read_file(path, encoding=None if "utf" in encoding else encoding)] == ["重庆"] * 2


def test_a_contest_file_has_no_brackets_within_brackets() -> None:
    record = next(read_text(CCGC))
    record.root.set("EV", "a [strange] cup")
    record.main_line()[2].set("MARK", "a]b;W(A,1)")
    again = next(read_text(FORMATS["ccgc"].write(record, "utf-8")))
    assert again.root.get("EV") == "a (strange) cup"
    assert again.main_line()[2].get("MARK") == "a)b;W(A,1)"
    assert again.moves() == record.moves()


def test_a_contest_file_without_end_is_looked_through_once() -> None:
    with pytest.raises(RecordError, match="no contest record"):  # else this would take hours
        list(read_text("{[" * 1_000_000, "ccgc"))


def test_unknown_formats_are_named() -> None:
    with pytest.raises(RecordError, match="looks like no record"):
        read_text("hello")
    with pytest.raises(RecordError, match="'pgn' is no format"):
        read_text("x", "pgn")
    with pytest.raises(RecordError, match="which format"):
        write_file([Record(CONNECT6)], "game.txt")
