"""Jobs and job systems for the tests of job-level search."""

import zlib
from collections.abc import Callable

from tengen import BLACK, Colour, Move, Position
from tengen.grid import Handler, Json, Task
from tengen.search import (
    Client,
    Finding,
    Journal,
    Judge,
    ProofNumberSearch,
    Recipe,
    Recording,
    Simulator,
    Tree,
    policy_of,
)
from tengen.search.simulation import Performance
from tengen.search.values import STATUSES

PLAIN = Recipe("plain")


def plain(arguments: Json, _task: Task) -> Json:
    """J(n, C) of somebody who knows nothing: the next move in order, with an opinion out of thin air."""
    position = Position.parse(arguments["position"])
    prohibited = {Move.parse(move) for move in arguments["prohibited"]}
    number = zlib.crc32(f"{position} {len(prohibited)}".encode())
    for move in position.legal_moves():
        if move not in prohibited:
            status = STATUSES[1 + number % (len(STATUSES) - 2)]
            return Finding("move", move, status, number % 97 / 97, nodes=number % 50).as_json()
    return Finding("nothing").as_json()


class Timed(Recording):
    """Jobs take virtual seconds that depend on what they are asked, not on this machine."""

    def perform(self, kind: str, arguments: Json) -> Performance:
        found = super().perform(kind, arguments)
        return Performance(found.result, 1 + zlib.crc32(str(arguments).encode()) % 100 / 50)


def recording(handler: Handler = plain) -> Recording:
    return Timed(handlers=lambda _: handler)


def proof_number_search(
    root: Position, policy: str = "mf-ve", attacker: Colour = BLACK
) -> Callable[[], ProofNumberSearch]:
    return lambda: ProofNumberSearch(Tree(root, attacker), policy_of(policy))


def searched(
    root: Position, policy: str = "mf-ve", workers: int = 3, journal: Journal | None = None
) -> tuple[Client, Simulator]:
    """A client whose proof-number search has come to its end."""
    system = Simulator(recording(), workers)
    judge = None if journal is None else Judge()
    client = Client(proof_number_search(root, policy), system, PLAIN, journal=journal, judge=judge)
    client.run()
    return client, system
