"""The workbench's server, asked as a browser would ask it, and as strangers might."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tengen import Move, Position, check
from tengen.play import Budget, Choice, registry
from tengen.play.external import PROTOCOLS
from tengen.puzzle import KINDS, LEVELS, Puzzle, Shelf, shipped_puzzles
from tengen.record import Store, read_text
from tengen.solve import Control
from tengen.web import app as app_room
from tengen.web import document as document_room
from tengen.web import puzzle_routes
from tengen.web import tasks as tasks_room
from tengen.web.app import make_app
from tengen.web.desk import Desk
from tengen.web.entry import OneTimeTokens, session_token
from tengen.web.events import Channel
from tengen.web.key import FILE, LIFE_SECONDS, kept_key
from tengen.web.pages import pages
from tengen.web.security import MAX_BODY_BYTES, is_any_address, own_hosts, port_of
from tengen.web.tasks import Tasks, Tell

HOST = "127.0.0.1:8000"
KEY = "the-key"
SESSION = {"authorization": f"Bearer {session_token(KEY, '8000')}"}
LONG = "J10 H9I8 K11J12"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv("TENGEN_DATA", str(tmp_path))
    app = make_app(Store(tmp_path / "store"), key=KEY, hosts=[HOST])
    with TestClient(app, base_url=f"http://{HOST}", headers=SESSION) as client:
        yield client


def ok(response: Any) -> Any:
    assert response.status_code == 200, response.text
    return response.json()


def new(client: TestClient, text: str | None = None, game: str | None = None) -> str:
    made = ok(client.post("/api/documents", json={"text": text, "game": game}))
    return str(made["document"]["id"])


def act(client: TestClient, id: str, what: str, **fields: Any) -> int:
    return int(ok(client.post(f"/api/documents/{id}/{what}", json=fields))["node"])


def finished(client: TestClient, task: int, seconds: float = 60) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = next(one for one in ok(client.get("/api/tasks"))["tasks"] if one["id"] == task)
        if found["state"] not in ("waiting", "running"):
            return dict(found)
        time.sleep(0.02)
    raise AssertionError("it did not end")


def wait_for(it_is_so: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not it_is_so():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def test_a_record_is_made_edited_and_downloaded(client: TestClient) -> None:
    id = new(client, game="connect6")
    node = act(client, id, "play", node=0, moves=["J10", "K11I9"])
    act(client, id, "comment", node=node, text="天元")
    act(client, id, "mark", node=node, mark="triangle", square="K11")
    act(client, id, "label", node=node, square="A1", text="x")
    act(client, id, "info", values={"PB": "Alice", "PW": "Bob"})
    content = client.get(f"/api/documents/{id}/file?format=sgf").text
    record = next(read_text(content))
    assert [str(move) for move in record.moves()] == ["J10", "K11I9"]
    assert record.end().comment == "天元"
    assert record.root.get("PW") == "Bob"
    assert client.get(f"/api/documents/{id}/file?format=moves").text.split() == ["1.j10", "2.k11i9"]
    view = ok(client.get(f"/api/documents/{id}"))
    assert (view["undo"], view["revision"]) == ("game", 5)
    act(client, id, "undo")
    assert ok(client.get(f"/api/documents/{id}"))["redo"] == "game"


def test_texts_of_all_kinds_are_opened(client: TestClient) -> None:
    sgf = "(;GM[511]PB[a]PW[b];B[j10];W[i9k11])"
    assert new(client, "J10 K11I9")
    assert new(client, "gomoku H8 I9")
    assert ok(client.post("/api/documents", json={"text": sgf}))["document"]["title"] == "a – b"
    refused = client.post("/api/documents", json={"text": "(;GM[511];B[j10];B[k11])"})
    assert refused.status_code == 422
    assert "turn" in refused.json()["error"]


def test_a_long_line_of_moves_is_told_which_of_them_is_wrong(client: TestClient) -> None:
    moves = [f"{column}{row}{column}{row + 1}" for column in "ACEGIKMOQS" for row in range(1, 18, 4)]
    line = " ".join(["J10", *moves, *(move.replace(move[0], chr(ord(move[0]) + 1)) for move in moves)])
    answer = client.post("/api/documents", json={"text": line})  # which comes to J10 again
    assert len(line) > 500
    assert (answer.status_code, answer.json()["error"]) == (422, "J10 is occupied by a black stone")


def test_files_with_many_records_stay_together(client: TestClient) -> None:
    sgf = "".join(f"(;GM[511]PB[player {n}]PW[b];B[j10];W[i9k11])" for n in range(1, 251))
    made = ok(client.post("/api/documents", json={"text": sgf, "title": "games"}))
    assert (made["collection"]["title"], made["collection"]["size"], made["skipped"]) == ("games", 250, 0)
    assert made["document"]["title"] == "1. player 1 – b"
    desk = ok(client.get("/api/desk"))
    assert (desk["documents"], desk["collections"]) == ([], [made["collection"]])
    path = f"/api/collections/{made['collection']['id']}"
    last = ok(client.get(f"{path}?start=200"))
    assert (last["total"], len(last["documents"]), last["documents"][-1]["title"]) == (250, 50, "250. player 250 – b")
    some = ok(client.get(f"{path}?text=PLAYER 13"))
    assert [one["title"] for one in some["documents"]][:2] == ["13. player 13 – b", "130. player 130 – b"]
    assert ok(client.get(f"{path}?text=%25"))["total"] == 0
    last_one = last["documents"][-1]["id"]
    act(client, last_one, "comment", node=2, text="the last")
    ok(client.delete(path))
    assert client.get(f"/api/documents/{last_one}").status_code == 422
    assert client.delete(path).status_code == 422


def test_a_file_with_a_wrong_record_anywhere_is_refused_whole(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_room, "MOST_AT_ONCE", 2)
    good, wrong = "(;GM[511];B[j10])", "(;GM[511];B[j10];B[k11])"
    refused = client.post("/api/documents", json={"text": good * 3 + wrong})
    assert refused.status_code == 422
    desk = ok(client.get("/api/desk"))
    assert (desk["documents"], desk["collections"]) == ([], [])
    assert ok(client.post("/api/documents", json={"text": good * 3}))["skipped"] == 1


def test_records_that_are_too_large_are_refused_before_they_are_built(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_room, "MAX_NODES", 3)
    fits, large = "(;GM[511];B[j10];W[i9k11])", "(;GM[511];B[j10];W[i9k11](;B[a1a2])(;B[a3a4]))"
    id = new(client, fits)
    for text in (large, fits + large):
        refused = client.post("/api/documents", json={"text": text})
        assert (refused.status_code, refused.json()["error"]) == (422, "a record has at most 3 nodes here")
    millions = "(;GM[511];B[j10]" + ";" * 5_000_000 + ")"  # which nobody reads: that would take minutes
    assert client.post("/api/documents", json={"text": millions}).status_code == 422
    many_signs = "(;GM[511]C[" + ";" * 300_000 + "\\]" + ";" * 300_000 + "];B[j10])"
    assert new(client, many_signs)
    pasted = client.post(f"/api/documents/{id}/paste", json={"node": 0, "text": large})
    assert pasted.status_code == 422
    assert len(ok(client.get("/api/desk"))["documents"]) == 2


def test_errors_say_what_is_wrong_and_change_nothing(client: TestClient) -> None:
    id = new(client, "J10")
    for path, fields in (
        ("play", {"node": 1, "moves": ["J10K10"]}),
        ("play", {"node": 9, "moves": ["K10L10"]}),
        ("mark", {"node": 1, "mark": "skull", "square": "J10"}),
        ("mark", {"node": 1, "mark": "cross", "square": "no square"}),
        ("paste", {"node": 1, "text": "(;GM[511];B[j10])"}),
        ("paste", {"node": 1, "text": "gomoku H8"}),
        ("comment", {"node": 1, "text": "x", "unknown": 1}),
    ):
        response = client.post(f"/api/documents/{id}/{path}", json=fields)
        assert response.status_code == 422, (path, fields)
        assert response.json()
    assert ok(client.get(f"/api/documents/{id}"))["revision"] == 0
    assert client.get("/api/documents/none").status_code == 422


def test_branches_are_cut_and_pasted(client: TestClient) -> None:
    id = new(client, "J10 K11I9 L10L11")
    branch = client.get(f"/api/documents/{id}/file?format=sgf&node=2").text
    act(client, id, "remove", node=2)
    assert len(ok(client.get(f"/api/documents/{id}"))["nodes"]) == 2
    act(client, id, "paste", node=0, text=branch)
    nodes = ok(client.get(f"/api/documents/{id}"))["nodes"]
    assert [node["properties"] for node in nodes[1:]] == [{"B": ["J10"]}, {"W": ["K11I9"]}, {"B": ["L10L11"]}]


def test_a_branch_is_put_after_another_node(client: TestClient) -> None:
    id = new(client, "J10 K11I9 L10L11 A1A2")
    branch = client.get(f"/api/documents/{id}/file?format=sgf&node=3").text
    other = act(client, id, "play", node=1, moves=["C3C4"])
    act(client, id, "paste", node=other, text=branch, skip=3)
    assert [node["properties"] for node in ok(client.get(f"/api/documents/{id}"))["nodes"][-2:]] == [
        {"B": ["L10L11"]},
        {"W": ["A1A2"]},
    ]
    refused = client.post(f"/api/documents/{id}/paste", json={"node": 1, "text": branch, "skip": 3})
    assert refused.status_code == 422  # it is White's turn there


def test_positions_are_told_in_words(client: TestClient) -> None:
    id = new(client, "gomoku H8 I9")
    text = ok(client.get(f"/api/documents/{id}/position?node=2"))["text"]
    assert ok(client.get(f"/api/documents/{new(client, text)}"))["game"]["k"] == 5


def test_equal_positions_are_found_whatever_the_way_to_them(client: TestClient) -> None:
    id = new(client, "J10 K11I9 J11J12")
    other = act(client, id, "play", node=0, moves=["J10", "K9I11", "J9J8"])
    assert ok(client.get(f"/api/documents/{id}/same?node={other}"))["nodes"] == [3]


def test_comments_are_found(client: TestClient) -> None:
    id = new(client, "J10 K11I9")
    act(client, id, "comment", node=2, text="A Good move")
    assert [found["node"] for found in ok(client.get(f"/api/documents/{id}/find?text=good"))["found"]] == [2]


def test_positions_are_found_by_their_moves(client: TestClient) -> None:
    id = new(client, "J10 K11I9 L10L11")
    mirrored = act(client, id, "play", node=1, moves=["K9I11"])
    for text in ("J10 I9K11", "B: J10 W: K11 I9 to move: B 2"):
        found = ok(client.get(f"/api/documents/{id}/find", params={"text": text}))["found"]
        assert [one["node"] for one in found] == [2, mirrored], text


def test_hints_and_images(client: TestClient) -> None:
    id = new(client, "J10 A1A2 K10L10 A3B9 M10A19")
    node = ok(client.get(f"/api/documents/{id}"))["nodes"][-1]["id"]
    hints = ok(client.get(f"/api/documents/{id}/hints?node={node}"))
    assert hints["black"]["threats"] == 2
    assert hints["white"]["threats"] == 0
    assert client.get(f"/api/documents/{id}/image?node={node}").text.startswith("<svg")
    assert client.get(f"/api/documents/{id}/image?node={node}&format=png").content.startswith(b"\x89PNG")


def test_questions_are_answered(client: TestClient) -> None:
    id = new(client, "J10 A1A2 K10L10 B1C9")
    node = ok(client.get(f"/api/documents/{id}"))["nodes"][-1]["id"]
    for kind, options in (
        ("analyse", {"nodes": 200, "lines": 3}),
        ("solve", {"win": "vcdt"}),
        ("defend", {"order": 1}),
    ):
        task = ok(client.post("/api/tasks", json={"kind": kind, "document": id, "node": node, **options}))
        answer = finished(client, task["id"])
        assert answer["state"] == "done", answer
        assert answer["answer"]


def test_stop_stops_what_runs_and_what_waits(client: TestClient) -> None:
    id = new(client, LONG)
    node = ok(client.get(f"/api/documents/{id}"))["nodes"][-1]["id"]
    asked = {"kind": "analyse", "document": id, "node": node, "seconds": 3600}
    tasks = [ok(client.post("/api/tasks", json=asked))["id"] for _ in range(4)]
    ok(client.delete("/api/tasks"))
    assert [finished(client, task)["state"] for task in tasks] == ["stopped"] * 4


def test_agents_other_than_the_engine_are_stopped_too(client: TestClient) -> None:
    id = new(client, LONG)
    asked = {"kind": "analyse", "document": id, "node": 3, "agent": "monte-carlo:games=1000000000"}
    task = ok(client.post("/api/tasks", json=asked))["id"]
    wait_for(lambda: ok(client.get("/api/tasks"))["tasks"][-1]["state"] == "running")
    ok(client.delete(f"/api/tasks/{task}"))
    assert finished(client, task)["state"] == "stopped"


def test_a_program_that_hangs_is_ended_when_its_game_is_paused(tmp_path: Path) -> None:
    """After that it is started again, and is not asked by two at once."""
    script, begun = tmp_path / "hang.py", tmp_path / "begun"
    begun.touch()
    script.write_text(
        "import os, sys, time\n"
        f"with open({str(begun)!r}, 'a') as file: print(os.getpid(), file=file, flush=True)\n"
        "time.sleep(1000)\n"
    )
    program = f"gtp:{sys.executable} -I {script}"
    app = make_app(Store(tmp_path / "store"), key=KEY, hosts=[HOST], programs=[program])
    with TestClient(app, base_url=f"http://{HOST}", headers=SESSION) as client:
        id = new(client, "J10")
        ok(client.post(f"/api/documents/{id}/game", json={"node": 1, "black": "person", "white": program}))
        for number in (1, 2):
            wait_for(lambda number=number: len(begun.read_text().split()) == number)  # type: ignore[misc]
            task = ok(client.get("/api/tasks"))["tasks"][-1]["id"]
            assert ok(client.post(f"/api/documents/{id}/game/pause", json={}))["paused"]
            assert finished(client, task)["state"] == "stopped"
            process = int(begun.read_text().split()[-1])
            with pytest.raises(ProcessLookupError):
                os.kill(process, 0)
            assert ok(client.post(f"/api/documents/{id}/game/resume", json={}))["problem"] is None


@pytest.mark.parametrize("choice", [None, Choice(Move("K11I9"), win=float("nan")), ZeroDivisionError()])
def test_an_agent_that_fails_pauses_its_game_and_says_why(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, choice: object
) -> None:
    class Faulty:
        name = "faulty"

        def choose(self, position: Position, budget: Budget) -> object:
            if isinstance(choice, Exception):
                raise choice
            return choice

        def close(self) -> None:
            raise ZeroDivisionError

    monkeypatch.setitem(registry._OWN, "faulty", Faulty)
    id = new(client, "J10")
    ok(client.post(f"/api/documents/{id}/game", json={"node": 1, "black": "person", "white": "faulty"}))
    wait_for(lambda: ok(client.get("/api/games"))["games"][0]["paused"])
    assert "faulty failed: " in ok(client.get("/api/games"))["games"][0]["problem"]
    ok(client.delete(f"/api/documents/{id}/game"))


def test_the_end_does_not_wait_for_a_task_that_hears_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks_room, "CLOSE_SECONDS", 0.1)
    begun, may_end = threading.Event(), threading.Event()

    def deaf(_control: Control, _tell: Tell) -> dict[str, Any]:
        begun.set()
        may_end.wait()
        return {}

    tasks = Tasks(lambda _task: None, 1)
    tasks.add("deaf", "", 0, "", deaf, {})
    begun.wait()
    tasks.close()
    assert tasks.list()[0].state == "running"
    may_end.set()


def test_a_window_catches_up_with_another_server_on_the_same_data(client: TestClient, tmp_path: Path) -> None:
    id = new(client, "J10")
    Desk(Store(tmp_path / "store")).get(id).play(1, [Move("K11I9")])
    with client.websocket_connect(f"ws://{HOST}/api/events", headers={"origin": f"http://{HOST}"}) as socket:
        assert socket.receive_json()[0]["on"] == "hello"
        ok(client.get(f"/api/documents/{id}"))
        refused = client.post(f"/api/documents/{id}/comment", json={"node": 1, "text": "mine"})
        assert refused.status_code == 409
        assert "another workbench" in refused.json()["error"]
        assert [event["on"] for event in socket.receive_json()] == ["hello"]  # which has it ask for everything
    view = ok(client.get(f"/api/documents/{id}"))
    assert (view["revision"], len(view["nodes"])) == (1, 3)
    act(client, id, "comment", node=1, text="mine")


def test_windows_hear_of_everything(client: TestClient) -> None:
    id = new(client, "J10")
    with client.websocket_connect(f"ws://{HOST}/api/events", headers={"origin": f"http://{HOST}"}) as socket:
        assert socket.receive_json()[0]["on"] == "hello"
        act(client, id, "play", node=1, moves=["K11I9"])
        events = socket.receive_json()
        assert events[0]["on"] == "changed"
        assert events[0]["changes"][0]["nodes"][0]["properties"] == {"W": ["K11I9"]}
        task = ok(client.post("/api/tasks", json={"kind": "solve", "document": id, "node": 1}))
        seen: list[str] = []
        while "done" not in seen:
            seen += [event["task"]["state"] for event in socket.receive_json() if event["on"] == "task"]
        assert finished(client, task["id"])["state"] == "done"


def test_programs_are_not_started_from_the_browser(client: TestClient, tmp_path: Path) -> None:
    id, trace = new(client, "J10"), tmp_path / "trace"
    hiding_places = [
        "{}",
        " {} ",
        "({})",
        "(({}))",
        "minimax:({})",
        "minimax:over=({})",
        "opening-book:atlas,then=({})",
        "opening-book:atlas,then=(opening-book:atlas,then=({}))",
    ]
    for protocol, hidden in product(["external:gtp", *PROTOCOLS], hiding_places):
        agent = hidden.format(f"{protocol}:/bin/sh -c 'touch {trace}'")
        asked = {"kind": "analyse", "document": id, "node": 1, "agent": agent}
        assert client.post("/api/tasks", json=asked).status_code == 422, agent
        for players in ({"black": "person", "white": agent}, {"black": agent, "white": "person"}):
            assert client.post(f"/api/documents/{id}/game", json={"node": 1, **players}).status_code == 422, agent
    assert not trace.exists()
    assert ok(client.get("/api/games"))["games"] == []


def test_programs_that_the_user_named_are_asked_also_within_other_agents(tmp_path: Path) -> None:
    named = f"cloudict:{sys.executable} -m tengen engine -p cloudict -a simple"
    app = make_app(Store(tmp_path / "store"), key=KEY, hosts=[HOST], programs=[f" {named}"])
    with TestClient(app, base_url=f"http://{HOST}", headers=SESSION) as client:
        id = new(client, "J10")
        for agent in (named, f"opening-book:atlas,then=({named})"):
            asked = {"kind": "analyse", "document": id, "node": 1, "agent": agent}
            assert finished(client, ok(client.post("/api/tasks", json=asked))["id"])["state"] == "done"
        stranger = {**asked, "agent": f"{named},depth=2"}
        assert client.post("/api/tasks", json=stranger).status_code == 422


def test_the_key_outlives_the_server_and_is_for_one_user(tmp_path: Path) -> None:
    key = kept_key(tmp_path)
    assert (kept_key(tmp_path), len(key)) == (key, 32)
    file = tmp_path / FILE
    assert [one.name for one in tmp_path.iterdir()] == [FILE]
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.chmod(0o644)  # somebody may have read it
        assert key != (key := kept_key(tmp_path))
    long_ago = time.time() - LIFE_SECONDS - 1
    os.utime(file, (long_ago, long_ago))
    assert key != (key := kept_key(tmp_path))
    file.write_text("short")
    assert key != kept_key(tmp_path)


def test_pages_are_packed_and_what_cannot_change_is_asked_for_once(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    script = "let stones = 0;\n" * 1000
    (tmp_path / "assets" / "index-AbC.js").write_text(script)
    (tmp_path / "index.html").write_text("<title>Tengen</title>")
    client = TestClient(pages(tmp_path))
    packed = client.get("/assets/index-AbC.js")
    assert packed.text == script
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(script) / 10
    assert "immutable" in packed.headers["cache-control"]
    plain = client.get("/assets/index-AbC.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    known = client.get("/assets/index-AbC.js", headers={"if-none-match": packed.headers["etag"]})
    assert known.status_code == 304
    page = client.get("/")
    assert "content-encoding" not in page.headers  # it is small
    assert page.headers["cache-control"] == "no-cache"


def test_strangers_are_refused(client: TestClient) -> None:
    own = {"origin": f"http://{HOST}"}
    assert client.get("/api/desk", headers=own).status_code == 200
    assert client.get("/api/desk", headers={"origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/desk", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get("/api/desk", headers={"origin": "http://["}).status_code == 403
    assert client.get("/api/desk", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/api/desk", headers={"host": "["}).status_code == 421
    assert (
        client.post("/api/documents", content=b"x", headers={"content-length": str(MAX_BODY_BYTES + 1)}).status_code
        == 413
    )
    assert client.post("/api/documents", content=iter([b"{}"])).status_code == 411
    del client.headers["authorization"]
    for path in ("/api/desk", f"/api/desk?key={KEY}", "/%61pi/desk", "/api/", "/api/none"):
        assert client.get(path).status_code == 403, path
    for path in ("/openapi.json", "/docs", "/api"):
        assert client.get(path).status_code == 404, path
    wrong = {"authorization": f"Bearer {KEY}"}  # the key alone opens nothing but a session
    assert client.get("/api/desk", headers=wrong).status_code == 403
    strange = {"authorization": SESSION["authorization"].encode() + b"\xe9"}
    assert client.get("/api/desk", headers=strange).status_code == 403  # type: ignore[arg-type]
    for subprotocols in ([], ["tengen"], ["tengen", "tengen.session.wrong"]):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://{HOST}/api/events", subprotocols):
            pass


def test_a_window_exchanges_the_key_for_a_session(client: TestClient) -> None:
    del client.headers["authorization"]
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {KEY}"}):
        assert client.post("/api/session", headers=headers).status_code == 403
    key = {"authorization": f"Bearer {KEY}"}
    assert client.get("/api/session", headers=key).status_code == 405
    assert client.post("/api/session", headers={**key, "origin": "http://127.0.0.1:8001"}).status_code == 403
    entered = client.post("/api/session", headers=key)
    assert "set-cookie" not in entered.headers
    assert ok(entered) == {"session": SESSION["authorization"].removeprefix("Bearer ")}
    token = ok(entered)["session"]
    assert client.get("/api/desk", headers={"authorization": f"Bearer {token}"}).status_code == 200
    with client.websocket_connect(f"ws://{HOST}/api/events", ["tengen", f"tengen.session.{token}"]) as socket:
        assert socket.accepted_subprotocol == "tengen"
        assert socket.receive_json()[0]["on"] == "hello"


def test_a_session_is_valid_on_one_port(tmp_path: Path) -> None:
    hosts = [f"127.0.0.1:{port}" for port in (8000, 8001)]
    app = make_app(Store(tmp_path / "store"), key=KEY, hosts=hosts)
    with TestClient(app, headers=SESSION) as client:
        assert [client.get("/api/desk", headers={"host": host}).status_code for host in hosts] == [200, 403]


def test_a_one_time_token_is_valid_once_and_not_for_long(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.touch()
    tokens = OneTimeTokens()
    token = tokens.issue(page)
    assert not tokens.redeem("wrong")
    assert page.exists()
    assert tokens.redeem(token)
    assert not page.exists()
    assert not tokens.redeem(token)
    revoked = tokens.issue()
    tokens.revoke_all()
    assert not tokens.redeem(revoked)
    expiring = OneTimeTokens(life_s=0)
    assert not expiring.redeem(expiring.issue())


@pytest.mark.parametrize(
    ("listens_on", "port", "answers_to", "not_to"),
    [
        ("127.0.0.1", 8626, ["127.0.0.1:8626", "localhost:8626"], ["127.0.0.1:8627", "127.0.0.1", "[::1]:8626"]),
        ("::1", 8626, ["[::1]:8626", "LOCALHOST:8626"], ["[::2]:8626", "::1:8626"]),
        ("Host.Example", 80, ["host.example:80", "host.example"], ["localhost", "127.0.0.1"]),
        ("0.0.0.0", 8626, ["localhost:8626", "127.0.0.1:8626", "192.0.2.7:8626"], ["evil.example:8626", "192.0.2.7"]),
        ("::", 80, ["[2001:db8::7]", "[2001:db8::7]:80", "127.0.0.1"], ["evil.example", "[2001:db8::7]:81", "[", ""]),
    ],
)
def test_the_server_answers_to_its_own_names(
    tmp_path: Path, listens_on: str, port: int, answers_to: list[str], not_to: list[str]
) -> None:
    hosts, everywhere = own_hosts(listens_on, port), is_any_address(listens_on)
    app = make_app(Store(tmp_path / "store"), key=KEY, hosts=hosts, any_address=everywhere)
    with TestClient(app) as client:
        for host in answers_to:
            token = {"authorization": f"Bearer {session_token(KEY, port_of(host))}"}
            headers = {"host": host, "origin": f"http://{host}", **token}
            assert client.get("/api/desk", headers=headers).status_code == 200, host
        for host in not_to:
            assert client.get("/", headers={"host": host}).status_code == 421, host


def wait_for_turn(client: TestClient, id: str, turn: str, seconds: float = 60) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        game = next(one for one in ok(client.get("/api/games"))["games"] if one["document"] == id)
        if game["turn"] == turn or game["result"]:
            return dict(game)
        time.sleep(0.02)
    raise AssertionError("nobody moves")


def test_a_game_against_a_program(client: TestClient) -> None:
    id = new(client)
    players = {"black": "person", "white": "simple"}
    ok(client.post(f"/api/documents/{id}/game", json={"node": 0, **players, "control": "5m+2s"}))
    ok(client.post(f"/api/documents/{id}/game/move", json={"move": "J10"}))
    game = wait_for_turn(client, id, "black")
    assert len(ok(client.get(f"/api/documents/{id}"))["nodes"]) == 3
    assert 290 < game["left"]["black"] <= 302
    illegal = client.post(f"/api/documents/{id}/game/move", json={"move": "J10A1"})
    assert illegal.status_code == 422
    back = ok(client.post(f"/api/documents/{id}/game/back", json={}))
    assert (back["node"], back["turn"]) == (0, "black")
    ok(client.post(f"/api/documents/{id}/game/move", json={"move": "K11"}))
    ended = ok(client.post(f"/api/documents/{id}/game/resign", json={}))
    assert ended["result"] == "W+Resign"
    file = client.get(f"/api/documents/{id}/file").text
    told = next(read_text(file))
    assert str(told.moves()[0]) == "K11", "what was taken back is no more than a variation"
    assert [told.root.get(name) for name in ("PB", "PW", "RE")] == [None, "simple", "W+Resign"]
    assert client.post(f"/api/documents/{id}/game/move", json={"move": "J10"}).status_code == 422


def test_a_game_from_a_record_of_others_leaves_its_names_and_main_line_alone(client: TestClient) -> None:
    text = "(;FF[4]PB[Ann]PW[Bo]RE[B+Resign];B[j10];W[i9k11];B[h8h9])"
    id = ok(client.post("/api/documents", json={"text": text}))["document"]["id"]
    ok(client.post(f"/api/documents/{id}/game", json={"node": 1, "black": "person", "white": "person"}))
    ok(client.post(f"/api/documents/{id}/game/move", json={"move": "J9J11"}))
    assert ok(client.post(f"/api/documents/{id}/game/resign", json={}))["result"] == "W+Resign"
    told = next(read_text(client.get(f"/api/documents/{id}/file").text))
    assert [told.root.get(name) for name in ("PB", "PW", "RE")] == ["Ann", "Bo", "B+Resign"]
    assert [str(move) for move in told.moves()] == ["J10", "I9K11", "H8H9"]


def test_two_programs_play_to_the_end(client: TestClient) -> None:
    id = new(client, game="tic-tac-toe")
    ok(client.post(f"/api/documents/{id}/game", json={"node": 0, "black": "engine:nodes=50", "white": "simple"}))
    end = time.monotonic() + 60
    while (game := ok(client.get("/api/games"))["games"][0])["result"] is None and time.monotonic() < end:
        time.sleep(0.02)
    assert game["result"] in ("0", "B+", "W+")


def test_a_game_that_cannot_begin_leaves_the_one_before_alone(client: TestClient) -> None:
    id = new(client)
    people = {"node": 0, "black": "person", "white": "person"}
    ok(client.post(f"/api/documents/{id}/game", json=people))
    for wrong in ({"white": "nobody"}, {"node": 99}, {"control": "long"}):
        assert client.post(f"/api/documents/{id}/game", json=people | wrong).status_code == 422
    ok(client.post(f"/api/documents/{id}/game/move", json={"move": "J10"}))


@pytest.mark.parametrize("together", [False, True])
def test_what_is_done_with_a_record_ends_when_it_is_removed(client: TestClient, together: bool) -> None:
    made = ok(client.post("/api/documents", json={"text": "(;GM[511];B[j10])" * (2 if together else 1)}))
    id = made["document"]["id"]
    asked = {"kind": "analyse", "document": id, "node": 1, "seconds": 3600}
    task = ok(client.post("/api/tasks", json=asked))["id"]
    endless = "monte-carlo:games=1000000000"
    ok(client.post(f"/api/documents/{id}/game", json={"node": 1, "black": "person", "white": endless}))
    move = ok(client.get("/api/tasks"))["tasks"][-1]["id"]
    ok(client.delete(f"/api/collections/{made['collection']['id']}" if together else f"/api/documents/{id}"))
    assert ok(client.get("/api/games"))["games"] == []
    assert [finished(client, one)["state"] for one in (task, move)] == ["stopped"] * 2
    gone = client.post(f"/api/documents/{id}/game/resign", json={})
    assert (gone.status_code, gone.json()["error"]) == (422, "no game is played here")


def test_full_strength_opens_by_the_atlas(client: TestClient) -> None:
    id = new(client, "J10 M13G10")
    players = {"black": "engine:level=10,book=atlas", "white": "person"}
    ok(client.post(f"/api/documents/{id}/game", json={"node": 2, **players}))
    wait_for_turn(client, id, "white")
    assert ok(client.get(f"/api/documents/{id}"))["nodes"][3]["properties"]["B"] == ["K9J8"]


def test_time_is_up_for_a_person_who_thinks_too_long(client: TestClient) -> None:
    id = new(client)
    game = {"node": 0, "black": "person", "white": "simple", "control": "1ms/move"}
    ok(client.post(f"/api/documents/{id}/game", json=game))
    assert wait_for_turn(client, id, "white")["result"] == "W+Time"


def test_a_whole_game_is_looked_over(client: TestClient) -> None:
    id = new(client, "J10 A1A2 K10L10 B1C9 R1S3 D1E9")  # Black overlooked a win
    asked = {"kind": "game", "document": id, "node": 0, "nodes": 50}
    task = finished(client, ok(client.post("/api/tasks", json=asked))["id"])
    assert task["state"] == "done", task
    faults = [(fault["node"], fault["verdict"]) for fault in task["answer"]["findings"]]
    assert faults == [(4, "left open"), (5, "missed"), (6, "left open")]
    nodes = ok(client.get(f"/api/documents/{id}"))["nodes"]
    assert [nodes[number]["properties"]["BM"] for number in (4, 5, 6)] == [["1"], ["2"], ["1"]]
    assert all("V" in node["properties"] for node in nodes[:7])
    assert len(nodes) > 7


def test_one_of_the_players_own_puzzles_is_found_without_the_others(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(Store(tmp_path / "store"))
    lines = (Path(__file__).parent / "few_puzzles.jsonl").read_text(encoding="utf-8").splitlines()
    puzzles = [Puzzle.from_json(json.loads(line)) for line in lines]
    for puzzle in puzzles:
        shelf.keep(puzzle)
    with Store(tmp_path / "store").transaction() as connection:
        connection.execute("UPDATE own_puzzle SET content = 'damaged' WHERE name != ?", (puzzles[0].name,))
    monkeypatch.setattr(puzzle_routes, "shipped_puzzles", list)
    right = ok(client.post(f"/api/puzzles/{puzzles[0].name}/solution", json={}))["move"]
    assert Move(right) == puzzles[0].move
    assert client.post("/api/puzzles/none/solution", json={}).status_code == 422


def test_themes_and_levels_are_counted_as_the_rest_of_the_wish_leaves_them(client: TestClient) -> None:
    puzzles = shipped_puzzles()
    chosen: dict[str, str | int] = {"least": 2, "most": 4, "kind": "win", "theme": "in 3"}
    sets = ok(client.get("/api/puzzles", params=chosen))
    assert sets["kinds"] == [kind for kind in KINDS if any(one.kind == kind for one in puzzles)]
    wins = [one for one in puzzles if one.kind == "win" and 2 <= one.level <= 4]
    assert sets["themes"] == Counter(theme for one in wins for theme in one.themes if theme not in KINDS)
    of_theme = Counter((one.kind, one.level) for one in puzzles if "in 3" in one.themes)
    assert sets["levels"] == {kind: [of_theme[kind, level] for level in range(1, LEVELS + 1)] for kind in KINDS}
    assert client.get("/api/puzzles", params={"least": 7, "most": 3}).status_code == 422


def test_a_proof_search_is_watched_hinted_and_proved(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = new(client, "Connect(7,7,4,1,1) D4 B2")
    asked = {"kind": "prove", "document": id, "node": 2, "side": "black", "seconds": 120}
    task = ok(client.post("/api/tasks", json=asked))["id"]
    ok(client.post(f"/api/tasks/{task}/hint", json={"text": "nonsense"}))
    found = finished(client, task, 180)
    assert found["state"] == "done", found
    answer = found["answer"]
    assert (answer["result"], answer["proof"]) == ("win", True)
    assert answer["tree"][0]["winner"] == "black"
    assert "nonsense" in answer["problems"][0]
    proof = tmp_path / "p.tpf"
    proof.write_bytes(client.get(f"/api/tasks/{task}/proof").content)
    assert check(proof).accepted
    kept = [one for one in tmp_path.rglob("*.tpf") if one != proof]
    assert len(kept) == 1
    monkeypatch.setattr(tasks_room, "KEPT", 1)
    for _ in range(2):
        solve = {"kind": "solve", "document": id, "node": 2}
        finished(client, ok(client.post("/api/tasks", json=solve))["id"])
    assert not kept[0].exists()  # nobody can ask for it any more
    assert client.get(f"/api/tasks/{task}/proof").status_code == 422
    assert client.post("/api/tasks", json={**asked, "on_grid": True}).status_code == 422


def test_a_window_that_has_taken_everything_waits_for_more() -> None:
    async def windows() -> None:
        channel = Channel(asyncio.get_running_loop())
        channel.put({"number": 1})
        await asyncio.sleep(0)  # word of the first has come
        channel.put({"number": 2})  # taken together with the first, before word of it comes
        assert [event["number"] for event in await channel.take()] == [1, 2]
        more = asyncio.ensure_future(channel.take())
        await asyncio.sleep(0.05)
        assert not more.done()  # an empty answer would mean that the window is cut off
        channel.put({"number": 3})
        assert [event["number"] for event in await more] == [3]

    with ThreadPoolExecutor(1) as thread:  # the browser's tests leave a loop running in this one
        thread.submit(lambda: asyncio.run(windows())).result()
