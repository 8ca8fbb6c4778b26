"""The workbench's server, asked as a browser would ask it, and as strangers might."""

from __future__ import annotations

import asyncio
import os
import stat
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tengen import check
from tengen.record import Store, read_text
from tengen.web.app import make_app
from tengen.web.events import Channel
from tengen.web.key import FILE, LIFE_SECONDS, kept_key
from tengen.web.security import COOKIE, MAX_BODY

HOST = "127.0.0.1:8000"
KEY = "the-key"
LONG = "J10 H9I8 K11J12"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv("TENGEN_DATA", str(tmp_path))
    app = make_app(Store(tmp_path / "store"), key=KEY, hosts=[HOST])
    with TestClient(app, base_url=f"http://{HOST}", cookies={COOKIE: KEY}) as client:
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


def test_programs_are_not_started_from_the_browser(client: TestClient) -> None:
    id = new(client, "J10")
    asked = {"kind": "analyse", "document": id, "node": 1, "agent": "gtp:/bin/true"}
    assert client.post("/api/tasks", json=asked).status_code == 422


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


def test_strangers_are_refused(client: TestClient) -> None:
    own = {"origin": f"http://{HOST}"}
    assert client.get("/api/desk", headers=own).status_code == 200
    assert client.get("/api/desk", headers={"origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/desk", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get("/api/desk", headers={"host": "evil.example"}).status_code == 421
    assert client.post("/api/documents", content=b"x", headers={"content-length": str(MAX_BODY + 1)}).status_code == 413
    assert client.post("/api/documents", content=iter([b"{}"])).status_code == 411
    client.cookies.clear()
    assert client.get("/api/desk").status_code == 403
    assert client.get("/api/desk?key=wrong").status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://{HOST}/api/events"):
        pass
    entered = client.get(f"/api/desk?key={KEY}", follow_redirects=False)
    assert entered.status_code == 303
    assert "samesite=strict" in entered.headers["set-cookie"].lower()
    assert KEY not in entered.headers["location"]
    assert client.get("/api/desk").status_code == 200


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
    ended = ok(client.post(f"/api/documents/{id}/game/resign", json={}))
    assert ended["result"] == "W+Resign"
    assert ok(client.get(f"/api/documents/{id}"))["nodes"][0]["properties"]["RE"] == ["W+Resign"]
    assert client.post(f"/api/documents/{id}/game/move", json={"move": "J10"}).status_code == 422


def test_two_programs_play_to_the_end(client: TestClient) -> None:
    id = new(client, game="tic-tac-toe")
    ok(client.post(f"/api/documents/{id}/game", json={"node": 0, "black": "engine:nodes=50", "white": "simple"}))
    end = time.monotonic() + 60
    while (game := ok(client.get("/api/games"))["games"][0])["result"] is None and time.monotonic() < end:
        time.sleep(0.02)
    assert game["result"] in ("0", "B+", "W+")


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


def test_a_proof_search_is_watched_hinted_and_proved(client: TestClient, tmp_path: Path) -> None:
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
    assert client.get("/api/tasks/99/proof").status_code == 422
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
