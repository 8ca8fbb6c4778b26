"""The atlas of openings: symmetry, files, what is shown, what is tried next, and campaigns that are killed."""

from __future__ import annotations

import base64
import errno
import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import posix_only
from test_cli import Run, run

from tengen import BLACK, CONNECT6, WHITE, Move, Position, Record, Square, Symmetry, read_file
from tengen.grid import Event, Pool
from tengen.opening import Atlas, AtlasError, Campaign, Proof, Shelf, Third, plan, second_moves
from tengen.opening.explore import explore
from tengen.opening.plan import EFFORTS, LOOKS, VERIFIER, Effort, Level, steps
from tengen.opening.shelf import checked
from tengen.play import OpeningBook
from tengen.prove import Verdict, check, write_solution
from tengen.prove.checker.file import Survey
from tengen.solve import solve

__all__ = ["run"]  # the fixture

EASY = "J10 M13G10 K9J8"
"""White is far away: the first level of the verifier proves it within two seconds."""


def small_shelf(folder: Path, *, looks: int = 0) -> Shelf:
    """A shelf with the six second moves next to the first stone."""
    shelf, atlas = Shelf(folder), Atlas(1)
    for second in atlas.seconds.values():
        second.looks = looks
    shelf.keep(atlas)
    return shelf


# The atlas


@pytest.mark.parametrize("radius", [1, 2])
def test_second_moves_are_one_for_each_kind(radius: int) -> None:
    """Counted another way: by the keys of the positions, over all pairs."""
    reach = range(9 - radius, 10 + radius)
    near = [Square(x, y) for x in reach for y in reach if (x, y) != (9, 9)]
    keys = {Position(CONNECT6, ["J10", Move(pair)]).canonical_key for pair in combinations(near, 2)}
    moves = second_moves(radius)
    assert len(moves) == len(keys)
    assert {Position(CONNECT6, ["J10", move]).canonical_key for move in moves} == keys


def test_names_are_those_that_people_use() -> None:
    """As the statistics of Little Golem's games write them."""
    names = {str(move) for move in second_moves()}
    # Burnside, 3160 pairs of 80 squares: a half turn keeps 40, a quarter turn none, a mirror 36 + 28 = 64.
    assert len(names) == (3160 + 40 + 4 * 64) // 8 == 432
    assert {"K11I11", "K11I10", "J12K9", "J11K10", "J12K11", "K12I11", "K11J11", "K12I10", "J12L10", "J12K10"} <= names


@given(st.sampled_from(list(Symmetry)), st.data())
def test_a_position_is_found_however_it_is_turned(symmetry: Symmetry, data: st.DataObject) -> None:
    atlas = Atlas(2)
    second = data.draw(st.sampled_from(list(atlas.seconds.values())))
    squares = st.builds(Square, st.integers(5, 13), st.integers(5, 13))
    pair = data.draw(st.lists(squares, min_size=2, max_size=2, unique=True))
    if any(second.position.at(square) is not None for square in pair):
        return
    third = second.add(Move(pair), 0.5)
    turned = Position(CONNECT6, [symmetry.move(m, 19, 19) for m in (Move("J10"), second.move, Move(pair))])
    found = atlas.find(turned)
    assert found is not None
    entry, back = found
    assert entry is second
    assert entry.third(back.move(turned.moves[2], 19, 19)) is third
    shown = explore(atlas, turned)
    assert shown.here is not None
    assert shown.here.value == 0.5
    before = explore(atlas, Position(CONNECT6, turned.moves[:2]))
    (known,) = before.moves
    assert Position(CONNECT6, [*turned.moves[:2], known.move]).canonical_key == turned.canonical_key


def test_what_is_not_in_the_atlas() -> None:
    atlas = Atlas(2)
    assert atlas.find(Position(CONNECT6, "J10 A1A2")) is None
    assert atlas.find(Position(CONNECT6, "J9 J10J11")) is None
    for wrong in ("J10", "J10 K11", "J10 K11I11 J11J12 A1A2"):
        with pytest.raises(AtlasError, match="after White's second"):
            atlas.find(Position.parse(wrong))


def filled() -> Atlas:
    atlas = Atlas(1)
    second = atlas.seconds[Move("K11I11")]
    second.looks = 1
    second.thirds = [
        Third(Move("J12J11"), 0.4, levels=1, left={Move("A1A2"): 2}, open=1, nodes=5, seconds=1.5, how="verify"),
        Third(Move("J9J8"), 0.99, BLACK, Proof("a.tpf", "00", 3, 99), nodes=7, seconds=2.0, how="answer"),
        Third(Move("A2A1"), 0.0, WHITE, Proof("b.tpf", "11", 3, 99), nodes=7, seconds=2.0, how="refute"),
    ]
    return atlas


@pytest.mark.parametrize("name", ["atlas.jsonl", "atlas.jsonl.gz"])
def test_an_atlas_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    atlas = filled()
    atlas.write(tmp_path / name)
    again = Atlas.read(tmp_path / name)
    assert [second.as_json() for second in again.seconds.values()] == [
        second.as_json() for second in atlas.seconds.values()
    ]
    assert again.seconds[Move("K11I11")].winner is BLACK
    assert [str(third.move) for third in again.seconds[Move("K11I11")].ranked()] == ["J9J8", "J12J11", "A2A1"]
    assert [str(third.winner) for _, third in again.proved()] == ["black", "white"]


@given(st.data())
def test_a_damaged_atlas_is_refused_or_read(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.mktemp("atlas") / "atlas.jsonl"
    filled().write(path)
    text = path.read_text()
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    path.write_text(text[:start] + data.draw(st.text('[]{}",:0123456789-aJK\n', max_size=5)) + text[end:])
    with suppress(AtlasError):
        found = Atlas.read(path)
        explore(found, Position.parse("J10"))
        explore(found, Position.parse("J10 K11I11"))


def test_a_verdict_without_a_proof_is_none(tmp_path: Path) -> None:
    atlas = filled()
    atlas.seconds[Move("K11I11")].thirds[1].proof = None
    atlas.write(tmp_path / "atlas.jsonl")
    with pytest.raises(AtlasError, match="J9J8 has a winner, but no proof"):
        Atlas.read(tmp_path / "atlas.jsonl")


# What comes with the program


def test_the_proofs_that_come_along_are_those_of_the_atlas(tmp_path: Path, run: Run) -> None:
    """All by their checksums and what they are about; the smallest by the checker, which trusts nobody."""
    shelf, atlas = Shelf(tmp_path), Atlas.shipped()
    here = [
        (second, third, third.proof, path)
        for second, third in atlas.proved()
        if third.proof is not None and (path := shelf.proof_file(third.proof)) is not None
    ]
    assert len(here) >= 12
    assert sum(path.stat().st_size for *_, path in here) < 2_000_000
    for second, third, proof, path in here:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == proof.sha256
        header = Survey(path).header
        assert (header.claim, header.attacker, header.turn) == ("win", str(third.winner), "white")
        black, white = ([Square(x, y) for x, y in side] for side in header.stones)
        setup = Position.setup(CONNECT6, black, white, WHITE)
        assert setup.canonical_key == second.after(third).canonical_key
    *_, path = min(here, key=lambda entry: entry[2].nodes)
    code, out, _ = run("check", str(path), "--json")
    assert code == 0
    assert json.loads(out)["accepted"]


def test_an_older_atlas_learns_what_comes_along(tmp_path: Path) -> None:
    shelf, old = Shelf(tmp_path), Atlas()
    second, third = old.opening(Position.parse(EASY))
    third.value = 0.5
    own = old.seconds[Move("K11I11")].add(Move("J12J11"), 0.25)
    shelf.keep(old)
    learnt = shelf.atlas()
    assert learnt.seconds[second.move].winner is BLACK
    assert learnt.seconds[Move("K11I11")].third(own.move) == own
    assert len(list(learnt.proved())) == len(list(Atlas.shipped().proved()))
    assert list(Shelf(tmp_path, alone=True).atlas().proved()) == []


# What to do next


def test_cheap_looks_come_first_and_then_what_is_promising() -> None:
    atlas = Atlas(1)
    assert {step.what for step in steps(atlas)} == {"look"}
    seconds = list(atlas.seconds.values())
    for second in seconds:
        second.looks = LOOKS
    good, bad = seconds[0].add(Move("A1A2"), 0.98), seconds[1].add(Move("A1A2"), 0.4)
    best = max(steps(atlas), key=lambda step: step.worth)
    assert (best.what, best.third) == ("verify", good)
    good.left = dict.fromkeys([Move("B1B2"), Move("C1C2")], 0)
    assert {step.what for step in steps(atlas) if step.third is good} == {"answer"}
    good.left = {Move("B1B2"): 2}
    assert [step.what for step in steps(atlas) if step.third is good] == ["search"]
    good.left = {Move("B1B2"): len(EFFORTS)}
    assert [step for step in steps(atlas) if step.third is good] == []
    bad.levels = len(VERIFIER)
    assert list(steps(atlas)) == []
    bad.value = 0.0
    assert [step.what for step in steps(atlas)] == ["refute"]
    assert list(steps(atlas, [seconds[2].move])) == []


def stopping(campaign: Campaign, when: Callable[[], bool]) -> Callable[[], None]:
    """Something to tell a campaign that ends it in time."""

    def tell() -> None:
        if when():
            campaign.stop()

    return tell


def test_what_the_verifier_leaves_open_is_kept(tmp_path: Path) -> None:
    """Black's stones in the corners win nothing: the first level ends with replies that are not answered."""
    shelf, atlas = Shelf(tmp_path), Atlas(1)
    second = next(iter(atlas.seconds.values()))
    second.looks = LOOKS
    second.add(Move("A1S19"), 0.99)
    shelf.keep(atlas)
    with Pool(1) as pool:
        campaign = Campaign(shelf, pool, [second.move])
        campaign.run(tell=stopping(campaign, lambda: campaign.tally.jobs > 0))
    (third,) = Shelf(tmp_path).atlas().seconds[second.move].thirds
    assert (third.levels, third.how, third.winner, third.left) == (1, "verify", None, None)
    assert third.open
    assert third.nodes > 0


@pytest.mark.parametrize("efforts", [(Effort(500_000),), (Effort(seconds=600),)], ids=["answer", "search"])
def test_what_is_left_is_answered_and_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, efforts: tuple[Effort, ...]
) -> None:
    """With few nodes a reply the verifier leaves some; each is answered on its own, by one search or by many jobs."""
    monkeypatch.setattr(plan, "VERIFIER", (Level(2, 300, 3_000_000),))
    monkeypatch.setattr(plan, "EFFORTS", efforts)
    shelf, atlas = Shelf(tmp_path, alone=True), Atlas()
    second, third = atlas.opening(Position.parse(EASY))
    second.looks, third.value = LOOKS, 0.9
    shelf.keep(atlas)
    with Pool(1) as pool:
        campaign = Campaign(shelf, pool, [second.move])
        campaign.run(tell=stopping(campaign, lambda: campaign.atlas.seconds[second.move].winner is not None))
    (done,) = Shelf(tmp_path, alone=True).atlas().seconds[second.move].thirds
    assert (done.winner, done.left) == (BLACK, None)
    assert done.open  # after the verifier's look
    assert done.how == ("search" if efforts[0].seconds else "answer")
    assert done.proof is not None
    file = shelf.proof_file(done.proof)
    assert file is not None
    assert checked(file) == done.proof
    assert not shelf.parts(second, done).exists()
    # The same proof is taken in elsewhere; one of another game is not.
    other, fresh = Shelf(tmp_path / "other", alone=True), Atlas()
    assert other.take(fresh, file)[1].winner is BLACK
    assert other.atlas().seconds[second.move].winner is BLACK
    write_solution(tmp_path / "b.tpf", solve(Position.parse("B: J10 K10 L10 M10 W: A1 A2 to move: B")))
    with pytest.raises(AtlasError, match="no proof about an opening"):
        other.take(fresh, tmp_path / "b.tpf")


class Liar(Pool):
    """Workers whose proofs are about the right position, and prove nothing."""

    def next_event(self, timeout: float | None = None) -> Event | None:
        event = super().next_event(timeout)
        if event is None or event.result is None or event.result.get("proof") is None:
            return event
        told = dict(event.result)
        text = gzip.decompress(base64.b64decode(str(told["proof"]))).decode()
        told["proof"] = base64.b64encode(shortened(text)).decode()
        return replace(event, result=told)


def shortened(proof: str) -> bytes:
    """A proof without its last answer, with the right number of lines and the right digest."""
    lines = proof.splitlines()[:-2]
    content = "".join(f"{line}\n" for line in lines)
    return f"{content}end {len(lines) - 8} {hashlib.sha256(content.encode()).hexdigest()}\n".encode()


def test_a_proof_that_is_refused_makes_no_verdict(tmp_path: Path) -> None:
    shelf, atlas = Shelf(tmp_path, alone=True), Atlas()
    second, third = atlas.opening(Position.parse(EASY))
    second.looks, third.value = LOOKS, 0.9
    shelf.keep(atlas)
    with Liar(1) as pool:
        campaign = Campaign(shelf, pool, [second.move])
        campaign.run(tell=stopping(campaign, lambda: campaign.tally.jobs > 0))
    assert "is not answered" in campaign.tally.news[-1]
    assert list(shelf.atlas().proved()) == []
    assert list((tmp_path / "proofs").iterdir()) == []  # nor does it stand where a good one may be


def test_proofs_that_are_refused_are_not_taken_in(tmp_path: Path, run: Run) -> None:
    proof = min((files("tengen.opening") / "data" / "proofs").iterdir(), key=lambda file: len(file.read_bytes()))
    wrong = tmp_path / "wrong.tpf"
    for content in (shortened(gzip.decompress(proof.read_bytes()).decode()), proof.read_bytes()[:-9], b"no proof"):
        wrong.write_bytes(content)
        code, _, err = run("opening", "take", str(wrong), "--folder", str(tmp_path / "shelf"))
        assert (code, str(wrong) in err) == (3, True)
    assert not (tmp_path / "shelf" / "atlas.jsonl").exists()
    assert list((tmp_path / "shelf" / "proofs").iterdir()) == []
    code, out, err = run("opening", "take", str(wrong), str(proof), "none.tpf", "--folder", str(tmp_path / "shelf"))
    assert (code, str(wrong) in err, "none.tpf: No such file" in err) == (4, True, True)
    assert out.count(" wins") == 1  # the good one between them
    assert len(list((tmp_path / "shelf" / "proofs").iterdir())) == 1
    lines = run("opening", "take", str(wrong), str(proof), "--folder", str(tmp_path / "shelf"), "--json")[1]
    assert ["error" in json.loads(line) for line in lines.splitlines()] == [True, False]


def test_what_is_taken_in_is_what_was_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their file may change meanwhile."""
    good = min((files("tengen.opening") / "data" / "proofs").iterdir(), key=lambda file: len(file.read_bytes()))
    theirs = tmp_path / "theirs.tpf"
    theirs.write_bytes(good.read_bytes())

    def changing(path: Path) -> Verdict:
        theirs.write_bytes(b"something else")
        verdict = check(path)
        theirs.write_bytes(b"something else again")
        return verdict

    monkeypatch.setattr("tengen.opening.shelf.check", changing)
    shelf, atlas = Shelf(tmp_path / "shelf", alone=True), Atlas()
    _, third = shelf.take(atlas, theirs)
    assert third.proof is not None
    kept = shelf.proof_file(third.proof)
    assert kept is not None
    assert kept.read_bytes() == good.read_bytes()
    assert hashlib.sha256(good.read_bytes()).hexdigest() == third.proof.sha256


def test_an_opening_is_proved_from_nothing(tmp_path: Path, run: Run) -> None:
    """As those do who find only the checksum in the atlas, since the proof is too large to come along."""
    proof = tmp_path / "a.tpf"
    code, out, _ = run("opening", "prove", EASY, "--proof", str(proof), "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["winner"] == "black"
    second, third = Atlas.shipped().opening(Position.parse(EASY))
    assert third.proof is not None
    assert hashlib.sha256(proof.read_bytes()).hexdigest() == answer["proof"]["sha256"]
    code, out, _ = run("opening", "proved", "--json")
    assert code == 0
    lines = [json.loads(line) for line in out.splitlines()]
    assert next(line for line in lines if line["opening"] == f"J10 {second.move} {third.move}")["winner"] == "black"
    assert run("opening", "proved")[0] == 0


@posix_only
def test_a_campaign_that_is_killed_goes_on(tmp_path: Path) -> None:
    small_shelf(tmp_path)
    command = [sys.executable, "-m", "tengen", "opening", "campaign", "--folder", str(tmp_path), "--grid", "local:1"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        while sum(second.looks for second in Shelf(tmp_path).atlas().seconds.values()) < 2:
            assert process.poll() is None
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    kept = Shelf(tmp_path).atlas().seconds.values()  # more than two looks, if this machine is slow
    before, seen = sum(second.looks for second in kept), sum(second.looks > 0 for second in kept)
    process = subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        while sum(second.looks for second in Shelf(tmp_path).atlas().seconds.values()) <= before:
            assert process.poll() is None
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    assert process.returncode == 130
    answer = json.loads(out)
    assert answer["interrupted"]
    assert answer["seconds"] == 6
    assert answer["looked"] >= seen


def test_what_others_find_meanwhile_is_not_lost(tmp_path: Path) -> None:
    """A campaign is at work while another one looks at a second move, and somebody takes a proof in."""
    proofs = Path(str(files("tengen.opening") / "data" / "proofs"))
    taken = min(proofs.iterdir(), key=lambda file: file.stat().st_size)
    shelf = Shelf(tmp_path, alone=True)
    mine, other = Atlas(), Atlas()
    first, second, *_ = mine.seconds
    with shelf.changing(mine):
        pass
    with shelf.changing(other):
        other.seconds[first].looks = 1
    _, third = shelf.take(other, taken)
    with shelf.changing(mine):
        mine.seconds[second].looks = 1
    kept = shelf.atlas()
    assert [kept.seconds[move].looks for move in (first, second)] == [1, 1]
    assert [found.proof for _, found in kept.proved()] == [third.proof]


def test_what_another_campaign_has_done_is_not_done_twice(tmp_path: Path) -> None:
    """Its look at the same second move came first: this one's counts no more."""
    shelf = small_shelf(tmp_path, looks=1)
    with Pool(1) as pool:
        campaign = Campaign(shelf, pool, [next(iter(Atlas(1).seconds))])
        atlas = shelf.atlas()

        def be_faster() -> None:
            if campaign.running and atlas.seconds[campaign.running[0].second.move].looks == 1:
                with shelf.changing(atlas):
                    atlas.seconds[campaign.running[0].second.move].looks = LOOKS
            if campaign.tally.jobs:
                campaign.stop()

        campaign.run(poll=0.01, tell=be_faster)
    assert next(iter(shelf.atlas().seconds.values())).looks == LOOKS
    assert not campaign.tally.news


def test_a_campaign_tries_its_folder_before_it_works(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(tmp_path / "atlas.jsonl"))

    monkeypatch.setattr(Atlas, "write", full)
    monkeypatch.setattr(Campaign, "run", lambda *_, **__: pytest.fail("it has begun to work"))
    code, _, err = run("opening", "campaign", "--folder", str(tmp_path), "--grid", "local:1", "--seconds", "1")
    assert (code, "atlas.jsonl: Read-only file system" in err) == (4, True)


# What people see


def test_show_and_export(tmp_path: Path, run: Run) -> None:
    shelf = Shelf(tmp_path / "shelf")
    shelf.keep(filled())
    games = OpeningBook(CONNECT6)
    game = Record.from_position(Position.parse("J10 I11K11 J8J9 A1A2"))
    game.root.set("RE", "B+")
    assert games.add(game)
    games.write(tmp_path / "a.book")
    at = ("--folder", str(shelf.folder))
    code, out, _ = run("opening", "show", *at, "--json", "--book", str(tmp_path / "a.book"))
    assert code == 0
    answer = json.loads(out)
    assert answer["atlas"]["solved"] == 1
    assert len(answer["moves"]) == 6
    played = next(move for move in answer["moves"] if move["move"] == "K11I11")
    assert (played["winner"], played["games"]["losses"]) == ("black", 1)
    code, _, err = run("opening", "show", *at, "--book", "mine")
    assert (code, "you have no book yet" in err, str(shelf.book_file) in err) == (4, True, True)
    games.write(shelf.book_file)
    assert json.loads(run("opening", "show", *at, "--json", "--book", "mine")[1]) == answer
    code, out, _ = run("opening", "show", *at, "J10 I9I11", "--book", str(tmp_path / "a.book"))
    assert code == 0
    assert "black wins" in out
    assert "1 reply left" in out
    code, out, _ = run("opening", "show", *at, "J10 I9I11", "--json", "--book", str(tmp_path / "a.book"))
    moves = {move["move"]: move for move in json.loads(out)["moves"]}
    assert moves["K10L10"]["games"]["wins"] == 1  # the game, mirrored
    assert moves["K10L10"]["winner"] == "black"
    code, out, _ = run("opening", "show", *at, "J10 K11I11 J9J8")
    assert code == 0
    assert "SHA-256 00" in out
    assert run("opening", "show", *at, "J10 A1A2 B1B2")[0] == 1
    sgf = tmp_path / "atlas.sgf"
    code, _, err = run("opening", "export", *at, "--sgf", str(sgf))
    assert code == 0
    assert "3 openings" in err
    (record,) = read_file(sgf)
    second = record.root.children[0].children[0]
    assert second.comment == "Black wins: proved."
    assert [str(node.move) for node in second.children] == ["J9J8", "J12J11", "A2A1"]
    code, out, err = run("opening", "export", *at, "--sgf", "-")
    assert (code, out.encode(), err) == (0, sgf.read_bytes(), "")
    assert run("opening", "export", *at, "--sgf", "-", "--json")[0] == 3
    code, out, _ = run("opening", "export", *at, "--sgf", str(sgf), "--proved", "--json")
    assert json.loads(out)["openings"] == 2


def test_bad_questions_are_refused(tmp_path: Path, run: Run) -> None:
    proof = ("--proof", str(tmp_path / "a.tpf"))
    assert run("opening", "prove", "J10 K11I11", *proof)[0] == 3
    assert run("opening", "prove", "J10 A1A2 B1B2", *proof)[0] == 3
    assert run("opening", "campaign", "--only", "A1A2", "--seconds", "1")[0] == 3
    (tmp_path / "atlas.jsonl").write_text("{}\n")
    assert run("opening", "show", "--folder", str(tmp_path))[0] == 3


def test_the_atlas_of_the_program_is_read_once_and_given_to_each_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Atlas.shipped()
    monkeypatch.setattr(Atlas, "_parsed", None)
    again = Atlas.shipped()
    expected = {move: second.as_json() for move, second in again.seconds.items()}
    for second in first.seconds.values():
        second.looks += 1
        for third in second.thirds:
            third.winner, third.proof = WHITE, None
            if third.left is not None:
                third.left.clear()
        second.thirds.append(Third(Move("A1A2")))
    assert {move: second.as_json() for move, second in again.seconds.items()} == expected
    assert {move: second.as_json() for move, second in Atlas.shipped().seconds.items()} == expected
