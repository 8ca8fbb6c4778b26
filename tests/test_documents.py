"""Documents: every edit is legal, is undone exactly, and survives the end of the program."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import pytest

from tengen import BLACK, CONNECT6, Game, Move, Square, TengenError
from tengen.record import Node, Record, Store, read_text, write_sgf
from tengen.record.tree import MARKS, advance
from tengen.web import desk as desk_room
from tengen.web import position_keys as position_keys_room
from tengen.web.changes import NumberedTree
from tengen.web.desk import Desk
from tengen.web.document import MAX_LABEL, Document, OutdatedError, Told
from tengen.web.position_keys import PositionKeys


def new_document(game: Game = CONNECT6) -> Document:
    return Document("d", "a game", NumberedTree(Record(game)))


def sgf(document: Document) -> str:
    return write_sgf(document.record)


def moves(*texts: str) -> list[Move]:
    return [Move(text) for text in texts]


def random_edit(document: Document, rng: random.Random) -> Told:
    """Something that a user might do, anywhere."""
    node = rng.choice([flat.id for flat in document.tree.flat(document.record.root)])
    square = Square(rng.randrange(19), rng.randrange(19))
    kind = rng.choice(
        ["play", "play", "play", "comment", "mark", "label", "remove", "promote", "graft", "undo", "redo"]
    )
    if kind == "play":
        position = document.position(node)
        empty = rng.sample(list(position.empty_squares()), position.stones_left)
        return document.play(node, [Move(empty)])
    if kind == "comment":
        return document.comment(node, rng.choice(["", "good", "bad"]))
    if kind == "mark":
        return document.mark(node, rng.choice(list(MARKS)), square)
    if kind == "label":
        return document.label(node, square, rng.choice(["", "A", "1"]))
    if kind == "promote":
        return document.promote(node, to_main=rng.random() < 0.5)
    if kind == "graft":
        other = rng.choice(list(document.record.root.walk()))
        branch = next(read_text(write_sgf(document.record))).root.children
        return document.graft(document.tree.root, branch) if branch else document.promote(document.tree.number(other))
    if kind == "remove" and node != document.tree.root:
        return document.remove(node)
    return document.redo() if kind == "redo" else document.undo()


@pytest.mark.parametrize("seed", range(10))
def test_all_can_be_undone_and_made_again(seed: int) -> None:
    rng = random.Random(seed)
    document = new_document()
    empty = sgf(document)
    for _ in range(60):
        random_edit(document, rng)
    while document.undone:
        document.redo()
    last, steps = sgf(document), len(document.done)
    for _ in range(steps):
        document.undo()
    assert sgf(document) == empty
    for _ in range(steps):
        document.redo()
    assert sgf(document) == last


@pytest.mark.parametrize("seed", range(5))
def test_a_window_that_hears_the_changes_has_the_same_tree(seed: int) -> None:
    rng = random.Random(seed)
    document, twin = new_document(), NumberedTree(Record(CONNECT6))
    document.listeners.append(lambda told: [twin.apply(change.model_copy(deep=True)) for change in told.changes])
    for _ in range(80):
        random_edit(document, rng)
        assert twin.flat(twin.record.root) == document.tree.flat(document.record.root)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("start", ["(;GM[511])", "(;GM[511]AB[j10][k11]AW[a1][a2];B[c3c4];W[c5c6])"])
def test_keys_of_positions_are_kept_through_edits(seed: int, start: str) -> None:
    """Where a set-up does not say whose turn it is, the moves after it do, and edits of them change its key."""
    rng = random.Random(seed)
    document = Document("d", "a game", NumberedTree(next(read_text(start))))
    for _ in range(60):
        with suppress(TengenError):
            random_edit(document, rng)
        if rng.random() < 0.2:
            document.set_up(document.tree.root, [Square(0, 0)], [Square(18, rng.randrange(19))])
        if rng.random() < 0.5:
            assert dict(document.keys) == dict(PositionKeys(document.tree))
    assert dict(document.keys)


def test_an_edit_costs_the_keys_of_what_it_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    document = new_document()
    line = [Move("J10"), *(Move([Square(x, y), Square(x, y + 1)]) for x in range(0, 19, 2) for y in (0, 4, 12))]
    document.play(0, line)
    assert len(list(document.keys)) == len(line) + 1
    counted = Mock(side_effect=advance)
    monkeypatch.setattr(position_keys_room, "advance", counted)
    document.comment(3, "good")
    document.play(1, moves("K11I9"))
    document.mark(2, "cross", Square(0, 0))
    assert len(list(document.keys)) == len(line) + 2
    assert counted.call_count == 1


@pytest.mark.parametrize("seed", range(5))
def test_a_program_that_was_killed_finds_everything_again(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole snapshots come often here, so that both they and the operations after them are read."""
    monkeypatch.setattr(desk_room, "SNAPSHOT_EVERY", 7)
    rng = random.Random(seed)
    document = Desk(Store(tmp_path / "s")).add(Record(CONNECT6), "mine")
    for _ in range(60):
        random_edit(document, rng)
    again = Desk(Store(tmp_path / "s")).get(document.id)  # the first was never closed
    assert again.tree.flat(again.record.root) == document.tree.flat(document.record.root)
    assert (again.title, again.revision, again.done, again.undone) == (
        "mine",
        document.revision,
        document.done,
        document.undone,
    )
    document.keep = again.keep = lambda _operation: None
    told = [random_edit(one, random.Random(seed)) for one in (document, again)]
    assert told[0] == told[1]


def test_the_number_of_a_node_that_is_gone_is_not_used_again_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An analysis of the node that is gone would be shown at the new one."""
    monkeypatch.setattr(desk_room, "SNAPSHOT_EVERY", 2)
    document = Desk(Store(tmp_path / "s")).add(Record(CONNECT6), "mine")
    gone = document.play(document.tree.root, [Move("J10")]).node
    document.remove(gone)  # the second operation: the whole document is written without the node
    again = Desk(Store(tmp_path / "s")).get(document.id)
    assert again.play(again.tree.root, [Move("K10")]).node != gone


def test_a_second_program_on_the_same_desk_overwrites_nothing(tmp_path: Path) -> None:
    document = Desk(Store(tmp_path / "s")).add(Record(CONNECT6), "mine")
    other = Desk(Store(tmp_path / "s")).get(document.id)
    document.play(0, moves("J10"))
    heard: list[Told] = []
    other.listeners.append(heard.append)
    with pytest.raises(OutdatedError, match="another workbench has changed 'mine'"):
        other.play(0, moves("A1"))
    assert [(told.is_all_new, told.revision) for told in heard] == [(True, 1)]
    assert str(other.position(1)) == "J10"  # it has caught up
    other.play(1, moves("K11I9"))
    other.undo()
    with pytest.raises(OutdatedError):
        document.comment(0, "good")
    document.redo()
    for one in (document, Desk(Store(tmp_path / "s")).get(document.id)):
        assert str(one.position(2)) == "J10 K11I9"


def test_programs_that_take_turns_on_a_desk_leave_records_that_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first writes a snapshot, after which the second would add operations that lie before it."""
    monkeypatch.setattr(desk_room, "SNAPSHOT_EVERY", 5)
    desks = [Desk(Store(tmp_path / "s")) for _ in range(2)]
    first = desks[0].add(Record(CONNECT6), "mine")
    second = desks[1].get(first.id)
    for number in range(12):
        first.mark(0, "cross", Square(number, 0))
        first.comment(0, str(number))
    rng = random.Random(1)
    for number in range(40):
        one = rng.choice([first, second])
        before = one.revision
        with suppress(OutdatedError):
            one.mark(0, "triangle", Square(number % 19, number // 19))
            continue
        assert one.revision > before
    kept = Desk(Store(tmp_path / "s")).get(first.id)
    newest = max(first, second, key=lambda one: one.revision)
    assert (sgf(kept), kept.revision) == (sgf(newest), newest.revision)


def test_a_record_that_another_program_removed_is_said_to_be_gone(tmp_path: Path) -> None:
    desks = [Desk(Store(tmp_path / "s")) for _ in range(2)]
    document = desks[0].add(Record(CONNECT6), "mine")
    desks[1].remove(document.id)
    for act in (lambda: document.play(0, moves("J10")), lambda: desks[0].get(document.id)):
        with pytest.raises(TengenError, match="no such record"):
            act()


def test_documents_that_nobody_uses_are_let_go_and_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(Store(tmp_path / "s"))
    unused, used, last = (weakref.ref(desk.add(Record(CONNECT6), "mine")) for _ in range(3))
    held = used()
    assert held is not None
    name = held.id
    for document in (unused(), held):
        assert document is not None
        document.play(0, moves("J10", "K11I9"))
        document.undo()
    forgotten = document_name(unused)
    del document
    monkeypatch.setattr(desk_room, "KEPT_SECONDS", 0.0)
    desk.get(document_name(last))
    gc.collect()
    assert unused() is None
    assert desk.get(name) is held  # whoever works on it has the one that others have
    again = desk.get(forgotten)
    again.redo()
    assert str(again.position(2)) == "J10 K11I9"
    again.undo()
    assert len(again.tree) == 1


def document_name(reference: weakref.ref[Document]) -> str:
    document = reference()
    assert document is not None
    return document.id


def test_an_edit_that_cannot_be_kept_has_not_happened() -> None:
    document = new_document()
    document.play(0, moves("J10"))
    document.undo()
    before = sgf(document), list(document.done), list(document.undone), document.revision

    def full(_operation: object) -> None:
        raise OSError("the disk is full")

    document.keep = full
    heard: list[Told] = []
    document.listeners.append(heard.append)
    acts: list[Callable[[], Told]] = [
        lambda: document.play(0, moves("K10")),
        lambda: document.comment(0, "x"),
        document.redo,
    ]
    for act in acts:
        with pytest.raises(OSError, match="full"):
            act()
        assert (sgf(document), document.done, document.undone, document.revision) == before
    assert not heard


def test_moves_that_are_there_are_gone_along() -> None:
    document = new_document()
    first = document.play(0, moves("J10", "K11I9"))
    again = document.play(0, moves("J10", "I9K11"))
    assert (again.node, again.revision, list(again.changes)) == (first.node, first.revision, [])
    branch = document.play(0, moves("J10", "K10I10", "A1B2"))
    assert len(document.tree) == 5
    assert str(document.position(branch.node)) == "J10 K10I10 A1B2"


def test_illegal_moves_change_nothing() -> None:
    document = new_document()
    document.play(0, moves("J10"))
    before = sgf(document)
    for node, line in ((1, ("J10K10",)), (1, ("K10K11L10",)), (0, ("J10", "K10K11", "K10L10"))):
        with pytest.raises(TengenError):
            document.play(node, moves(*line))
        assert sgf(document) == before


def test_typing_is_one_edit() -> None:
    document = new_document()
    for text in ("g", "go", "goo", "good"):
        document.comment(0, text)
    assert document.record.root.comment == "good"
    document.undo()
    assert document.record.root.comment == ""
    document.redo()
    assert document.record.root.comment == "good"


def test_a_square_has_one_mark() -> None:
    document = new_document()
    square = Square.parse("J10")
    document.mark(0, "triangle", square)
    document.mark(0, "cross", square)
    assert document.record.root.properties == {"MA": ["J10"]}
    document.mark(0, "cross", square)
    assert document.record.root.properties == {}


def test_positions_are_set_up_at_the_beginning_or_in_a_node_of_their_own() -> None:
    document = new_document()
    squares = [Square.parse(text) for text in ("J10", "K10", "L10")]
    document.set_up(0, squares[:1], squares[1:])
    assert len(document.tree) == 1
    assert str(document.position(0).turn) == "black"
    played = document.play(0, moves("A1B1"))
    told = document.set_up(played.node, squares[:2], squares[2:], BLACK, 2)
    assert len(document.tree) == 3
    assert document.position(told.node).stone_count == 3
    assert document.position(played.node).stone_count == 5


def test_games_that_are_pasted_together_share_their_beginnings() -> None:
    document = new_document()
    document.play(0, moves("J10", "C3C4"))
    games = [
        "(;GM[511];B[j10]C[first];W[k11i9];B[l10l11])",
        "(;GM[511];B[j10]C[second];W[i9k11];B[m10m11])",
        "(;GM[511];B[a1];W[b1b2])",
        "(;GM[511];B[a1];W[b2b1](;B[d1d2])(;B[d2d1]C[third]))",
    ]
    document.graft(0, [next(read_text(text)).root.children[0] for text in games])
    root = document.record.root
    assert [str(child.move) for child in root.children] == ["J10", "A1"]
    assert root.children[0].comment == "first\n\nsecond"
    assert [str(child.move) for child in root.children[0].children] == ["C3C4", "K11I9"]
    assert [str(child.move) for child in root.children[0].children[1].children] == ["L10L11", "M10M11"]
    assert [child.comment for child in root.children[1].children[0].children] == ["third"]
    document.undo()
    assert len(document.tree) == 3


def test_files_are_merged_without_doubles() -> None:
    document = new_document()
    document.play(0, moves("J10", "K11I9", "A1A2"))
    other = next(read_text("(;GM[511]SZ[19];B[j10](;W[i9k11]C[main];B[c3c4])(;W[h8h9]))"))
    document.graft(0, other.root.children, "merge")
    assert len(document.tree) == 6
    second = document.record.root.children[0].children[0]
    assert second.comment == "main"
    assert [str(child.move) for child in second.children] == ["A1A2", "C3C4"]
    document.undo()
    assert len(document.tree) == 4


def test_a_branch_that_does_not_fit_is_refused_whole() -> None:
    document = new_document()
    document.play(0, moves("J10"))
    good, bad = Node({"W": ["K10K11"]}), Node({"W": ["L10L11"]})
    Node({"B": ["L10M10"]}, bad)
    with pytest.raises(TengenError):
        document.graft(1, [good, bad])
    assert len(document.tree) == 2


def test_what_is_too_long_or_unknown_is_refused() -> None:
    document = new_document()
    acts: list[Callable[[], Told]] = [
        lambda: document.label(0, Square.parse("J10"), "x" * (MAX_LABEL + 1)),
        lambda: document.mark(0, "skull", Square.parse("J10")),
        lambda: document.inform({"XX": "y"}),
        lambda: document.remove(0),
        lambda: document.comment(77, "x"),
    ]
    for act in acts:
        with pytest.raises(TengenError):
            act()
    assert document.revision == 0


def test_a_desk_knows_its_documents(tmp_path: Path) -> None:
    desk = Desk(Store(tmp_path / "s"))
    one, two = (desk.add(Record(CONNECT6), title) for title in ("one", "two"))
    one.play(0, moves("J10"))
    assert [entry.title for entry in desk.entries()] == ["one", "two"]
    desk.rename(two.id, "zwei")
    desk.remove(one.id)
    assert [entry.title for entry in Desk(Store(tmp_path / "s")).entries()] == ["zwei"]
    with pytest.raises(TengenError, match="no such record"):
        desk.get(one.id)
