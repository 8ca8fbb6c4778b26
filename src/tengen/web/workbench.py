"""What the server holds: documents, analyses, games, and the windows that look on."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Collection, Iterable

from tengen.game import Colour, Game, Position, TengenError
from tengen.play.clock import TimeControl
from tengen.play.external import external_agent
from tengen.record import Record, Store
from tengen.search import DEFAULT_POLICY
from tengen.web import models
from tengen.web.collections import Collections
from tengen.web.desk import Desk, DeskEntry
from tengen.web.document import Document, Told
from tengen.web.events import Hub, hello
from tengen.web.play import PlayedGame
from tengen.web.proving import Proving
from tengen.web.rates import Rate
from tengen.web.tasks import Task, Tasks
from tengen.web.workers import GridWatch


class Workbench:
    """What the server holds: documents, analyses, and windows that look on.

    Raises:
        TengenError: if one of the programs is none.
    """

    def __init__(self, store: Store, slots: int, grid: str | None, programs: Iterable[str]) -> None:
        self.hub = Hub()
        self.grid = grid
        """The file of an invitation to a grid, if the user has one."""
        self.grid_watch = None if grid is None else GridWatch(grid)
        self.programs = {spec.strip(): external_agent(spec).name for spec in programs}
        """Programs of others that windows may ask, as the user named them when he started the server, and no others:
        nothing that a page says makes this machine run anything else."""
        self.rate = Rate()
        """Of jobs of proofs."""
        self.desk = Desk(store)
        self.collections = Collections(store, self.desk)
        self.tasks = Tasks(self._tell_task, slots, self._forget_proof)
        self.proofs: dict[int, Proving] = {}
        """By task."""
        self.games: dict[str, PlayedGame] = {}
        """By document: one game is played on each."""
        self._beginning = threading.Lock()

    def document(self, id: str) -> Document:
        """A document, whose changes are told from now on.

        Raises:
            TengenError: if there is none.
        """
        document = self.desk.get(id)
        with document.lock:
            if not document.listeners:
                document.listeners.append(lambda told: self._tell_change(document, told))
        return document

    def add(self, record: Record, title: str) -> Document:
        """Puts a record on the desk."""
        document = self.desk.add(record, title)
        self.tell_desk()
        return self.document(document.id)

    def entries(self) -> list[models.DocumentEntry]:
        """The list of documents."""
        return [entry_view(entry) for entry in self.desk.entries()]

    def collection_entries(self) -> list[models.CollectionEntry]:
        """The list of files with many records."""
        return [models.CollectionEntry(id=c.id, title=c.title, size=c.size) for c in self.collections.entries()]

    def tell_desk(self) -> None:
        """Tells all windows of the list of documents."""
        event = models.DeskChanged(documents=self.entries(), collections=self.collection_entries())
        self.hub.publish(event.model_dump(), "desk")

    def prove(self, asked: models.Question, position: Position) -> Task:
        """Begins a job-level search.

        Raises:
            TengenError: if it makes no sense.
        """
        if asked.on_grid and self.grid is None:
            raise TengenError("there is no grid: start the server with --grid FILE")
        if position.is_over:
            raise TengenError("the game is over: there is nothing to prove")
        attacker = position.turn if asked.side is None else Colour.parse(asked.side)
        proving = Proving(
            position,
            attacker,
            where=self.grid if asked.on_grid and self.grid else "local",
            workers=asked.workers,
            policy=asked.policy or DEFAULT_POLICY,
            seconds=asked.seconds,
            name=secrets.token_hex(8),
            rate=self.rate,
        )
        options = {"side": str(attacker), "policy": proving.policy.name, "on_grid": asked.on_grid}

        def keep(task: Task) -> None:
            self.proofs[task.id] = proving

        return self.tasks.add("prove", asked.document, asked.node, str(position), proving.work, options, keep)

    def proof(self, task: int) -> Proving:
        """The search behind a task.

        Raises:
            TengenError: if there is none.
        """
        try:
            return self.proofs[task]
        except KeyError:
            raise TengenError("this is no proof search") from None

    def play(self, id: str, new: models.NewGame) -> PlayedGame:
        """Begins a game on a document; one that was played there ends.

        Raises:
            TengenError: if it cannot be played; then the one that was played there goes on.
            OSError: if a file that a player needs cannot be read, with the same outcome.
        """
        control = TimeControl.parse(new.control)
        players = new.black, new.white
        game = PlayedGame(self.document(id), new.node, players, control, self.tasks, self.tell_game, self.programs)
        with self._beginning:  # before it begins: programs may be quick, and people too
            old, self.games[id] = self.games.get(id), game
        if old is not None:
            old.close()
        game.begin()
        self.tell_game(game)
        return game

    def game(self, id: str) -> PlayedGame:
        """The game that is played on a document.

        Raises:
            TengenError: if there is none.
        """
        try:
            return self.games[id]
        except KeyError:
            raise TengenError("no game is played here") from None

    def tell_game(self, game: PlayedGame) -> None:
        """Tells all windows how a game stands."""
        self.hub.publish({"on": "game", "game": game.as_json()}, ("game", game.document.id))

    def end_game(self, id: str) -> None:
        """Ends the game that is played on a document without a result.

        Raises:
            TengenError: if there is none.
        """
        game = self.game(id)
        game.close()
        self.tell_game(game)
        with self._beginning:
            if self.games.get(id) is game:  # else another has begun meanwhile
                del self.games[id]

    def remove(self, id: str) -> None:
        """Takes a document off the desk for good; its analyses stop, and its game ends.

        Raises:
            TengenError: if there is none.
        """
        self.desk.remove(id)
        self._leave([id])

    def remove_collection(self, id: str) -> None:
        """Takes a collection off the desk, with all its records; their analyses stop, and their games end.

        Raises:
            TengenError: if there is none.
        """
        self._leave(self.collections.remove(id))

    def _leave(self, documents: Collection[str]) -> None:
        """What is still done with documents that are gone ends, and windows are told of the list without them."""
        for id in documents:
            if id in self.games:
                self.end_game(id)
        for task in self.tasks.list():
            if task.document in documents:
                self.tasks.stop(task.id)
        self.tell_desk()

    def stop_all(self) -> None:
        """Stops all analyses; games in which a program thinks wait."""
        for game in [*self.games.values()]:
            if game.awaits_program:
                game.pause()
        self.tasks.stop()

    def stop(self, task: int) -> None:
        """Stops an analysis; if it is a program that thinks about its move, the game waits."""
        for game in [*self.games.values()]:
            if game.runs(task):
                game.pause()
                return
        self.tasks.stop(task)

    def close(self) -> None:
        """Ends all games and analyses. Proofs are gone with their tasks; the journals, which they are made of, stay."""
        for game in [*self.games.values()]:
            game.close()
        self.tasks.close()
        for task in self.tasks.list():
            self._forget_proof(task)

    def _tell_change(self, document: Document, told: Told) -> None:
        if told.is_all_new:
            self.hub.publish(hello(), "hello")
            return
        undo, redo = undo_labels(document)
        event = models.Changed(
            document=document.id, revision=told.revision, changes=list(told.changes), undo=undo, redo=redo
        )
        self.hub.publish(event.model_dump())

    def _forget_proof(self, task: Task) -> None:
        if (proving := self.proofs.pop(task.id, None)) is not None:
            proving.remove_file()

    def _tell_task(self, task: Task) -> None:
        self.hub.publish({"on": "task", "task": task.as_json()}, ("task", task.id))


def undo_labels(document: Document) -> tuple[str | None, str | None]:
    """What would be undone, and what made again."""
    return (
        document.done[-1].label if document.done else None,
        document.undone[-1].label if document.undone else None,
    )


def entry_view(entry: DeskEntry) -> models.DocumentEntry:
    """An entry of the list for the browser."""
    return models.DocumentEntry(id=entry.id, title=entry.title, game=entry.game, changed=entry.changed.isoformat())


def game_view(game: Game) -> models.GameView:
    """A game for the browser."""
    return models.GameView(
        text=str(game),
        name=game.name,
        columns=game.m,
        rows=game.n,
        k=game.k,
        p=game.p,
        q=game.q,
        maker_breaker=game.maker_breaker,
    )
