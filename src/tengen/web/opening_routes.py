"""The atlas of openings as windows ask for it: what is known after some moves, and the proofs themselves."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, HTTPException, Query
from fastapi.responses import FileResponse

from tengen.game import BLACK, Position
from tengen.opening import Atlas, Shelf
from tengen.opening.explore import Known, explore
from tengen.play import OpeningBook
from tengen.web.models import Model


class Statistics(Model):
    """How games ended for the player who made a move."""

    games: int
    wins: int
    draws: int
    losses: int
    ratio: float
    bound: float


class OpeningProof(Model):
    """A proof, and whether its file is here."""

    file: str
    sha256: str
    nodes: int
    bytes: int
    is_here: bool


class OpeningMove(Model):
    """What is known of a move."""

    move: str
    winner: str | None
    value: float | None
    """Black's chance."""
    games: Statistics | None
    proof: OpeningProof | None
    open: int | None
    """Replies that a proof has not answered yet."""


class OpeningView(Model):
    """A position of the opening."""

    line: list[str]
    side: str
    is_over: bool
    in_atlas: bool
    here: OpeningMove | None
    moves: list[OpeningMove]
    solved: int
    """Second moves of White's that are proved to lose."""
    seconds: int
    book_games: int | None
    """Games of the user's book; None without one."""


class _Kept:
    """The atlas, read again when its file has changed."""

    def __init__(self) -> None:
        self._seen: tuple[str, int] | None = None
        self._atlas: Atlas | None = None

    def atlas(self, shelf: Shelf) -> Atlas:
        file = shelf.atlas_file
        seen = str(file), file.stat().st_mtime_ns if file.exists() else 0
        if self._atlas is None or seen != self._seen:
            self._atlas, self._seen = shelf.atlas(), seen
        return self._atlas


def add_openings(app: FastAPI) -> None:
    """Lets an application answer what is known of openings."""
    kept = _Kept()

    @app.get("/api/openings")
    def openings(moves: Annotated[str, Query(max_length=500)] = "J10") -> OpeningView:
        shelf = Shelf()
        atlas = kept.atlas(shelf)
        book = OpeningBook.read(shelf.book_file) if shelf.book_file.exists() else None
        try:
            position = Position.parse(moves)
            found = explore(atlas, position, book)
            games = None if book is None else book.games
        finally:
            if book is not None:
                book.close()
        return OpeningView(
            line=[str(move) for move in position.moves],
            side=str(position.turn),
            is_over=position.is_over,
            in_atlas=found.is_in_atlas,
            here=None if found.here is None else _view(found.here, shelf),
            moves=[_view(known, shelf) for known in found.moves],
            solved=sum(second.winner is BLACK for second in atlas.seconds.values()),
            seconds=len(atlas.seconds),
            book_games=games,
        )

    @app.get("/api/openings/proofs/{name}", responses={404: {"description": "There is no such proof."}})
    def proof(name: str) -> FileResponse:
        shelf = Shelf()
        for _, third in kept.atlas(shelf).proved():
            if third.proof is not None and third.proof.file == name:
                path = shelf.proof_file(third.proof)
                if path is not None:
                    return FileResponse(path, filename=name, media_type="application/octet-stream")
        raise HTTPException(404, "there is no such proof")


def _view(known: Known, shelf: Shelf) -> OpeningMove:
    told = known.as_json()
    proof = known.proof
    return OpeningMove(
        move=told["move"],
        winner=told["winner"],
        value=told["value"],
        games=None if told["games"] is None else Statistics(**told["games"]),
        proof=None if proof is None else OpeningProof(**proof.as_json(), is_here=shelf.proof_file(proof) is not None),
        open=(known.work or {}).get("open"),
    )
