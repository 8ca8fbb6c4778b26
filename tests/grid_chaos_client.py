"""A client that may be killed at any moment: `python grid_chaos_client.py WHERE STATE JOBS SEED`.

Keeps in one file what it has handed in and what was answered, together with the grid's checkpoint, as a search does.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from tengen.grid import EventKind, open_jobs


def main(where: str, path: Path, count: int, seed: int) -> None:
    state: dict[str, Any] = {"next": 0, "jobs": {}, "answers": [], "checkpoint": None}
    if path.exists():
        state = json.loads(path.read_text())
    dice = random.Random(seed + state["next"])
    system = open_jobs(where, resume=state["checkpoint"])

    def keep() -> None:
        state["checkpoint"] = system.checkpoint()
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(state))
        draft.replace(path)

    while len(state["answers"]) < count:
        while state["next"] < count and system.free():
            number = state["next"]
            runs = str(path.with_suffix(".runs"))
            job = system.submit("note", {"file": runs, "number": number, "seconds": dice.uniform(0.05, 0.4)})
            state["jobs"][job] = number
            state["next"] += 1
            keep()
        if dice.random() < 0.1 and state["jobs"]:
            system.abort(dice.choice(list(state["jobs"])))
        event = system.next_event(0.5)
        if event is None or event.job is None:
            continue
        number = state["jobs"].pop(event.job)  # a second answer would fail here
        assert event.kind is not EventKind.DONE or event.result == {"number": number}
        state["answers"].append([number, event.kind, event.message])
        keep()
    system.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
