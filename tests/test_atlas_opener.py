"""Playing by the atlas: a proved opening is won to the end, against anybody, however the board is turned."""

from __future__ import annotations

import hashlib
import random
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import pytest

from tengen import BLACK, CONNECT6, WHITE, Colour, Game, Move, Position, Symmetry, TengenError
from tengen.opening import Atlas, AtlasError, AtlasOpener, Proof, Shelf
from tengen.play import Agent, Budget, Choice, make_agent
from tengen.prove import write_solution
from tengen.solve import solve
from tengen.threat import critical_defences

PROVED = [(second.move, third.move) for second, third in Atlas.shipped().proved()]
EASY = "J10 M13G10 K9J8"


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> AtlasOpener:
    """What comes with the program."""
    return AtlasOpener(Shelf(tmp_path_factory.mktemp("none")))


class Stubborn:
    """Meets every threat that can be met, in any way that does, and places what is left at random."""

    name = "stubborn"

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def choose(self, position: Position, budget: Budget) -> Choice:
        defences = critical_defences(position, position.turn.opponent)
        stones = list(self.rng.choice(defences).stones) if defences else []
        others = [square for square in position.empty_squares(within=3) if square not in stones]
        return Choice(Move([*stones, *self.rng.sample(others, position.stones_left - len(stones))]))

    def close(self) -> None:
        pass


def played(atlas: AtlasOpener, position: Position, defender: Agent) -> Position:
    """A game in which one side has nothing but the atlas."""
    side = position.turn
    while not position.is_over:
        if position.turn is side:
            choice = atlas.choose(position)
            assert choice is not None, str(position)
            assert (choice.win, choice.status) == (1.0, f"{side.letter}w")
            position.play(choice.move)
        else:
            position.play(defender.choose(position, Budget()).move)
    return position


def turned(position: Position, number: int) -> Position:
    return position.transformed(Symmetry(number % 8))


# Games


@pytest.mark.parametrize(("second", "third"), PROVED, ids=str)
def test_every_proved_opening_is_won(atlas: AtlasOpener, second: Move, third: Move) -> None:
    """Against defenders who meet threats in any way that does, and one who does not see them."""
    rng = random.Random(f"{second}{third}")
    for number in range(6):
        start = turned(Position(CONNECT6, ["J10", second]), rng.randrange(8))
        defender = make_agent("random", number) if number == 0 else Stubborn(rng.randrange(1 << 30))
        assert played(atlas, start, defender).winner is BLACK


@pytest.mark.parametrize("second", ["K12L11", "L12H12", "L14G9", "M13G10"])
def test_a_proved_opening_is_won_against_the_engine(atlas: AtlasOpener, second: str) -> None:
    """The two largest proofs, and two others."""
    engine = make_agent("engine:nodes=400,threads=1", 1)
    assert played(atlas, Position(CONNECT6, ["J10", second]), engine).winner is BLACK


def test_the_agents_win_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_DATA", str(tmp_path))
    for text in ("engine:nodes=1,threads=1,book=atlas", "opening-book:atlas,then=simple"):
        agent, position = make_agent(text, 1), Position.parse("J10 M13G10")
        assert make_agent(agent.name).name == agent.name
        first = agent.choose(position, Budget())
        assert first.move == Move("K9J8")
        assert first.notes["book"] == "proved in M13G10-K9J8.tpf"
        defender = Stubborn(3)
        while not position.is_over:
            position.play((agent if position.turn is BLACK else defender).choose(position, Budget()).move)
        assert position.winner is BLACK
        open_one = agent.choose(Position.parse("J10 K11I11"), Budget())  # no verdict: somebody else's choice
        assert "book" not in open_one.notes
        assert open_one.win != 1.0
        agent.close()


# What is known, and what is not


@pytest.mark.parametrize("symmetry", list(Symmetry))
def test_positions_are_known_however_they_are_turned(atlas: AtlasOpener, symmetry: Symmetry) -> None:
    for moves in ("J10 M13G10", "J10 L12H12", EASY + " J9I9", "J10 L12H12 J11K10 J9I9", EASY + " A1A2"):
        straight, image = Position.parse(moves), Position.parse(moves).transformed(symmetry)
        for position in (straight, image):
            choice = atlas.choose(position)
            assert choice is not None
            position.play(choice.move)
        assert straight.canonical_key == image.canonical_key


def test_a_third_move_is_completed(atlas: AtlasOpener) -> None:
    half = atlas.choose(Position.parse("J10 M13G10 J8"))
    assert half is not None
    assert half.move == Move("K9")
    assert atlas.choose(Position.parse("J10 M13G10 A1")) is None


@pytest.mark.parametrize(
    "moves",
    [
        "",
        "J10",
        "J10 M13",  # half of White's second move
        "J10 A1A2",  # too far away for the atlas
        "J10 K11I11",  # open
        "J9 M13G10",
        EASY,  # White, who loses
        EASY + " J9I9 A1A2 J7I7",  # Black has left the proof
        "B: J10 W: M13 G10 to move: B",  # not a game from its beginning
        "Connect(15,15,6,2,1) J10 M13G10",
    ],
)
def test_where_nothing_is_known(atlas: AtlasOpener, moves: str) -> None:
    position = Position.parse(moves)
    assert position.game != atlas.game or atlas.choose(position) is None


def test_books_for_another_game() -> None:
    gomoku = Position(Game(15, 15, 5, 1, 1), "H8")
    assert make_agent("engine:nodes=50,book=atlas", 1).choose(gomoku, Budget()).move
    with pytest.raises(TengenError, match=r"the book is for Connect\(19,19,6,2,1\)"):
        make_agent("opening-book:atlas").choose(gomoku, Budget())
    with pytest.raises(TengenError, match="are for books of statistics"):
        make_agent("opening-book:atlas,rule=bound")


# Proofs that are not there, or not what they should be


def with_verdict(folder: Path, second: str, third: str, winner: Colour, content: bytes) -> tuple[Shelf, Path]:
    """A shelf with one verdict, and the file of its proof."""
    shelf, atlas = Shelf(folder, alone=True), Atlas()
    entry = atlas.seconds[Move(second)].add(Move(third))
    file = folder / "proofs" / f"{second}-{third}.tpf"
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    entry.winner, entry.proof = winner, Proof(file.name, hashlib.sha256(content).hexdigest(), 1, len(content))
    shelf.keep(atlas)
    return shelf, file


def shipped(name: str) -> bytes:
    return files("tengen.opening").joinpath("data", "proofs", name).read_bytes()


def test_a_proof_that_is_missing_or_damaged_is_not_followed(tmp_path: Path) -> None:
    whole = shipped("M13G10-K9J8.tpf")
    shelf, file = with_verdict(tmp_path, "M13G10", "K9J8", BLACK, whole)
    openings = [Position.parse(moves) for moves in ("J10 M13G10", EASY + " J9I9")]
    assert all(AtlasOpener(shelf).choose(position) for position in openings)
    middle = len(whole) // 2
    for content in (None, b"", whole[:-1], whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :], b"hello"):
        file.unlink(missing_ok=True)
        if content is not None:
            file.write_bytes(content)
        assert not any(AtlasOpener(shelf).choose(position) for position in openings)
    file.unlink()
    file.mkdir()  # cannot be read
    assert not any(AtlasOpener(shelf).choose(position) for position in openings)


def test_without_its_proof_the_engine_plays_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_DATA", str(tmp_path))
    (tmp_path / "openings" / "proofs").mkdir(parents=True)
    (tmp_path / "openings" / "proofs" / "M13G10-K9J8.tpf").write_bytes(b"hello")  # hides the one that comes along
    engine, plain = (make_agent(f"engine:nodes=50{book}", 1) for book in (",book=atlas", ""))
    position = Position.parse("J10 M13G10")
    assert engine.choose(position, Budget()) == plain.choose(position, Budget())
    assert engine.choose(Position.parse("J10 M13G8"), Budget()).notes["book"] == "proved in M13G8-K9J8.tpf"


@pytest.mark.parametrize(("name", "winner"), [("M13G8-K9J8.tpf", BLACK), ("M13G10-K9J8.tpf", WHITE)])
def test_a_sound_proof_of_something_else_is_not_followed(tmp_path: Path, name: str, winner: Colour) -> None:
    """Of another opening, or of a win for the other side."""
    shelf, _ = with_verdict(tmp_path, "M13G10", "K9J8", winner, shipped(name))
    for moves in ("J10 M13G10", EASY, EASY + " J9I9"):
        assert AtlasOpener(shelf).choose(Position.parse(moves)) is None


def test_a_damaged_atlas_is_told(tmp_path: Path) -> None:
    (tmp_path / "atlas.jsonl").write_text("hello")
    with pytest.raises(AtlasError, match="no atlas of openings"):
        AtlasOpener(Shelf(tmp_path))


# White wins


def test_white_wins_after_a_third_move_that_loses(tmp_path: Path) -> None:
    """Black's third move is in two corners of the board."""
    start, content = Position.parse("J10 L12N10 A1S19"), BytesIO()
    write_solution(content, solve(start, "order 3", nodes=600_000))
    second, symmetry = Atlas().find(start) or pytest.fail("it is near enough")
    third = symmetry.move(start.moves[2], 19, 19)
    shelf, _ = with_verdict(tmp_path, str(second.move), str(third), WHITE, content.getvalue())
    atlas = AtlasOpener(shelf)
    assert atlas.choose(Position.parse("J10 L12N10")) is None  # that Black loses with one move says nothing of others
    for number in range(8):
        assert played(atlas, turned(start, number), Stubborn(number)).winner is WHITE
    assert played(atlas, start, make_agent("engine:nodes=200,threads=1", 1)).winner is WHITE
