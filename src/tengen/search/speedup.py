"""How fast a search would be with more workers: the same search on virtual ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tengen.game import Colour, Position
from tengen.grid import Event, EventKind, JobSystem, Json
from tengen.search.client import Client
from tengen.search.journal import Journal
from tengen.search.policies import DEFAULT_POLICY, POLICIES, Policy
from tengen.search.proof_numbers import ProofNumberSearch
from tengen.search.recipe import Recipe
from tengen.search.shortest import shortest_time
from tengen.search.simulation import Recording, Simulator
from tengen.search.tree import Tree
from tengen.search.trust import Judge


@dataclass(frozen=True)
class Question:
    """What is searched, and by which jobs."""

    root: Position
    attacker: Colour
    recipe: Recipe
    is_weak: bool = True
    """How the search counts what must all be proved; see `ProofNumberSearch`."""

    def client(
        self,
        system: JobSystem,
        policy: Policy = POLICIES[DEFAULT_POLICY],
        *,
        journal: Journal | None = None,
        judge: Judge | None = None,
    ) -> Client:
        """A client whose proof-number search will answer it.

        Raises:
            TengenError: if the game is over, or the journal has something that cannot be.
        """

        def search() -> ProofNumberSearch:
            return ProofNumberSearch(Tree(self.root, self.attacker), policy, is_weak=self.is_weak)

        return Client(search, system, self.recipe, journal=journal, judge=judge)


@dataclass(frozen=True)
class Trial:
    """A search on so many virtual workers."""

    policy: str
    workers: int
    winner: Colour | None
    seconds: float
    """On the virtual clock."""
    busy_seconds: float
    """What all workers have worked, for jobs that were aborted too."""
    jobs: int
    decided: int
    aborted: int
    nodes: int
    shortest: float | None = None
    """With one worker: the seconds that its proof would take with as many workers as one likes, had they known it."""

    @property
    def use(self) -> float:
        """The share of the time that the workers worked."""
        return self.busy_seconds / (self.seconds * self.workers) if self.seconds else 0.0

    def as_json(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "policy": self.policy,
            "workers": self.workers,
            "winner": None if self.winner is None else str(self.winner),
            "seconds": round(self.seconds, 4),
            "use": round(self.use, 4),
            "jobs": self.jobs,
            "decided": self.decided,
            "aborted": self.aborted,
            "nodes": self.nodes,
            "shortest": None if self.shortest is None else round(self.shortest, 4),
        }


class _Diary(Simulator):
    """Keeps what was done, as a journal would."""

    def __init__(self, recording: Recording, workers: int, latency: float) -> None:
        super().__init__(recording, workers, latency=latency)
        self.done: list[dict[str, Any]] = []
        self._asked: dict[str, Json] = {}

    def submit(self, kind: str, arguments: Json, *, worker: str | None = None) -> str:
        job = super().submit(kind, arguments, worker=worker)
        self._asked[job] = arguments
        return job

    def next_event(self, timeout: float | None = None) -> Event | None:
        event = super().next_event(timeout)
        if event is not None and event.kind is EventKind.DONE and event.job is not None:
            arguments = self._asked.pop(event.job)
            self.done.append({"arguments": arguments, "result": event.result, "seconds": event.seconds})
        return event


def trial(
    question: Question,
    recording: Recording,
    policy: Policy,
    workers: int,
    *,
    latency: float = 0.0,
    seconds: float | None = None,
    jobs: int | None = None,
) -> tuple[Trial, Tree]:
    """Searches on virtual workers.

    Args:
        question: what to search.
        recording: what jobs find, and how long they take; proofs are not checked again.
        policy: of the pre-update phase.
        workers: how many.
        latency: seconds on the way to a worker, and again on the way back.
        seconds: stop then, on the virtual clock.
        jobs: stop when so many are done.
    """
    system = _Diary(recording, workers, latency)
    client = question.client(system, policy)

    def tell() -> None:
        if jobs is not None and client.counts.done >= jobs:
            client.stop()

    client.run(seconds=seconds, tell=tell)
    client.abort_all()
    end = system.now()
    counts, tree = client.counts, client.search.tree
    found = Trial(
        policy.name,
        workers,
        tree.winner(0),
        end,
        system.busy_seconds,
        counts.done,
        counts.decided,
        system.aborted,
        len(tree),
        shortest_time(question.root, question.attacker, system.done) if workers == 1 else None,
    )
    return found, tree


_RANKS = {"Bw": 0, "B4": 1, "B3": 2, "B2": 3, "B1": 4, "stable": 5, "W1": 6, "W2": 7, "W3": 8, "W4": 9, "Ww": 10}
"""Table 8 of Lin's thesis; unstable positions are left out there as well."""


def distances(tree: Tree) -> tuple[Counter[int], Counter[int]]:
    """How far the status of a new node is from what virtual equivalence takes it for (Figure 36 of the thesis).

    Returns how often each distance occurs between neighbouring siblings, and between parents and their eldest children.
    """
    siblings: Counter[int] = Counter()
    eldest: Counter[int] = Counter()
    for node in range(len(tree)):
        children = list(tree.children(node))
        siblings.update(_distances(tree, pairwise(children)))
        if node:  # nobody had an opinion of the root
            eldest.update(_distances(tree, ((node, child) for child in children[:1])))
    return siblings, eldest


def _distances(tree: Tree, pairs: Iterable[tuple[int, int]]) -> Iterator[int]:
    for one, other in pairs:
        ranks = _RANKS.get(tree.status(one)), _RANKS.get(tree.status(other))
        if ranks[0] is not None and ranks[1] is not None:
            yield abs(ranks[0] - ranks[1])
