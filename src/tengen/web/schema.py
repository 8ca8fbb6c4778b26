"""Prints the server's interface as OpenAPI; the types of the front end are made from it."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from tengen.record import Store
from tengen.web.app import make_api
from tengen.web.models import EVENTS


def schema() -> dict[str, Any]:
    """All that is asked and answered over HTTP, and the events, which OpenAPI has no place for but among the types."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "store") as store:
        found: dict[str, Any] = make_api(store).openapi()
    _, events = models_json_schema(
        [(event, "serialization") for event in EVENTS], ref_template="#/components/schemas/{model}"
    )
    found["components"]["schemas"].update(events["$defs"])
    return found


if __name__ == "__main__":
    json.dump(schema(), sys.stdout)
