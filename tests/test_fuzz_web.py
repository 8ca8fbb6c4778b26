"""Whatever a window sends, the server says what is wrong and goes on. Questions are made from its own description."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tengen.record import Store
from tengen.web.app import make_api

MOVES = ["J10", "J10K11", "K11 I9", "J10 K11I9", "Z99", "(;B[j10])", "(;"]
NAMES = [
    "connect6",
    "Connect(6,2,1)",
    "Connect(0,0,0,0,0)",
    "simple",
    "engine:level=99",
    "sgf",
    "png",
    "triangle",
    "black",
]
TEXTS = st.sampled_from([*MOVES, *NAMES, "", "x", "é", "31", "9" * 81, "\u0000"])
OWN_ID = {"type": "string", "title": "Id"}
NUMBERS = st.sampled_from([0, 1, 2, 3, 0, 1, 2, 3, -1, 999, 2**70])
JUNK: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | NUMBERS | st.just(0.5) | TEXTS | st.just([]) | st.just({}) | st.just(["J10"])
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("web")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENGEN_DATA", str(folder))
        with TestClient(make_api(Store(folder / "store"), slots=1)) as client:  # raises what the server would
            yield client


def made(schema: dict[str, Any], known: dict[str, Any], is_wild: bool = False) -> st.SearchStrategy[Any]:
    """Values of a JSON schema; wild ones are something else now and then."""
    if "$ref" in schema:
        return made(known[schema["$ref"].rsplit("/", 1)[1]], known, is_wild)
    if "anyOf" in schema:
        fitting = st.one_of([made(one, known, is_wild) for one in schema["anyOf"]])
    elif "enum" in schema or "const" in schema:
        fitting = st.sampled_from(schema.get("enum") or [schema["const"]])
    elif schema.get("type") == "object":
        needed = {name: made(one, known, is_wild) for name, one in schema.get("properties", {}).items()}
        required = {name: needed.pop(name) for name in schema.get("required", [])}
        fitting = st.fixed_dictionaries(required, optional=needed)
    elif schema.get("type") == "array":
        fitting = st.lists(made(schema.get("items", {}), known, is_wild), max_size=3)
    else:
        fitting = {
            "string": TEXTS,
            "integer": NUMBERS,
            "number": NUMBERS,
            "boolean": st.booleans(),
            "null": st.none(),
        }.get(schema.get("type", ""), JUNK)
    return fitting | JUNK if is_wild else fitting


def operations(client: TestClient) -> list[tuple[str, str, dict[str, Any]]]:
    described: dict[str, Any] = client.app.openapi()["paths"]  # type: ignore[attr-defined]
    return [(path, method, about) for path, methods in described.items() for method, about in methods.items()]


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.data())
def test_no_question_is_a_fault_of_the_server(client: TestClient, tmp_path: Path, data: st.DataObject) -> None:
    known = client.app.openapi()["components"]["schemas"]  # type: ignore[attr-defined]
    path, method, about = data.draw(st.sampled_from(operations(client)))
    document = client.post("/api/documents", json={"text": "J10 K11I9 K9I11"}).json()["document"]["id"]
    is_wild = data.draw(st.integers(0, 4)) == 0
    own_id = st.just(document) if "documents" in path and not is_wild else TEXTS
    values: dict[str, Any] = {
        parameter["name"]: data.draw(
            own_id if parameter["schema"] == OWN_ID | parameter["schema"] else made(parameter["schema"], known, is_wild)
        )
        for parameter in about.get("parameters", [])
    }
    for parameter in about.get("parameters", []):
        if parameter["in"] == "path":
            path = path.replace(
                "{" + parameter["name"] + "}", str(values.pop(parameter["name"])).replace("\0", "") or "x"
            )
    schema = about.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    body = None if schema is None else data.draw(made(schema, known, is_wild))
    answer = client.request(method, path, params=values, json=body)
    assert answer.status_code in (200, 304, 307, 404, 405, 422), (method, path, body, answer.text)
    if answer.status_code == 422:
        assert answer.json().get("error") or answer.json().get("detail")
    client.request("DELETE", "/api/tasks")
    client.request("DELETE", f"/api/documents/{document}")


def test_every_way_in_is_described(client: TestClient) -> None:
    assert len(operations(client)) > 40
