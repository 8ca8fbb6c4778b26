"""Whatever a stranger's file holds: our own errors only, no crash, no hang."""

import random
import time
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_formats import CCGC, CONNECTK, JSON_LINE, MOVE_LIST
from test_sgf import FF4, LITTLE_GOLEM, NCTU

from tengen import Game, Move, Position, Square, TengenError
from tengen.record import FORMATS, read_text
from tengen.record.files import decode

SAMPLES = [LITTLE_GOLEM, NCTU, FF4, CCGC, CONNECTK, JSON_LINE, MOVE_LIST]
NOISE = st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda t: t.encode("utf-8", "replace")))


def read_everything(data: bytes) -> None:
    text = decode(data)
    for name in [None, *FORMATS]:
        for strict in (True, False):
            with suppress(TengenError):
                for record in read_text(text, name, strict=strict):
                    for node in record.root.walk():
                        node.move  # noqa: B018
                    for format in FORMATS.values():
                        with suppress(TengenError):
                            format.write(record, "utf-8")


@given(NOISE)
@example(b"(;" * 2000)
@example(b"(" * 5000)
@example(b"[" * 5000)
@example(b'{"moves":' + b"[" * 100_000)
@example(b"(;B[" + b"a" * 5000 + b"])")
@example(b"(;AB[aa:ZZ])")
@example(b"(;SZ[0]AB[aa])")
@example(b"(;RU[Connect(99999,9,9,9,9)])")
@example("1.ﬃ٣ 2.ſ1".encode())
def test_noise(data: bytes) -> None:
    read_everything(data)


@settings(max_examples=300)
@given(st.sampled_from(SAMPLES), st.data())
def test_mutated_files(sample: str, data: st.DataObject) -> None:
    content = bytearray(sample.encode())
    for _ in range(data.draw(st.integers(1, 6))):
        where = data.draw(st.integers(0, len(content)))
        action = data.draw(st.sampled_from(["cut", "insert", "overwrite", "repeat"]))
        if action == "cut":
            del content[where : where + data.draw(st.integers(1, 30))]
        elif action == "insert":
            content[where:where] = data.draw(st.binary(min_size=1, max_size=8))
        elif action == "overwrite":
            content[where : where + 1] = data.draw(
                st.sampled_from([b"[", b"]", b"(", b")", b";", b"\\", b"\xff", b"9"])
            )
        else:
            content[where:where] = content[where : where + 20]
    read_everything(bytes(content))


@pytest.mark.parametrize("sample", SAMPLES)
def test_truncated_files(sample: str) -> None:
    for end in range(len(sample)):
        read_everything(sample[:end].encode())


@given(st.one_of(st.text(max_size=80), st.text("ABJabj 0123456789-,;:().kpqx", max_size=60)))
def test_texts_of_positions_moves_and_games(text: str) -> None:
    for parse in (Position.parse, Move.parse, Square.parse, Game.parse):
        with suppress(TengenError):
            parse(text)


@pytest.mark.parametrize("piece", ["(;B[j10]", "(;C[", "\\", "]", "{[C6]", "1.j10 ", "19 6 2 1\n", "a", " ", "B: "])
def test_long_repetitions_take_no_longer_than_they_should(piece: str) -> None:
    """Ten times the length may take about ten times as long, not a hundred times."""

    def seconds(count: int) -> float:
        """Of the processor: a busy machine changes nothing. The least of three, for the same reason."""
        took = []
        for _ in range(3):
            start = time.process_time()
            read_everything((piece * count).encode())
            took.append(time.process_time() - start)
        return min(took)

    small = max(seconds(300), 0.002)
    assert seconds(3000) < 60 * small


def test_random_bytes_in_bulk() -> None:
    rng = random.Random(6)
    for _ in range(200):
        read_everything(rng.randbytes(rng.randint(0, 400)))
