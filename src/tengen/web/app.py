"""The server: requests and responses over HTTP, events over a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse

from tengen import __version__
from tengen.diagram import draw, to_png, to_svg
from tengen.game import BLACK, KNOWN_GAMES, WHITE, Colour, Game, Move, Position, Square, TengenError
from tengen.play import AgentKind, agent_kinds
from tengen.record import FORMATS, Record, Store, StoreError
from tengen.record.files import encode
from tengen.record.tree import MARKS
from tengen.threat import ThreatSummary
from tengen.web import models
from tengen.web.document import Document, OutdatedError, Told
from tengen.web.entry import OneTimeTokens
from tengen.web.events import Channel, hello
from tengen.web.fairness_routes import add_fairness
from tengen.web.opening_routes import add_openings
from tengen.web.pages import pages
from tengen.web.puzzle_routes import add_puzzles
from tengen.web.records import branch_of, branches, excerpt_of, position_in, read_any, title_of
from tengen.web.security import WEBSOCKET_PROTOCOL, Guard
from tengen.web.sudoku_routes import add_sudoku
from tengen.web.work_routes import add_work
from tengen.web.workbench import Workbench, entry_view, game_view, undo_labels

STATIC = Path(__file__).parent / "static"
"""Where the built front end is."""
MOST_AT_ONCE = 20_000
"""How many records of one text are opened."""
MOST_FOUND = 200
SLOTS = 3


def make_api(store: Store, slots: int = SLOTS, grid: str | None = None, programs: Iterable[str] = ()) -> FastAPI:
    """Return the workbench as an application without access control; `make_app` adds it.

    Raises:
        TengenError: if the specification of a program is invalid.
    """
    bench = Workbench(store, slots, grid, programs)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(bench.close)

    app = FastAPI(title="Tengen", version=__version__, lifespan=lifespan, openapi_url=None)
    _add_errors(app)
    _add_desk(app, bench)
    _add_collections(app, bench)
    _add_edits(app, bench)
    _add_looks(app, bench)
    add_work(app, bench)
    add_fairness(app)
    add_openings(app)
    add_sudoku(app, store, bench.tasks)
    add_puzzles(app, store, bench)
    _add_events(app, bench)
    if STATIC.is_dir():
        app.mount("/", pages(STATIC))
    return app


def make_app(
    store: Store,
    *,
    key: str,
    hosts: Iterable[str],
    any_address: bool = False,
    slots: int = SLOTS,
    grid: str | None = None,
    programs: Iterable[str] = (),
    tokens: OneTimeTokens | None = None,
    on_authenticated: Callable[[tuple[str, int] | None], None] | None = None,
) -> Guard:
    """Return the workbench for the user's own windows.

    Args:
        store: the store of the documents.
        key: the key that a window exchanges for the session token.
        hosts: the names, with ports, of the server.
        any_address: whether numeric addresses are names of the server too.
        slots: number of analyses that run at the same time.
        grid: the file of a client's invitation to a grid.
        programs: specifications of the external engines that windows may use.
        tokens: one-time tokens that are accepted in place of the key.
        on_authenticated: called with the address of the client for every request with a valid session token.

    Raises:
        TengenError: if the specification of a program is invalid.
    """
    api = make_api(store, slots, grid, programs)
    return Guard(api, key, frozenset(hosts), any_address, tokens, on_authenticated)


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(TengenError)
    async def refuse(_request: Request, error: TengenError) -> JSONResponse:
        code = 500 if isinstance(error, StoreError) else 409 if isinstance(error, OutdatedError) else 422
        return JSONResponse({"error": str(error)}, code)

    @app.exception_handler(OSError)
    async def trouble(_request: Request, error: OSError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 500)


def _add_desk(app: FastAPI, bench: Workbench) -> None:
    @app.get("/api/desk")
    def desk() -> models.DeskView:
        return models.DeskView(
            version=__version__,
            documents=bench.entries(),
            collections=bench.collection_entries(),
            games=[game_view(game) for game in KNOWN_GAMES.values()],
            agents=[
                *(
                    models.AgentView(name=kind.name, title=kind.name, about=_about(kind))
                    for kind in agent_kinds().values()
                ),
                *(models.AgentView(name=spec, title=title, about=spec) for spec, title in bench.programs.items()),
            ],
            formats=[models.FormatView(name=f.name, about=f.about, suffix=f.suffix) for f in FORMATS.values()],
            has_grid=bench.grid is not None,
        )

    @app.post("/api/documents")
    def add(new: models.NewDocument) -> models.Made:
        game = Game.parse(new.game) if new.game else None
        if new.text is None:
            return single(Record() if game is None else Record(game), new.title)
        found = read_any(new.text, game)
        records = list(islice(found, MOST_AT_ONCE))
        if not records:
            raise TengenError("there is no record in this text")
        if len(records) == 1:
            return single(records[0], new.title)
        skipped = sum(1 for _ in found)  # now: one of them may be wrong, and then nothing is added
        titled = [(record, f"{number}. {title_of(record)}") for number, record in enumerate(records, 1)]
        made = bench.collections.add(new.title or titled[0][1], titled)
        bench.tell_desk()
        return models.Made(
            document=entry_view(bench.collections.page(made)[0][0]),
            collection=next(entry for entry in bench.collection_entries() if entry.id == made),
            skipped=skipped,
        )

    def single(record: Record, title: str | None) -> models.Made:
        made = bench.add(record, title or title_of(record))
        return models.Made(document=next(entry for entry in bench.entries() if entry.id == made.id))

    @app.get("/api/documents/{id}")
    def get(id: str) -> models.DocumentView:
        document = bench.document(id)
        with document.lock:
            undo, redo = undo_labels(document)
            return models.DocumentView(
                id=id,
                title=document.title,
                game=game_view(document.record.game),
                revision=document.revision,
                nodes=document.tree.flat(document.record.root),
                undo=undo,
                redo=redo,
            )

    @app.patch("/api/documents/{id}")
    def rename(id: str, new: models.Title) -> None:
        bench.desk.rename(id, new.title)
        bench.tell_desk()

    @app.delete("/api/documents/{id}")
    def remove(id: str) -> None:
        bench.remove(id)

    @app.get("/api/documents/{id}/file")
    def download(id: str, format: str = "sgf", node: int | None = None) -> Response:
        document = bench.document(id)
        if format not in FORMATS:
            raise TengenError(f"{format!r} is no format; there are {', '.join(FORMATS)}")
        chosen = FORMATS[format]
        with document.lock:
            record = document.record if node is None else branch_of(document, node)
            content = encode(chosen.write(record, "utf-8"), "utf-8")
        name = "".join(c if c.isalnum() else "-" for c in document.title)[:60] or "record"
        # Header fields are Latin-1; the page names the file itself where it needs more.
        disposition = f'attachment; filename="{name.encode("ascii", "ignore").decode() or "record"}{chosen.suffix}"'
        return Response(content, media_type="text/plain; charset=utf-8", headers={"content-disposition": disposition})


def _add_collections(app: FastAPI, bench: Workbench) -> None:
    @app.get("/api/collections/{id}")
    def page(id: str, text: str = "", start: models.Place = 0) -> models.CollectionPage:
        entries, total = bench.collections.page(id, text, start)
        return models.CollectionPage(documents=[entry_view(entry) for entry in entries], total=total)

    @app.delete("/api/collections/{id}")
    def remove(id: str) -> None:
        bench.remove_collection(id)


def _add_edits(app: FastAPI, bench: Workbench) -> None:
    def edit(path: str, model: type[Any], act: Callable[[Document, Any], Told]) -> None:
        def handle(id: str, body: Any) -> models.Done:
            told = act(bench.document(id), body)
            return models.Done(revision=told.revision, node=told.node)

        handle.__annotations__ = {"id": str, "body": model, "return": models.Done}
        app.post(f"/api/documents/{{id}}/{path}", name=path)(handle)

    def merge(document: Document, body: models.Paste) -> Told:
        game = document.record.game
        records = list(islice(read_any(body.text, game), MOST_AT_ONCE))
        for record in records:
            if record.game != game:
                raise TengenError(f"this record is of {record.game.name}, not {game.name}")
        return document.graft(body.node, [branch for record in records for branch in branches(record, body.skip)])

    edit("play", models.Line, lambda d, b: d.play(b.node, [Move(text) for text in b.moves]))
    edit("comment", models.Comment, lambda d, b: d.comment(b.node, b.text))
    edit("mark", models.Mark, lambda d, b: d.mark(b.node, b.mark, Square.parse(b.square)))
    edit("label", models.Label, lambda d, b: d.label(b.node, Square.parse(b.square), b.text))
    edit(
        "setup",
        models.SetUp,
        lambda d, b: d.set_up(b.node, _squares(b.black), _squares(b.white), _colour(b.turn), b.stones_left),
    )
    edit("info", models.Info, lambda d, b: d.inform(b.values))
    edit("remove", models.NodeOnly, lambda d, b: d.remove(b.node))
    edit("promote", models.Promotion, lambda d, b: d.promote(b.node, b.to_main))
    edit("paste", models.Paste, merge)
    edit("undo", models.Model, lambda d, _: d.undo())
    edit("redo", models.Model, lambda d, _: d.redo())


def _add_looks(app: FastAPI, bench: Workbench) -> None:
    @app.get("/api/documents/{id}/hints")
    def hints(id: str, node: int) -> models.Hints:
        position = bench.document(id).position(node)
        return models.Hints(black=_threats(position, BLACK), white=_threats(position, WHITE))

    @app.get("/api/documents/{id}/position")
    def position(id: str, node: int) -> models.PositionText:
        return models.PositionText(text=str(bench.document(id).position(node)))

    @app.get("/api/documents/{id}/same")
    def same(id: str, node: int) -> models.SamePosition:
        document = bench.document(id)
        with document.lock:
            wanted = document.position(node).canonical_key
            found = [number for number, key in document.keys if key == wanted and number != node]
        return models.SamePosition(nodes=sorted(found))

    @app.get("/api/documents/{id}/find")
    def find(id: str, text: str) -> models.Findings:
        document = bench.document(id)
        wanted = text.strip()
        found = []
        with document.lock:
            position = position_in(wanted, document.record.game)
            wanted_key = None if position is None else position.canonical_key
            same = set() if wanted_key is None else {number for number, key in document.keys if key == wanted_key}
            for node in document.record.root.walk() if wanted else ():
                number = document.tree.number(node)
                excerpt = wanted if number in same else excerpt_of(node, wanted)
                if excerpt is not None:
                    found.append(models.Found(node=number, excerpt=excerpt))
                if len(found) > MOST_FOUND:
                    break
        return models.Findings(found=found[:MOST_FOUND], truncated=len(found) > MOST_FOUND)

    @app.get("/api/documents/{id}/image")
    def image(id: str, node: int, format: str = "svg", numbers: bool = False) -> Response:
        document = bench.document(id)
        position = document.position(node)
        with document.lock:
            at = document.tree.node(node)
            scene = draw(position, numbers=numbers, labels=at.labels, marks={mark: at.marked(mark) for mark in MARKS})
        if format == "png":
            return Response(to_png(scene, 2.0), media_type="image/png")
        return Response(to_svg(scene), media_type="image/svg+xml")


def _add_events(app: FastAPI, bench: Workbench) -> None:
    @app.websocket("/api/events")
    async def events(socket: WebSocket) -> None:
        offered = socket.scope.get("subprotocols") or []
        await socket.accept(WEBSOCKET_PROTOCOL if WEBSOCKET_PROTOCOL in offered else None)
        channel = Channel(asyncio.get_running_loop())
        bench.hub.join(channel)

        async def send() -> None:
            await socket.send_json([hello()])
            while waiting := await channel.take():
                await socket.send_json(waiting)
            await socket.close(1013)

        sender = asyncio.create_task(send())
        try:
            while True:  # windows say nothing here; this notices when they go
                await socket.receive()
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            bench.hub.leave(channel)
            sender.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await sender


def _threats(position: Position, side: Colour) -> models.SideThreats:
    summary = ThreatSummary(position, side)
    return models.SideThreats(
        threats=summary.number,
        segments=[[str(s) for s in segment.squares] for segment in summary.segments],
        defences=[[str(s) for s in defence.stones] for defence in summary.defences],
        lines=[
            models.Segment(
                level=str(line.level),
                kind=line.level.kind.value,
                stones=[str(s) for s in line.stones],
                squares=[str(s) for s in line.squares],
            )
            for line in summary.lines
        ],
    )


def _about(kind: AgentKind) -> str:
    try:
        return kind.help
    except TengenError as error:  # a package's agent that cannot be loaded must not hide the others
        return str(error)


def _squares(texts: Iterable[str]) -> list[Square]:
    return [Square.parse(text) for text in texts]


def _colour(text: str | None) -> Colour | None:
    return None if text is None else Colour.parse(text)
