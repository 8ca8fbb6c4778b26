"""`tengen puzzle mine --missed`: the wins that were missed in somebody's games, as puzzles of his own."""

from __future__ import annotations

from pathlib import Path

import typer

from tengen.cli.common import EXIT_INTERRUPTED, counted, err, out, print_json, read_records
from tengen.game import BLACK, WHITE
from tengen.puzzle import Limits, Puzzle, PuzzleError, Shelf
from tengen.puzzle.missed import missed_wins
from tengen.record import Record, Store


def mine_missed(games: list[Path], player: str | None, limits: Limits, json: bool) -> None:
    """Looks through games and keeps what was missed in the user's store. Ctrl-C keeps what was found.

    Raises:
        PuzzleError: if the player has played none of the games.
        TengenError: if a file holds no games, or one that the solver does not know.
        OSError: if a file cannot be read.
    """
    found: list[Puzzle] = []
    looked = new = 0
    interrupted = False
    with Store() as store, err.status("looking through the games") as status:
        shelf = Shelf(store)
        try:
            for path in games:
                for number, record in enumerate(read_records(path), 1):
                    colours = [colour for colour in (BLACK, WHITE) if _is_by(record, colour.letter, player)]
                    if not colours:
                        continue
                    looked += 1
                    status.update(f"looking through {path.name}, game {number}: {counted(len(found), 'missed win')}")
                    source = path.name if number == 1 else f"{path.name} {number}"
                    for _, puzzle in missed_wins(record.position(), limits, source, colours=colours):
                        if puzzle is not None:
                            found.append(puzzle)
                            new += shelf.keep(puzzle)
                            err.print(f"{puzzle.name}  level {puzzle.level}, {puzzle.source}")
        except KeyboardInterrupt:
            interrupted = True
    if player is not None and looked == 0 and not interrupted:
        raise PuzzleError(f"{player!r} has played none of these games")
    if json:
        names = [one.name for one in found]
        print_json({"games": looked, "found": names, "new": new, "interrupted": interrupted})
    else:
        said = counted(len(found), "missed win that makes a puzzle", "missed wins that make puzzles")
        out.print(f"{counted(looked, 'game')}: {said}, {new} new. `tengen puzzle solve --own` gives them.")
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def _is_by(record: Record, letter: str, player: str | None) -> bool:
    return player is None or (record.root.get(f"P{letter}") or "").casefold() == player.casefold()
