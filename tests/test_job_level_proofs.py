"""What is believed, what is kept, and the proof of the whole."""

import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from job_level_tools import PLAIN, plain, proof_number_search, recording, searched

from tengen import BLACK, WHITE, Move, Position, TengenError, settle
from tengen.grid import Event, Json, Task
from tengen.prove import check, check_rest, defend, write_rest, write_win
from tengen.search import (
    Client,
    Finding,
    Journal,
    JournalError,
    Judge,
    LieError,
    Recipe,
    Recording,
    Simulator,
    Tree,
    Trust,
    write_whole,
)
from tengen.search import jobs as handlers
from tengen.search.finding import FindingError
from tengen.search.frame import framed
from tengen.search.journal import about, read_entries
from tengen.search.speedup import distances
from tengen.search.trust import why_not

HANDLERS = {"engine": handlers.engine, "verifier": handlers.verifier, "settle": handlers.settlement}
SMALL = ("Connect(4,3,3,1,1) B1 D3 C1", "Connect(3,3,3,2,1)", "Connect(4,3,3,1,1) A1 B2 D1")


Keep = Callable[..., Journal]


@pytest.fixture
def keep(tmp_path: Path) -> Iterator[Keep]:
    """Makes journals, and closes them in the end."""
    made: list[Journal] = []

    def journal(text: str = "", *, resume: bool = False) -> Journal:
        made.append(Journal(tmp_path / "journal", {"root": text}, resume=resume))
        return made[-1]

    yield journal
    for one in made:
        one.close()


def task() -> Task:
    return Task(lambda _: None)


# A loss with prohibited moves


def test_a_loss_that_leaves_moves_out_is_judged_but_for_these(tmp_path: Path) -> None:
    position = Position.parse("Connect(9,9,5,2,1) E5 E6D4 E7F6")
    defence = defend(position, reply_nodes=60, order=1)
    assert defence.result == "open"
    still_open = [move.move for move in defence.moves]
    file = tmp_path / "rest.tpf"
    write_rest(file, position, BLACK, defence.replies, still_open)
    assert check_rest(file, still_open) is None
    assert "left open" in (check_rest(file, still_open[1:]) or "")
    assert check(file).reason is not None  # it is no proof of a win
    with pytest.raises(TengenError):
        write_rest(file, position, BLACK, defence.replies, still_open[1:])
    with pytest.raises(TengenError):
        write_rest(file, position, BLACK, defence.replies[1:], still_open)


def test_a_sure_loss_has_its_proof_on_the_infinite_board_too(tmp_path: Path) -> None:
    position = Position.parse("Connect(5,2,1) J10 A1A2 J11J12")
    spared = Move.parse("J9J13")
    defence = defend(position, prohibited=[spared], reply_nodes=5000)
    assert defence.result == "loss"
    defence.write_proof(tmp_path / "rest.tpf")
    assert check_rest(tmp_path / "rest.tpf", [spared]) is None
    far = Move.parse("J9J300")
    assert check_rest(tmp_path / "rest.tpf", [far]) != ""


# The proof of the whole


@pytest.mark.parametrize("text", SMALL)
def test_the_whole_is_proved_by_searching_alone(text: str, tmp_path: Path, keep: Keep) -> None:
    root, journal = Position.parse(text), keep(text)
    client, _ = searched(root, journal=journal)
    write_whole(tmp_path / "whole.tpf", client.search.tree, journal)
    verdict = check(tmp_path / "whole.tpf")
    assert verdict.accepted, verdict.reason
    assert f"{settle(root).winner} wins" in verdict.claim


@pytest.mark.parametrize(
    ("text", "recipe"),
    [
        ("Connect(7,7,4,1,1) D4 C3 D5", Recipe("engine", {"nodes": 30, "verifier_nodes": 60, "solver_nodes": 40})),
        ("Connect(7,7,4,1,1) D4 C3 D5", Recipe("verifier", {"nodes": 3000, "reply_nodes": 20, "order": 1})),
        ("Connect(4,4,3,1,1)", Recipe("settle", {"nodes": 40})),
        ("Connect(5,2,1) J10 A1A2 K11K12", Recipe("engine", {"nodes": 20, "verifier_nodes": 3000, "max_open": 0})),
    ],
)
def test_the_whole_is_proved_from_the_proofs_of_jobs(text: str, recipe: Recipe, tmp_path: Path, keep: Keep) -> None:
    root, journal = Position.parse(text), keep(text)
    system = Simulator(Recording(handlers=HANDLERS.__getitem__), 4)
    client = Client(proof_number_search(root), system, recipe, journal=journal, judge=Judge())
    client.run()
    assert client.counts.decided > 0
    assert client.counts.lies == {}
    winner = client.search.tree.winner(0)
    assert winner is (WHITE if root.game.is_infinite else BLACK)  # on the infinite board White is the first to attack
    write_whole(tmp_path / "whole.tpf", client.search.tree, journal)
    verdict = check(tmp_path / "whole.tpf")
    assert verdict.accepted
    assert f"{winner} wins" in verdict.claim


def test_nothing_is_written_without_a_winner(tmp_path: Path, keep: Keep) -> None:
    journal = keep()
    client, _ = searched(Position.parse("Connect(3,3,3,1,1) B2 A1"), journal=journal)
    with pytest.raises(TengenError, match="nobody"):
        write_whole(tmp_path / "whole.tpf", client.search.tree, journal)


# Trust


class Corrupt(Simulator):
    """Virtual workers of whom the first one lies."""

    def __init__(self, lie: Callable[[Json], Json], workers: int) -> None:
        super().__init__(recording(), workers)
        self.lie = lie
        self.asked: dict[str | None, Json] = {}

    def submit(self, kind: str, arguments: Json, *, worker: str | None = None) -> str:
        job = super().submit(kind, arguments, worker=worker)
        self.asked[job] = arguments
        return job

    def next_event(self, timeout: float | None = None) -> Event | None:
        event = super().next_event(timeout)
        if event is None or event.worker != "virtual-1":
            return event
        return replace(event, result=self.lie(self.asked[event.job]))


def forged(other_proof: bytes, arguments: Json) -> Json:
    """Claims of wins: with the proof of another position, without one, with a damaged one; and moves that are none."""
    position = Position.parse(arguments["position"])
    stones = position.stones(BLACK)
    head = f"tengen-proof 1\ngame {position.game}\nposition B: W:\n".encode()
    lies: list[Json] = [
        Finding("win", proof=other_proof).as_json(),
        Finding("loss", proof=other_proof).as_json(),
        Finding("draw", proof=head).as_json(),
        Finding("win", proof=b"tengen-proof 1\n").as_json(),
        {"outcome": "win", "nodes": 1},
        {"outcome": "checkmate"},
        Finding("move", Move(stones[:1] or "Z26"), "Bw").as_json(),
    ]
    return random.Random(str(position)).choice(lies)


@pytest.mark.parametrize("text", SMALL)
def test_forged_wins_do_not_get_into_the_tree(text: str, tmp_path: Path, keep: Keep) -> None:
    root = Position.parse(text)
    settle(Position.parse("Connect(3,3,3,2,1) B2 A1A2")).write_proof(tmp_path / "other.tpf")
    system = Corrupt(partial(forged, (tmp_path / "other.tpf").read_bytes()), 3)
    journal = keep(text)
    client = Client(proof_number_search(root), system, PLAIN, journal=journal, judge=Judge())
    client.run()
    assert list(client.counts.lies) == ["virtual-1"]
    tree = client.search.tree
    for node in range(len(tree)):
        position = tree.position(node)
        if not position.is_over and tree.winner(node) is not None:
            assert tree.winner(node) is settle(position).winner
    write_whole(tmp_path / "whole.tpf", tree, journal)
    assert check(tmp_path / "whole.tpf").accepted


def test_without_honest_workers_the_search_says_so(keep: Keep) -> None:
    system = Corrupt(partial(forged, b"no proof"), 1)
    client = Client(proof_number_search(Position.parse(SMALL[0])), system, PLAIN, journal=keep(), judge=Judge())
    with pytest.raises(TengenError, match="virtual-1"):
        client.run()


def test_who_is_trusted_is_found_out_when_the_whole_is_written(tmp_path: Path, keep: Keep) -> None:
    """A sample lets a lie pass; then the liar's results are withdrawn, and the search goes on without him."""
    root = framed(Position.parse(SMALL[0]))
    truth = settle(root).winner
    lie = tmp_path / "lie.tpf"
    first, second = (str(square) for square in list(root.empty_squares())[:2])
    write_win(lie, root, root.turn, ([first], [([second], 0, None)]))  # it looks like a proof

    def says(arguments: Json) -> Json:
        if arguments["position"] == str(root):
            return Finding("win", proof=lie.read_bytes()).as_json()
        return plain(arguments, task())

    journal, system = keep(), Corrupt(says, 2)
    judge = Judge(Trust(share=0.0, earned_after=0))
    client = Client(proof_number_search(root), system, PLAIN, journal=journal, judge=judge)
    client.run()
    assert client.search.tree.winner(0) is root.turn  # believed, for now
    with pytest.raises(LieError, match="virtual-1") as found:
        write_whole(tmp_path / "whole.tpf", client.search.tree, journal)
    client.withdraw(found.value.worker, found.value.reason)
    client.run()
    assert client.search.tree.winner(0) is truth
    write_whole(tmp_path / "whole.tpf", client.search.tree, journal)
    assert check(tmp_path / "whole.tpf").accepted


def test_findings_are_validated() -> None:
    good = Finding("move", Move.parse("J10K10"), "B2", 0.75, nodes=3)
    assert Finding.from_json(good.as_json()) == good
    lost = Finding("loss", None, "B4", None, (Move.parse("A1"),), b"proof", 5)
    assert Finding.from_json(lost.as_json()) == lost
    for bad in (
        {},
        {"outcome": "win"},
        {"outcome": "win", "proof": "?"},
        {"outcome": "win", "proof": 7},
        {"outcome": "move", "move": "J10"},
        {"outcome": "move", "move": "J10", "status": "B9"},
        {"outcome": "move", "move": "Ж", "status": "B1"},
        {"outcome": "move", "move": 3, "status": "B1"},
        {"outcome": "move", "move": "J10", "status": "B1", "chance": 2},
        {"outcome": "nothing", "nodes": -1},
        {"outcome": "loss", "proof": "AAAA", "more": ["A1"]},
        {"outcome": "win", "proof": "AAAA", "more": ["A1"], "status": "B1"},
        {"outcome": "loss", "proof": "AAAA", "more": "A1", "status": "B1"},
    ):
        with pytest.raises(FindingError):
            Finding.from_json(bad)


def test_moves_are_checked_as_well() -> None:
    position = Position.parse("Connect(3,3,3,1,1) A1")
    assert why_not(position, [], Finding("move", Move.parse("B2"), "B1")) is None
    for move in ("A1", "D4", "B2C2", "C1"):
        assert why_not(position, [Move.parse("C1")], Finding("move", Move.parse(move), "B1")) is not None


# The journal


def test_a_journal_makes_the_same_tree_again(tmp_path: Path, keep: Keep) -> None:
    root = Position.parse(SMALL[2])
    system = Simulator(recording(), 4)
    journal = keep(SMALL[2])
    client = Client(proof_number_search(root), system, PLAIN, journal=journal, judge=Judge())
    client.run(seconds=30)  # on the virtual clock
    assert not client.search.is_over
    client.hint("prune " + str(client.search.tree.position(3)))
    client.abort_all()
    journal.close()
    with (tmp_path / "journal").open("ab") as file:
        file.write(b'{"kind":"plain","arg')  # the end of a client that was killed
    again = keep(SMALL[2], resume=True)
    resumed = Client(proof_number_search(root), system, PLAIN, journal=again, judge=Judge())
    assert resumed.counts.replayed == client.counts.done
    old, new = client.search.tree, resumed.search.tree
    assert len(old) == len(new)
    for node in range(len(old)):
        same = new.find(old.position(node))
        assert same is not None
        assert new.value(same) == old.value(node)
    assert resumed.search.pruned
    resumed.hint("unprune " + str(client.search.tree.position(3)))
    resumed.run()
    assert resumed.search.tree.winner(0) is settle(root).winner
    assert about(tmp_path / "journal") == {"root": SMALL[2]}


def test_a_journal_of_another_search_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", {"root": "a"}) as journal:
        pass
    with Journal(tmp_path / "journal", {"root": "a"}) as journal:  # nothing was found yet, so nothing is lost
        journal.append({"kind": "plain"})
    with pytest.raises(JournalError, match="there already"):
        Journal(tmp_path / "journal", {"root": "a"})
    with pytest.raises(JournalError, match="root"):
        Journal(tmp_path / "journal", {"root": "b"}, resume=True)


def test_equal_positions_share_a_journal_however_they_came_about() -> None:
    played = Position.parse("J10 J9K11 K9I11")
    with Journal.of_proof(played, BLACK) as journal:
        journal.append({"hint": "kept"})
    setup = Position.setup(played.game, played.stones(BLACK), played.stones(WHITE), played.turn, played.stones_left)
    for same in (Position.parse("K9 K11J9 I11J10"), setup):
        assert str(same) != str(played)
        with Journal.of_proof(same, BLACK, resume=True) as again:
            assert again.path == journal.path
            assert again.last("hint") == "kept"
    with pytest.raises(JournalError, match="with another root"):
        Journal.of_proof(Position.parse("J10 J9K11 K9I12"), BLACK, journal.path, resume=True)


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such locks")
def test_a_journal_is_written_by_one_search_at_a_time(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", {"root": "J10"}) as journal:
        with pytest.raises(JournalError, match="another search is writing it"):
            Journal(tmp_path / "journal", {"root": "J10"}, resume=True)
        journal.append({"hint": "unharmed"})
        assert [entry["hint"] for entry in read_entries(tmp_path / "journal")] == ["unharmed"]  # who looks on may
    Journal(tmp_path / "journal", {"root": "J10"}, resume=True).close()


@pytest.mark.parametrize("content", [b"J10\n", b"J10", b"J10\nK11", b'[1, 2]\n{"a":', b"\x89PNG\r\n\x1a\n\0\0"])
def test_a_file_that_is_no_journal_is_refused_and_left_as_it_was(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(JournalError):
        Journal(tmp_path / "other", {}, resume=True)
    assert (tmp_path / "other").read_bytes() == content


@pytest.mark.parametrize("size", [0, 1, 20])
def test_a_journal_whose_first_line_was_cut_short_begins_anew(tmp_path: Path, size: int) -> None:
    path = tmp_path / "journal"
    Journal(path, {"root": "J10"}).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:size])
    Journal(path, {"root": "J10"}, resume=True).close()
    assert path.read_bytes() == whole


class Durable(Simulator):
    """Tells what is on its way, as systems do from which one can go on."""

    def checkpoint(self) -> Json:
        return {"jobs": sorted(id for id, job in self._jobs.items() if not job.is_over)}


def test_a_checkpoint_is_kept_when_something_has_changed(keep: Keep) -> None:
    journal = keep(SMALL[0])
    client = Client(proof_number_search(Position.parse(SMALL[0])), Durable(recording(), 2), PLAIN, journal=journal)
    client.run(poll=0.1)  # on the virtual clock, on which a job takes seconds
    kept = [entry["checkpoint"] for entry in journal.named("checkpoint")]
    assert len(kept) > 2
    assert all(one != other for one, other in pairwise(kept))
    assert journal.last("checkpoint") == kept[-1]
    assert journal.last("nothing") is None


def test_a_journal_is_read_once_to_go_on_with_it(keep: Keep, monkeypatch: pytest.MonkeyPatch) -> None:
    root, journal = Position.parse(SMALL[0]), keep(SMALL[0])
    client = Client(proof_number_search(root), Durable(recording(), 2), PLAIN, journal=journal)
    client.run()
    journal.append({"liar": "nobody", "why": "there is none of that name"})
    entries = len(list(journal.entries()))
    journal.close()
    read: list[bytes] = []

    def reading(line: bytes) -> Any:
        read.append(line)
        return json.JSONDecoder().decode(line.decode())

    monkeypatch.setattr("tengen.search.journal.json.loads", reading)
    again = keep(SMALL[0], resume=True)
    again.last("checkpoint")
    resumed = Client(proof_number_search(root), Durable(recording(), 2), PLAIN, journal=again)
    assert resumed.counts.replayed == client.counts.done
    assert "nobody" in resumed.counts.lies
    results = [line for line in read if b'"result"' in line]
    assert len(results) == len(set(results)) == client.counts.done
    assert len(read) <= entries + 6  # the first line whenever it is opened, the checkpoint, the liar


def test_what_was_recorded_is_not_run_again(tmp_path: Path, keep: Keep) -> None:
    root = Position.parse(SMALL[0])
    record = Recording(keep(), handlers=lambda _: plain)
    client = Client(proof_number_search(root), Simulator(record, 2), PLAIN)
    client.run()
    assert record.added > 0
    again = Recording(handlers=lambda _: None)  # type: ignore[arg-type,return-value]
    again.read_file(tmp_path / "journal")
    assert len(again) == record.added
    twin = Client(proof_number_search(root), Simulator(again, 2), PLAIN)
    twin.run()
    assert twin.counts.done == client.counts.done


# The jobs


def test_a_lambda_job_proves_a_win_or_finds_nothing(tmp_path: Path) -> None:
    won = Position.parse("Connect(9,9,5,2,1) E5 A1A2")
    finding = Finding.from_json(handlers.lambda_proof({"position": str(won), "order": 1}, task()))
    assert finding.outcome == "win"
    assert why_not(won, [], finding) is None
    other = Position.parse("Connect(9,9,5,2,1) E5")
    assert why_not(other, [], finding) == "its proof is about something else"
    assert handlers.lambda_proof({"position": str(other), "order": 1}, task())["outcome"] == "nothing"


def test_a_loss_tells_its_more_moves_unless_only_sure_losses_count() -> None:
    position = Position.parse("Connect(9,9,5,2,1) E5 E6D4 E7F6")
    question = {"position": str(position), "prohibited": [], "order": 1, "reply_nodes": 60}
    few = Finding.from_json(handlers.verifier(question, task()))
    assert few.outcome == "loss"
    assert 0 < len(few.more_moves) <= handlers.MAX_OPEN
    assert why_not(position, [], few) is None
    fewer = replace(few, more_moves=few.more_moves[1:])
    assert why_not(position, [], fewer) is not None
    one = Finding.from_json(handlers.verifier({**question, "max_open": 0, "batch": 1}, task()))
    assert (one.outcome, one.move, one.more_moves) == ("move", few.more_moves[0], ())
    three = Finding.from_json(handlers.verifier({**question, "max_open": 0, "batch": 3}, task()))
    assert three.moves == few.moves[:3]
    rest = {**question, "max_open": 0, "prohibited": [str(move) for move in few.more_moves]}
    sure = Finding.from_json(handlers.verifier(rest, task()))
    assert (sure.outcome, sure.more_moves) == ("loss", ())
    assert why_not(position, list(few.more_moves), sure) is None


def test_a_node_that_needs_many_moves_gets_more_of_them_at_once() -> None:
    position = Position.parse("J10 I11K11 J12K9 H9L9")
    small = {"position": str(position), "nodes": 20, "level": 3, "verifier_nodes": 50, "solver_nodes": 50}
    told: list[Move] = []
    for round_number in range(4):
        question = {**small, "prohibited": [str(move) for move in told]}
        finding = Finding.from_json(handlers.engine(question, task()))
        assert why_not(position, told, finding) is None
        assert 1 <= len(finding.moves) <= handlers.LINES + len(told), round_number
        single = Finding.from_json(handlers.engine({**question, **handlers.AS_IN_THESIS}, task()))
        assert (single.move, single.more_moves) == (finding.move, ())
        told += finding.moves
    assert len(told) > 4


def test_the_verifier_is_asked_about_a_node_that_the_engine_is_not_afraid_for() -> None:
    position = Position.parse("Connect(9,9,5,2,1) E5 E6D4 E7F6")
    verified = Finding.from_json(handlers.verifier({"position": str(position), "reply_nodes": 60}, task()))
    assert verified.outcome == "loss"
    tried = list(verified.more_moves[:3])
    small = {"position": str(position), "prohibited": [str(move) for move in tried], "nodes": 5, "reply_nodes": 60}
    bold = {**small, "fear": 0, "hope": 1}
    closed = Finding.from_json(handlers.engine(bold, task()))
    assert (closed.outcome, why_not(position, tried, closed)) == ("loss", None)
    with pytest.raises(TengenError, match="from 0 to 1"):
        handlers.engine({**small, "fear": 2}, task())


def test_the_plain_solver_settles_draws_with_a_proof() -> None:
    position = Position.parse("Connect(3,3,3,1,1) B2")
    finding = Finding.from_json(handlers.settlement({"position": str(position)}, task()))
    assert finding.outcome == "draw"
    assert why_not(position, [], finding) is None
    assert handlers.settlement({"position": str(position), "nodes": 1}, task())["outcome"] == "nothing"


@pytest.mark.parametrize(
    "arguments",
    [{}, {"position": 5}, {"position": "J10", "prohibited": ["J10K10"]}, {"position": "J10", "nodes": 0}],
)
def test_jobs_refuse_what_makes_no_sense(arguments: Json) -> None:
    with pytest.raises(TengenError):
        handlers.engine(arguments, task())


def test_distances_of_statuses() -> None:
    root = Position.parse("Connect(5,5,4,1,1) A1")
    tree = Tree(root, BLACK)
    position = tree.position(0)
    moves = list(position.legal_moves())
    children = [tree.add(0, position, moves[i], status) for i, status in ((0, "B2"), (7, "W1"), (9, "unstable1"))]
    assert children[0] is not None
    below = tree.position(children[0])
    tree.add(children[0], below, next(iter(below.legal_moves())), "stable")
    siblings, eldest = distances(tree)
    assert siblings == {3: 1}
    assert eldest == {2: 1}
