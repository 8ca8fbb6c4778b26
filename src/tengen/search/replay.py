"""A search taken to where its journal ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tengen.game import Position, TengenError
from tengen.record.damage import reporting_damage
from tengen.search.finding import Finding
from tengen.search.generic import JobLevelSearch
from tengen.search.hints import read_hint
from tengen.search.journal import Journal, damaged_entry


@dataclass
class Replay:
    """What a search was told from its journal."""

    results: int = 0
    jobs: set[str] = field(default_factory=set)
    """Those that the journal has answers of."""
    lies: dict[str, str] = field(default_factory=dict)
    """Why which worker is not believed; none of what he sent is among the results."""


def replay(journal: Journal, search: JobLevelSearch) -> Replay:
    """Lets a search in its first state take in what the journal has, but for what liars have sent.

    Raises:
        JournalError: if the journal is damaged.
        TengenError: if it has a result that cannot be.
    """
    told = Replay()
    for entry in journal.named("liar"):
        with reporting_damage(partial(damaged_entry, journal.path)):
            told.lies[entry["liar"]] = str(entry["why"])
    for where, entry in journal.entries():
        with reporting_damage(partial(damaged_entry, journal.path)):
            if "hint" in entry:
                _follow_hint(entry["hint"], search)
            elif "result" in entry and entry["worker"] not in told.lies:
                told.results += _take_in(where, entry, search)
                told.jobs.add(entry["job"])
    return told


def _take_in(where: int, entry: dict[str, Any], search: JobLevelSearch) -> bool:
    """Takes in a result; returns whether it has a place."""
    position = Position.parse(entry["arguments"]["position"])
    node = search.tree.find(position)
    if node is None:  # it came of a result that was withdrawn
        return False
    search.update(node, position, Finding.from_json(entry["result"]), where)
    return True


def _follow_hint(text: str, search: JobLevelSearch) -> None:
    try:
        read_hint(text, search.tree.game)(search)
    except TengenError:
        return  # it was about a position that is gone with a result that was withdrawn
