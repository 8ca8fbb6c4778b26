"""Files that are made to use up memory or processor time, each read in a process of its own."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import posix_only
from test_cli import Run, run

from tengen import RecordError, TengenError, read_file, read_text
from tengen.record import ReadLimits, Record
from tengen.record.encodings import ENCODINGS
from tengen.record.errors import RecordTooLargeError
from tengen.record.files import decode, encode
from tengen.record.limits import LIMIT_VARIABLE

__all__ = ["run"]  # the fixture

MAX_MEMORY_MB = 600
MAX_CPU_S = 30
"""Both far above what is used, and far below what the attacks took."""
READ = """
import json, resource, sys
from tengen.game import TengenError
from tengen.record import read_file
from tengen.web.records import read_any
from tengen.record.files import decode, read_bytes

path, reader = sys.argv[1:]
try:
    if reader == "web":
        records = read_any(decode(read_bytes(path)), None)
    else:
        records = read_file(path, strict=reader == "strict")
    count = sum(1 for _ in records)
    outcome = f"{count} records"
except TengenError as error:
    outcome = f"{type(error).__name__}: {str(error)[:300]}"
usage = resource.getrusage(resource.RUSAGE_SELF)
memory_kb = usage.ru_maxrss
if sys.platform == "linux":  # where ru_maxrss includes the memory of the process that forked this one
    lines = open("/proc/self/status").read().splitlines()
    memory_kb = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
print(json.dumps([outcome, memory_kb / 1024, usage.ru_utime + usage.ru_stime]))
"""
ATTACKS: dict[str, tuple[Callable[[], bytes], str]] = {
    "10 million values": (lambda: b"(;FF[4]A" + b"[]" * 10_000_000 + b")", "too large"),
    "10 million nodes": (lambda: b"(;FF[4]" + b";" * 10_000_000 + b")", "too large"),
    "10 million variations": (lambda: b"(;FF[4]" + b"(" * 10_000_000, "too large"),
    "10 million escapes": (lambda: b"(;FF[4]C[" + rb"\a" * 10_000_000 + b"])", "1 records"),
    "a value without an end": (lambda: b"(;FF[4]C[" + rb"\a" * 10_000_000, "RecordError"),
    "100,000 rectangles": (lambda: b"(;FF[4]SZ[59]" + b";TR[aa:GG]" * 100_000 + b")", "too large"),
    "100,000 set-ups of a full board": (
        lambda: b"(;FF[4]RU[Connect(52,52,255,2,1)]AB[aa:ZL]AW[aM:ZZ]PL[B]" + b";AE[aa]PL[B]" * 100_000 + b")",
        "too large",
    ),
    "a board size of 10 million parts": (lambda: b"(;FF[4]SZ[" + b"1:" * 10_000_000 + b"])", "RecordError"),
    "20 million lines before an error": (lambda: b"(;FF[4]" + b"\n" * 20_000_000 + b"%)", "RecordError"),
    "300,000 records with an error each": (lambda: b"(;FF[4];B[zz99])" * 300_000, "RecordError"),
    "40,000 names of games": (lambda: b"1.j10 " + b"Connect(59,59,6,2,1)" * 40_000, "RecordError|1 records"),
    "punycode": (lambda: b"(;FF[4]CA[punycode];B[j10])-" + b"a" * 1_000_000, "1 records"),
    "empty lists in JSON": (lambda: b'{"moves":[' + b"[]," * 10_000_000 + b"[]]}", "too large"),
    "moves with escapes in JSON": (
        lambda: (
            b'{"game":"Connect(6,2,1)","moves":["a1"'
            + b"".join(rb',"\u0061%da%d"' % (n, n + 1) for n in range(2, 60_000, 2))
            + b"]}"
        ),
        "RecordError",
    ),
    "fields of a contest game": (lambda: b"{[C6]" + b"[]" * 10_000_000 + b";B(J,10)}", "1 records"),
    "notes of a contest game": (lambda: b"{[C6];B(J,10)" + b"A[]" * 10_000_000 + b"}", "too large"),
    "10 million stones": (lambda: b"a1" * 10_000_000, "Error"),
    "10 million numbers of moves": (lambda: b"1." * 10_000_000, "Error"),
}


@posix_only
@pytest.mark.parametrize("reader", ["strict", "lenient", "web"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_file_takes_little_memory_and_time(tmp_path: Path, attack: str, reader: str) -> None:
    make, outcomes = ATTACKS[attack]
    path = tmp_path / "attack.gz"
    path.write_bytes(gzip.compress(make(), 1))
    child = subprocess.run([sys.executable, "-c", READ, str(path), reader], capture_output=True, text=True, timeout=600)
    assert child.returncode == 0, child.stderr[-2000:]
    outcome, memory_mb, cpu_s = json.loads(child.stdout)
    assert memory_mb < MAX_MEMORY_MB, outcome
    assert cpu_s < MAX_CPU_S, outcome
    if reader == "strict":
        expected = outcomes.replace("too large", "RecordTooLargeError").split("|")
        assert any(word in outcome for word in expected), outcome


def test_the_limits_can_be_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    values = 1_200_000
    path, output = tmp_path / "large.sgf", tmp_path / "out.sgf"
    path.write_text("(;FF[4]A" + "[]" * values + ";B[j10])")
    with pytest.raises(RecordTooLargeError, match="--max-file-mb"):
        next(read_file(path))
    assert len(next(read_file(path, limits=ReadLimits(128 << 20))).root.properties["A"]) == values
    code, _, err = run("convert", str(path), str(output))
    assert code == 3
    assert LIMIT_VARIABLE in err
    monkeypatch.setenv(LIMIT_VARIABLE, "128")
    assert run("convert", str(path), str(output))[0] == 0
    for wrong in ("0", "-1", "x", "1" * 30):
        monkeypatch.setenv(LIMIT_VARIABLE, wrong)
        with pytest.raises(RecordError, match="invalid size limit"):
            next(read_file(path))


def test_the_limit_is_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "1")  # restored afterwards: the option sets the variable
    path, output = tmp_path / "large.sgf", tmp_path / "out.sgf"
    path.write_text("(;FF[4]C[" + "x" * 1_500_000 + "];B[j10])")
    assert run("convert", str(path), str(output))[0] == 3
    assert run("--max-file-mb", "2", "convert", str(path), str(output))[0] == 0


@pytest.mark.parametrize("name", ["punycode", "idna", "unicode_escape", "raw_unicode_escape", "utf-7", "rot13", "no\0"])
def test_other_encodings_are_not_accepted(name: str) -> None:
    with pytest.raises(RecordError, match="unknown encoding"):
        decode(b"(;FF[4])", name)
    with pytest.raises(RecordError, match="unknown encoding"):
        encode("(;FF[4])", name)


def test_an_encoding_in_the_file_that_is_not_accepted_is_ignored() -> None:
    assert decode("(;CA[utf-7]C[+AGE- é])".encode()) == "(;CA[utf-7]C[+AGE- é])"
    assert decode("(;CA[GB2312]C[天元])".encode("gb2312")) == "(;CA[GB2312]C[天元])"


@pytest.mark.parametrize("name", ENCODINGS)
def test_accepted_encodings_read_what_they_write(name: str) -> None:
    assert decode(encode("(;FF[4])", name), name) == "(;FF[4])"


@pytest.mark.parametrize("text", ["(;B[j10];W[-a-100])", "(;B[j10];W[zz1000])", "(;B[j10];W[-a5k11];TR[-b-7])"])
@pytest.mark.parametrize("target", ["sgf", "littlegolem", "nctu", "ccgc", "moves", "connectk", "jsonl"])
def test_a_square_off_the_board_has_no_letters(tmp_path: Path, run: Run, text: str, target: str) -> None:
    path = tmp_path / "off.sgf"
    path.write_text(text)
    code, _, err = run("convert", "--lenient", "--to", target, str(path), str(tmp_path / "out"))
    assert code in (0, 3), err
    assert "Traceback" not in err


def test_places_of_errors_are_those_of_the_text() -> None:
    text = "(;FF[4]\n;B[zz]TR[9]\n;W[zz9](;TR[x])\n\n  (;TR[y]))"
    record: Record = next(read_text(text, strict=False))
    assert sorted((problem.line, problem.column) for problem in record.problems) == [(2, 2), (2, 7), (3, 10), (5, 5)]
    with pytest.raises(TengenError, match="line 2, column 7"):
        next(read_text(text))
