"""Where the atlas and its proofs are kept: a folder of the user's, over what comes with the program."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

from tengen.game import BLACK, CONNECT6, WHITE, Colour, Move, Position, Square
from tengen.grid.file_lock import locked_folder
from tengen.opening.atlas import FIRST, Atlas, AtlasError, Proof, Second, Third
from tengen.play.book import users_book
from tengen.prove import NoProofError, check, join
from tengen.prove.checker.file import Survey
from tengen.prove.checker.text import Refused
from tengen.record.files import replacing
from tengen.record.store import data_folder, make_folder

_REST = "rest.tpf"


class Shelf:
    """A folder with an atlas, the proofs of its verdicts, and the parts of proofs that are not whole yet.

    Args:
        folder: in the user's data unless told.
        alone: leave out what comes with the program.

    Raises:
        AtlasError: if the folder is a file.
    """

    def __init__(self, folder: Path | None = None, *, alone: bool = False) -> None:
        self.alone = alone
        self.folder = data_folder() / "openings" if folder is None else folder
        if self.folder.exists() and not self.folder.is_dir():
            raise AtlasError(f"{self.folder} is a file; the atlas and its proofs need a folder")
        self.atlas_file = self.folder / "atlas.jsonl"
        self.book_file = self.folder / users_book().name
        """The statistics of the user's own choice of games, if he has made them."""
        self._last_kept: tuple[Atlas, object] | None = None

    def atlas(self) -> Atlas:
        """The user's atlas with the verdicts that come with the program; before there is one, the program's.

        Raises:
            OSError: if the file cannot be read.
            AtlasError: if it is no atlas, or damaged.
        """
        if not self.atlas_file.exists():
            return Atlas() if self.alone else Atlas.shipped()
        atlas = Atlas.read(self.atlas_file)
        if not self.alone:
            atlas.learn(Atlas.shipped())
        return atlas

    @contextmanager
    def changing(self, atlas: Atlas) -> Iterator[None]:
        """Changes to an atlas that was read here, written down at the end; others wait meanwhile.

        What they have written since it was read is taken over first, so that several campaigns may share a folder.

        Raises:
            OSError: if a file cannot be read or written.
            AtlasError: if the file is damaged by now.
        """
        make_folder(self.folder)
        with locked_folder(self.folder):
            # Whoever is alone at it need not read again what he has written himself.
            if self.atlas_file.exists() and self._last_kept != (atlas, self._stamp()):
                atlas.catch_up(self.atlas())
            yield
            self.keep(atlas)

    def keep(self, atlas: Atlas) -> None:
        """Writes an atlas down in a folder that nobody else changes.

        Raises:
            OSError: if it cannot be written.
        """
        make_folder(self.folder)
        atlas.write(self.atlas_file)
        self._last_kept = atlas, self._stamp()

    def _stamp(self) -> object:
        """Tells states of the file apart: it is always replaced as a whole."""
        found = self.atlas_file.stat()
        return found.st_ino, found.st_mtime_ns, found.st_size

    def proof_file(self, proof: Proof) -> Path | None:
        """Where a proof is: in the folder, or with the program; None if it is too large to come with that."""
        own = self.folder / "proofs" / Path(proof.file).name
        if own.exists() or self.alone:
            return own if own.exists() else None
        with_program = Path(str(files("tengen.opening").joinpath("data", "proofs", Path(proof.file).name)))
        return with_program if with_program.exists() else None

    def take(self, atlas: Atlas, path: Path) -> tuple[Second, Third]:
        """Takes in the proof of a three-move opening, whoever has made it; it is checked from end to end.

        Raises:
            AtlasError: if it is no proof, or about something else, or refused.
            OSError: if a file cannot be read or written.
        """
        folder = self.folder / "proofs"
        make_folder(folder)
        draft = folder / f"draft-{uuid4().hex}.tpf"  # what is checked is what is kept, whatever becomes of their file
        try:
            shutil.copyfile(path, draft)
            position, winner = _opening_of(draft, path)
            proof = checked(draft, path)
            second, third = atlas.opening(position)
            with self.changing(atlas):
                target = folder / f"{name_of(second, third)}.tpf"
                draft.replace(target)
                third.proof = replace(proof, file=target.name)
                third.winner, third.left, third.how = winner, None, "taken"
        finally:
            draft.unlink(missing_ok=True)
        return second, third

    # Parts of proofs

    def keep_rest(self, second: Second, third: Third, content: bytes) -> None:
        """Keeps the proof that White loses but for the replies that are left.

        Raises:
            OSError: if it cannot be written.
        """
        folder = self.parts(second, third)
        if folder.exists():  # parts of an earlier try, which answered other replies
            shutil.rmtree(folder)
        make_folder(folder)
        _write(folder / _REST, content)

    def keep_part(self, second: Second, third: Third, reply: Move, content: bytes) -> None:
        """Keeps the proof that one reply loses.

        Raises:
            OSError: if it cannot be written.
        """
        _write(self.parts(second, third) / f"{reply}.tpf", content)

    def parts(self, second: Second, third: Third) -> Path:
        """The folder of the parts."""
        return self.folder / "parts" / name_of(second, third)

    def finish(self, second: Second, third: Third, whole: bytes | None = None) -> Proof:
        """Makes one proof of the parts, or takes it as it is, and has it checked from the first line to the last.

        Raises:
            TengenError: if the parts do not fit, or the checker refuses the proof.
            OSError: if a file cannot be read or written.
        """
        folder = self.folder / "proofs"
        make_folder(folder)
        target, parts = folder / f"{name_of(second, third)}.tpf", self.parts(second, third)
        draft = folder / f"draft-{target.name}"  # a proof that is refused must not stand where a good one may be
        try:
            if whole is None:
                join(draft, parts / _REST, _but_rest(parts.glob("*.tpf")))
            else:
                _write(draft, whole)
            proof = replace(checked(draft), file=target.name)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
        return proof

    def has_parts(self, second: Second, third: Third) -> bool:
        """Whether the proof but for some replies is here."""
        return (self.parts(second, third) / _REST).exists()

    def drop_parts(self, second: Second, third: Third) -> None:
        """Removes the parts of a proof that is whole, once the atlas knows it."""
        shutil.rmtree(self.parts(second, third), ignore_errors=True)


def checked(file: Path, called: Path | None = None) -> Proof:
    """What the atlas keeps of a proof file that the checker accepts.

    Args:
        file: the file.
        called: what the user calls it, if that is something else.

    Raises:
        AtlasError: if it is no proof, or refused.
        OSError: if it cannot be read.
    """
    name = called or file
    try:
        verdict = check(file)
    except NoProofError as error:
        raise AtlasError(str(error).replace(str(file), str(name))) from error
    if not verdict.accepted:
        raise AtlasError(f"{name}: {verdict.reason}")
    content = file.read_bytes()
    return Proof(file.name, hashlib.sha256(content).hexdigest(), verdict.nodes, len(content))


def _opening_of(file: Path, called: Path) -> tuple[Position, Colour]:
    """The opening that a proof is about, and who is said to win it.

    Raises:
        AtlasError: if it is no proof, damaged, or about something else.
        OSError: if it cannot be read.
    """
    try:
        header = Survey(file).header
    except NoProofError as error:
        raise AtlasError(str(error).replace(str(file), str(called))) from error
    except Refused as refusal:
        raise AtlasError(f"{called}: {refusal}") from refusal
    black, white = ([Square(x, y) for x, y in side] for side in header.stones)
    third = Move(square for square in black if square not in FIRST.squares)
    is_opening = (header.game, header.claim, len(black), len(white)) == (str(CONNECT6), "win", 3, 2)
    if not is_opening or len(third) != 2 or (header.turn, header.left) != ("white", 2):
        raise AtlasError(f"{called} is no proof about an opening of three moves")
    return Position(CONNECT6, [FIRST, Move(white), third]), BLACK if header.attacker == str(BLACK) else WHITE


def name_of(second: Second, third: Third) -> str:
    """What files of a three-move opening are called."""
    return f"{second.move}-{third.move}"


def _but_rest(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path in paths if path.name != _REST)


def _write(path: Path, content: bytes) -> None:
    with replacing(path) as file:
        file.write(content)
