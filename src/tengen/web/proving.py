"""A job-level search that people watch: its tree grows while they look on, take its lines and give it hints."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from tengen.game import Colour, Position, TengenError
from tengen.grid import JobSystem, open_jobs
from tengen.record import data_folder
from tengen.search import (
    Client,
    Journal,
    Judge,
    LieError,
    ProofNumberSearch,
    Recipe,
    Tree,
    policy_of,
    write_whole,
)
from tengen.search.frame import symmetry_to_frame, turned
from tengen.search.values import INFINITY
from tengen.solve import Control
from tengen.web.tasks import Tell

POLL_SECONDS = 0.2
MOST_SHOWN = 300
"""Nodes of the tree that windows are told of, the most promising first."""


class Proving:
    """The proof search of one position.

    Args:
        position: where it begins.
        attacker: who is to win.
        where: `local`, or the file of a client's invitation to a grid.
        policy: how jobs on their way count.
        seconds: stop after that time.
        name: of the journal and the proof in the user's data.
    """

    def __init__(
        self, position: Position, attacker: Colour, *, where: str, policy: str, seconds: float | None, name: str
    ) -> None:
        self.position, self.attacker = position, attacker
        self.where, self.policy, self.seconds = where, policy_of(policy), seconds
        folder = data_folder() / "searches"
        folder.mkdir(parents=True, exist_ok=True)
        self.proof = folder / f"{name}.tpf"
        self._journal = folder / f"{position.key:016x}-{attacker}.journal"
        self._hints: deque[str] = deque()
        self._lock = threading.Lock()
        self._problems: list[str] = []

    def hint(self, text: str) -> None:
        """Tells the search something, at its next step; `search/hints.py` has the words."""
        with self._lock:
            self._hints.append(text)

    def work(self, control: Control, tell: Tell) -> dict[str, Any]:
        """Searches until it is decided, stopped, or the time is up."""
        head = {"root": str(self.position), "attacker": str(self.attacker)}
        with Journal(self._journal, head, resume=self._journal.exists()) as journal:
            checkpoint = journal.last("checkpoint")
            system = open_jobs(self.where, resume=checkpoint)
            try:
                client = Client(
                    lambda: ProofNumberSearch(Tree(self.position, self.attacker), self.policy),
                    system,
                    Recipe(),
                    journal=journal,
                    judge=Judge(None),
                    resumed=checkpoint,
                )

                def look() -> None:
                    if control.stopped:
                        client.stop()
                    self._follow_hints(client)
                    tell(lambda: self._known(client, system))

                look()
                client.run(seconds=self.seconds, poll=POLL_SECONDS, tell=look)
                client.abort_all()
                has_proof = self._write_proof(client, journal)
                return {**self._known(client, system), "proof": has_proof}
            finally:
                system.close()

    def _follow_hints(self, client: Client) -> None:
        while self._hints:
            with self._lock:
                text = self._hints.popleft()
            try:
                client.hint(text)
            except TengenError as error:
                self._problems = [*self._problems[-4:], f"{text}: {error}"]

    def _write_proof(self, client: Client, journal: Journal) -> bool:
        if client.search.tree.winner(0) is None:
            return False
        try:
            write_whole(self.proof, client.search.tree, journal)
        except LieError as lie:
            client.withdraw(lie.worker, lie.reason)
            return False
        return True

    def _known(self, client: Client, system: JobSystem) -> dict[str, Any]:
        search, counts = client.search, client.counts
        assert isinstance(search, ProofNumberSearch)
        tree = search.tree
        winner = tree.winner(0)
        return {
            "result": "unknown" if not tree.is_settled(0) else "none" if winner is not self.attacker else "win",
            "side": str(self.attacker),
            **search.figures(),
            "nodes": len(tree),
            "jobs": {
                "done": counts.done,
                "decided": counts.decided,
                "aborted": counts.aborted,
                "running": client.running,
                "earlier": counts.replayed,
            },
            "workers": [
                {
                    "name": worker.name if worker.slot == 1 else f"{worker.name}/{worker.slot}",
                    "job": worker.kind,
                    "seconds": None if worker.since is None else round(system.now() - worker.since, 1),
                }
                for worker in system.workers()
            ],
            "line": [str(move) for move in tree.line(search.best_child)],
            "tree": _shown(search, self.position),
            "problems": self._problems,
        }


def _shown(search: ProofNumberSearch, first: Position) -> list[dict[str, Any]]:
    """The top of the tree, level by level; moves as one sees them from the first position."""
    tree = search.tree
    shown: list[dict[str, Any]] = []
    level: list[tuple[int, int | None, str, Position]] = [(0, None, "", first)]
    seen = {0}
    while level and len(shown) < MOST_SHOWN:
        below: list[tuple[int, int | None, str, Position]] = []
        for node, parent, text, position in level:
            if len(shown) >= MOST_SHOWN:
                break
            shown.append(_node(search, node, parent, text))
            back = symmetry_to_frame(position).inverse
            for move, child in tree.moves(node):
                if child not in seen:
                    seen.add(child)
                    own = turned(move, back, position)
                    after = position.copy()
                    after.play(own)
                    below.append((child, node, str(own), after))
        level = below
    return shown


def _node(search: ProofNumberSearch, node: int, parent: int | None, move: str) -> dict[str, Any]:
    tree = search.tree
    proof, disproof = (None if number >= INFINITY else number for number in search.numbers(node))
    winner = tree.winner(node)
    return {
        "id": node,
        "parent": parent,
        "move": move,
        "proof": proof,
        "disproof": disproof,
        "status": tree.status(node),
        "winner": None if winner is None else str(winner),
        "running": node in search.active,
        "pruned": node in search.pruned,
        "children": sum(1 for _ in tree.children(node)),
    }
