"""Mines games for puzzles. What is found is on disk at once, and mining goes on where it ended."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from tengen.game import BLACK, WHITE, Colour, Position
from tengen.grid.file_lock import lock_file
from tengen.play import promising_moves
from tengen.puzzle.find import find_defence, find_puzzle
from tengen.puzzle.hidden import find_hidden_win
from tengen.puzzle.puzzle import KINDS, Limits, Puzzle, PuzzleError, parse_puzzles, shape
from tengen.record.files import named_when_full, replacing
from tengen.solve import solve
from tengen.threat import threat_number, wins_at_once

_MOST_DEFENCES = 3
"""Of the variations of a game, lest its shapes come again and again; of wins, one of each length."""
_FEW_HOLDING = 6
_QUICK_NODES = 2_000
_LEAST_LENGTH = 2
_BEGINNING = b'{"name": "'
"""Of every line of a file of puzzles."""


@dataclass
class Tally:
    """How far mining is."""

    games: dict[str, int] = field(default_factory=dict)
    """How many games of each source are dealt with."""
    positions: int = 0
    won: int = 0
    """Positions with a win by threats for the side to move."""
    found: int = 0
    """Puzzles, those that were known already included."""
    kept: int = 0
    seconds: float = 0.0
    """Of the processor: other programs do not make the figures worse."""

    def as_json(self) -> dict[str, Any]:
        """The tally as JSON can hold it."""
        return asdict(self)


class Miner:
    """Mines games into a file of puzzles, beside which `FILE.progress` says how far it is; to be closed in the end.

    Raises:
        PuzzleError: if one of the files is there and holds something else, another miner is at it, or there is no such
            kind.
        OSError: if a file cannot be read or written.
    """

    def __init__(self, path: str | Path, limits: Limits | None = None, kinds: Collection[str] = KINDS) -> None:
        """Opens the files.

        Args:
            path: where the puzzles are and will be.
            limits: what judging a position may cost.
            kinds: the kinds of puzzles that are wanted; what cannot lead to one of them is not searched.
        """
        if unknown := set(kinds) - set(KINDS):
            raise PuzzleError(f"{min(unknown)!r} is no kind of puzzle; there are {', '.join(KINDS)}")
        self.path = Path(path)
        self._kinds = frozenset(kinds)
        self.limits = limits or Limits()
        self._progress = self.path.with_name(self.path.name + ".progress")
        self._file: BinaryIO = self.path.open("a+b")
        try:
            self._lock()
            self.tally = self._tally()
            known = [shape(puzzle.position) for puzzle in self._kept()]
        except BaseException:
            self.close()
            raise
        self._known = set(known)
        self.tally.kept = len(known)  # some may belong to a game that was not finished

    def __enter__(self) -> Miner:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Leaves the file to others."""
        with named_when_full(self.path):  # what did not fit is tried once more
            self._file.close()

    def _lock(self) -> None:
        try:
            lock_file(self._file.fileno())
        except BlockingIOError:
            raise PuzzleError(
                f"{self.path} is being mined into already: wait for the end of that, or take another file"
            ) from None

    def _tally(self) -> Tally:
        if not self._progress.exists():
            return Tally()
        try:
            return Tally(**json.loads(self._progress.read_text(encoding="utf-8")))
        except (ValueError, TypeError) as error:
            raise PuzzleError(f"{self._progress} does not tell how far mining was: {error}") from None

    def _kept(self) -> list[Puzzle]:
        """The puzzles that are there, without a line that was being written when the machine went down."""
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        torn = content[len(whole) :]
        puzzles = list(parse_puzzles(whole.decode(errors="replace").splitlines(), self.path))
        if torn:
            try:
                puzzles += parse_puzzles([torn.decode(errors="replace")], self.path)
                self._append(b"\n")  # only the end of the line was missing
            except PuzzleError:
                if not torn.startswith(_BEGINNING[: len(torn)]):  # not of our writing
                    raise PuzzleError(f"{self.path} holds something else than puzzles") from None
                self._file.truncate(len(whole))
        return puzzles

    def mine(
        self, source: str, games: Iterable[Position], name: str | None = None
    ) -> Iterator[tuple[Tally, list[Puzzle]]]:
        """Deals with games one by one; after each tells the tally and what was kept of it.

        Args:
            source: where the games are from; as many of them as were dealt with from there are not asked for again,
                so `games` must begin after those.
            games: the last positions of games.
            name: what their puzzles call the source, if not by its whole name.

        Raises:
            OSError: if a file cannot be written.
        """
        start = time.process_time()
        for game in games:
            number = self.tally.games.get(source, 0)
            kept = []
            try:
                for puzzle in self._puzzles(game, f"{name or source} {number + 1}"):
                    self.tally.found += 1
                    if (form := shape(puzzle.position)) not in self._known:
                        self._known.add(form)
                        self._keep(puzzle)
                        kept.append(puzzle)
            finally:  # also of a game that is not finished: its positions are counted
                now = time.process_time()  # games that are played for it count as well
                self.tally.seconds, start = round(self.tally.seconds + now - start, 3), now
            self.tally.games[source] = number + 1
            with replacing(self._progress) as file:
                file.write(json.dumps(self.tally.as_json()).encode())
            yield self.tally, kept

    def done(self, source: str) -> int:
        """How many games of a source are dealt with."""
        return self.tally.games.get(source, 0)

    def _keep(self, puzzle: Puzzle) -> None:
        self._append(json.dumps(puzzle.as_json(), ensure_ascii=False).encode() + b"\n")
        self.tally.kept += 1

    def _append(self, content: bytes) -> None:
        with named_when_full(self.path):
            self._file.write(content)
            self._file.flush()

    def _puzzles(self, game: Position, name: str) -> Iterator[Puzzle]:
        positions = list(_positions(game))
        wins = [solve(position, "vcst", nodes=self.limits.nodes).result for position in positions]
        self.tally.positions += len(positions)
        self.tally.won += wins.count("win")
        busy_until: dict[Colour, int] = {BLACK: 0, WHITE: 0}
        for place, position in enumerate(positions):
            if place < busy_until[position.turn]:
                continue  # the rest of an attack that is a puzzle already
            puzzle = self._find(position, wins[place], f"{name}, move {len(position.moves) + 1}")
            if puzzle is not None and puzzle.kind in self._kinds:
                busy_until[position.turn] = place + 2 * puzzle.length
                yield puzzle
        if self._kinds != {"quiet win"}:
            yield from self._variations(positions, name)
        if "quiet win" in self._kinds:
            yield from self._held_attacks(positions, name)

    def _find(self, position: Position, win: str, origin: str) -> Puzzle | None:
        """The puzzle in a position of which it is known whether there is a win by threats."""
        if win == "win":
            return find_puzzle(position, self.limits, origin) if "win" in self._kinds else None
        found = find_defence(position, self.limits, origin) if "only defence" in self._kinds else None
        if found is None and win == "none" and self._kinds != {"only defence"}:
            found = find_hidden_win(position, self.limits, origin)
        return found

    def _variations(self, positions: list[Position], name: str) -> Iterator[Puzzle]:
        """What other promising moves of the engine would have led to: these cost less than another game."""
        lengths: set[int] = set()
        defences = busy_until = 0
        for place, position in enumerate(positions):
            for move in promising_moves(position):
                after = position.after(move)
                self.tally.positions += 1
                if after.is_over or wins_at_once(after, after.turn):
                    continue
                origin = f"{name}, move {len(after.moves) + 1} after {move}"
                length = _single_win(after)
                if length is not None:
                    self.tally.won += 1
                    is_wanted = "win" in self._kinds and length not in lengths
                    puzzle = find_puzzle(after, self.limits, origin) if is_wanted else None
                    if puzzle is not None:
                        lengths.add(length)
                        yield puzzle
                elif (
                    "only defence" in self._kinds
                    and defences < _MOST_DEFENCES
                    and place >= busy_until
                    and threat_number(after, position.turn) == after.stones_left
                ):
                    puzzle = find_defence(after, self.limits, origin)
                    if puzzle is not None:
                        defences += 1
                        busy_until = place + 1 + puzzle.length  # those that follow are too much like it
                        yield puzzle

    def _held_attacks(self, positions: list[Position], name: str) -> Iterator[Puzzle]:
        """What follows where only few replies hold against a threat to win: there a quiet move often wins after all."""
        for position in positions:
            attacker = position.turn.opponent
            if _quick_look(position, attacker) != "win" or _quick_look(position, position.turn) != "none":
                continue
            after = [position.after(move) for move in promising_moves(position)]
            holding = [one for one in after if not one.is_over and _quick_look(one, attacker) == "none"]
            if len(holding) > _FEW_HOLDING:
                continue
            for one in holding:
                self.tally.positions += 1
                origin = f"{name}, move {len(one.moves) + 1} after {one.moves[-1]}"
                puzzle = find_hidden_win(one, self.limits, origin)
                if puzzle is not None and puzzle.kind in self._kinds:
                    yield puzzle
                    return  # the others are too much like it


def _quick_look(position: Position, side: Colour) -> str:
    return solve(position, "vcst", side, nodes=_QUICK_NODES).result


def _single_win(position: Position) -> int | None:
    """The length of the win if a quick look sees one winning first move by double threats, which does not end the game
    at once."""
    found = solve(position, "vcdt", nodes=_QUICK_NODES, all_moves=True)
    is_single = found.result == "win" and len(found.first_moves) == 1 and found.all_known
    return found.depth if is_single and found.depth >= _LEAST_LENGTH else None


def _positions(game: Position) -> Iterator[Position]:
    """The positions of a game in which a move is due, its last but not over, from the third move on."""
    walk = game.copy()
    stack = []
    while walk.steps:
        walk.undo()
        if not walk.is_mid_turn and walk.stone_count > walk.game.q + walk.game.p:
            stack.append(walk.copy())
    yield from reversed(stack)
