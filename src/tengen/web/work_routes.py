"""What takes a while, as windows ask for it: analyses, proofs, games, and who works on them."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.responses import FileResponse

from tengen.game import Move, TengenError
from tengen.play import Budget
from tengen.web import models
from tengen.web.defence import defence
from tengen.web.game_analysis import game_analysis
from tengen.web.play import PlayedGame
from tengen.web.tasks import question
from tengen.web.workbench import Workbench
from tengen.web.workers import this_machine

_OF_PROOFS = {"kind", "document", "node", "agent", "on_grid", "policy", "workers"}


def add_work(app: FastAPI, bench: Workbench) -> None:
    """Lets an application answer these questions."""
    _add_tasks(app, bench)
    _add_proofs(app, bench)
    _add_games(app, bench)


def _add_tasks(app: FastAPI, bench: Workbench) -> None:
    @app.get("/api/tasks")
    def tasks() -> models.TaskList:
        return models.TaskList(tasks=[models.TaskView(**task.as_json()) for task in bench.tasks.list()])

    @app.post("/api/tasks")
    def ask(asked: models.Question) -> models.TaskView:
        document = bench.document(asked.document)
        position = document.position(asked.node)
        options = asked.model_dump(exclude_none=True, exclude=_OF_PROOFS)
        if asked.kind == "prove":
            return models.TaskView(**bench.prove(asked, position).as_json())
        if asked.kind == "game":
            work = game_analysis(document, asked.node, Budget(seconds=asked.seconds, nodes=asked.nodes))
        elif asked.kind == "defend":
            work = defence(position, dict(options))
        else:
            work = question(asked.kind, position, dict(options), asked.agent, bench.programs)
        task = bench.tasks.add(asked.kind, asked.document, asked.node, str(position), work, options)
        return models.TaskView(**task.as_json())

    @app.delete("/api/tasks")
    def stop_all() -> None:
        bench.stop_all()

    @app.delete("/api/tasks/{id}")
    def stop(id: int) -> None:
        bench.stop(id)

    @app.get("/api/workers")
    def workers() -> models.WorkersView:
        return models.WorkersView(
            local=this_machine(bench.tasks, bench.proofs, bench.rate),
            grid=None if bench.grid_watch is None else bench.grid_watch.view(),
        )


def _add_proofs(app: FastAPI, bench: Workbench) -> None:
    @app.post("/api/tasks/{id}/hint")
    def hint(id: int, told: models.Hint) -> None:
        bench.proof(id).hint(told.text)

    @app.post("/api/tasks/{id}/open")
    def open(id: int, branch: models.Branch) -> None:
        known = bench.proof(id).open(branch.node)
        if known is not None:
            bench.tasks.replace_answer(id, known)

    @app.get("/api/tasks/{id}/proof")
    def proof(id: int) -> FileResponse:
        path = bench.proof(id).proof
        if not path.is_file():
            raise TengenError("there is no proof yet")
        return FileResponse(path, media_type="application/octet-stream", filename=f"proof-{id}.tpf")


def _add_games(app: FastAPI, bench: Workbench) -> None:
    def view(game: PlayedGame) -> models.PlayedGameView:
        return models.PlayedGameView(**game.as_json())

    @app.get("/api/games")
    def games() -> models.PlayedGames:
        return models.PlayedGames(games=[view(game) for game in [*bench.games.values()]])

    @app.post("/api/documents/{id}/game")
    def begin(id: str, new: models.NewGame) -> models.PlayedGameView:
        return view(bench.play(id, new))

    @app.post("/api/documents/{id}/game/move")
    def move(id: str, played: models.PlayedMove) -> models.Done:
        told = bench.game(id).move(Move(played.move), played.node)
        return models.Done(revision=told.revision, node=told.node)

    @app.post("/api/documents/{id}/game/{what}")
    def act(id: str, what: models.GameAct) -> models.PlayedGameView:
        game = bench.game(id)
        {"back": game.take_back, "resign": game.resign, "pause": game.pause, "resume": game.resume}[what]()
        return view(game)

    @app.delete("/api/documents/{id}/game")
    def end(id: str) -> None:
        bench.end_game(id)
