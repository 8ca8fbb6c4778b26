"""Job-level searches against plain twins and the known values of small games."""

import random
from collections.abc import Callable
from math import inf
from typing import Any

import pytest
from job_level_tools import PLAIN, plain, proof_number_search, recording, searched
from reference.job_level import minimax, numbers

from tengen import BLACK, WHITE, Move, Position, TengenError, settle
from tengen.grid import EventKind, Task
from tengen.search import (
    POLICIES,
    AlphaBetaSearch,
    Client,
    Finding,
    ProofNumberSearch,
    Simulator,
    Tree,
    UpperConfidenceSearch,
    policy_of,
)
from tengen.search.frame import framed
from tengen.search.generic import JobLevelSearch
from tengen.search.shortest import shortest_time
from tengen.search.speedup import Question, trial
from tengen.search.values import DRAWN, INFINITY, LOST, NUMBERS, WON, checked_table, first_numbers

GAMES = (
    "Connect(3,3,3,1,1) B2 A1",  # a draw
    "Connect(3,3,3,1,1) A1 B1",  # Black wins
    "Connect(4,3,3,1,1) B1 D3 C1",  # a win of Black, whose turn it is not
    "Connect(3,3,3,2,1)",
    "Connect(4,3,3,1,1) A1 B2 D1",  # White wins
    "Connect(3,3,3,1,1) maker-breaker A1 B2",
)


def value_of(position: Position) -> int:
    """Of a small game, with Black as the attacker."""
    settled = settle(position)
    return DRAWN if settled.winner is None else WON if settled.winner is BLACK else LOST


@pytest.mark.parametrize("text", GAMES)
def test_proof_numbers_find_the_value_with_every_policy(text: str) -> None:
    root = Position.parse(text)
    for policy in POLICIES:
        client, _ = searched(root, policy)
        assert client.search.tree.value(0) == value_of(root), policy
        assert not client.search.active


def test_whoever_attacks_the_winner_is_the_same() -> None:
    root = Position.parse(GAMES[1])
    client = Client(proof_number_search(root, attacker=WHITE), Simulator(recording(), 2), PLAIN)
    client.run()
    assert client.search.tree.winner(0) is BLACK


def test_all_policies_run_the_same_jobs_on_one_worker() -> None:
    """As the thesis says: they differ only in what they do beside a job that runs."""
    root = Position.parse(GAMES[2])
    assert len({searched(root, policy, workers=1)[0].counts.done for policy in POLICIES}) == 1


@pytest.mark.parametrize("is_weak", [True, False])
@pytest.mark.parametrize("policy", POLICIES)
def test_numbers_are_those_of_the_definition_whatever_happens(policy: str, is_weak: bool) -> None:
    rng = random.Random(policy)
    root = Position.parse("Connect(3,3,3,1,1)")
    search = ProofNumberSearch(Tree(root, BLACK), policy_of(policy), is_weak=is_weak)
    for _ in range(80):
        chosen = search.select() if rng.random() < 0.6 else []
        for node in chosen:
            assert node not in search.active
            search.begin(node)
        if search.active and (not chosen or rng.random() < 0.5):
            node = rng.choice(sorted(search.active))
            if rng.random() < 0.2:
                search.release(node)
            else:
                position = search.tree.position(node)
                moves = [str(move) for move in search.tree.prohibited(node, position)]
                result = plain({"position": str(position), "prohibited": moves}, Task(lambda _: None))
                search.update(node, position, Finding.from_json(result))
        for node in range(len(search.tree)):
            found = [inf if number == INFINITY else number for number in search.numbers(node)]
            assert (*found, bool(search._is_flagged[node])) == numbers(search, node)


def test_a_trial_tells_the_shortest_time_and_ends_after_so_many_jobs() -> None:
    question = Question(Position.parse(GAMES[2]), BLACK, PLAIN)
    alone, _ = trial(question, recording(), policy_of("mf-ve"), 1)
    assert alone.shortest is not None
    assert 0 < alone.shortest < alone.seconds
    assert trial(question, recording(), policy_of("mf-ve"), 1, jobs=2)[0].jobs == 2


def test_flags_keep_many_workers_busy_and_no_policy_runs_only_a_few() -> None:
    root = Position.parse(GAMES[2])
    assert searched(root, "mf-ve", 16)[1].now() < searched(root, "native", 16)[1].now()


def test_jobs_that_no_longer_matter_are_aborted() -> None:
    client, system = searched(Position.parse(GAMES[4]), "fg", workers=16)
    assert client.counts.aborted > 0
    assert not client.search.active
    while (event := system.next_event()) is not None:  # all were told
        assert event.kind is EventKind.ABORTED


def test_a_sibling_is_generated_when_the_youngest_is_expanded() -> None:
    """Figure 21 of the thesis: J(n3, {}) and J(n, {n1, n2, n3}) go out together."""
    root = Position.parse("Connect(5,5,4,1,1) A1")
    search = ProofNumberSearch(Tree(root, BLACK), policy_of("fg"))
    position = search.tree.position(0)
    for status in ("B1", "B1", "stable"):
        move = next(move for move in position.legal_moves() if move not in search.tree.prohibited(0, position))
        search.update(0, position, Finding("move", move, status, 0.5))
    eldest, _, youngest = search.tree.children(0)
    assert search.select() == [youngest, 0]  # the best number is that of the youngest
    search.begin(youngest)
    search.begin(0)
    assert search.select() == [eldest]  # no sibling for that
    search.update(0, position, Finding("loss", proof=b"x"))
    assert search.tree.is_closed(0)
    search.release(youngest)
    assert search.select() == [youngest]


@pytest.mark.parametrize("text", GAMES[:4])
def test_uct_finds_values_too(text: str) -> None:
    root = Position.parse(text)
    client = Client(lambda: UpperConfidenceSearch(Tree(root, BLACK)), Simulator(recording(), 4), PLAIN)
    client.run()
    assert client.search.tree.value(0) == value_of(root)
    assert isinstance(client.search, UpperConfidenceSearch)
    assert not any(client.search._lost_visits[node] for node in range(len(client.search.tree))) or client.search.active


@pytest.mark.parametrize("kind", [UpperConfidenceSearch, AlphaBetaSearch, ProofNumberSearch])
def test_every_search_takes_over_the_jobs_of_an_earlier_run(kind: Callable[[Tree], JobLevelSearch]) -> None:
    root = Position.parse(GAMES[1])
    system = Simulator(recording(), 2)
    arguments = PLAIN.arguments(framed(root), [], 0)
    job = system.submit(PLAIN.kind, arguments)
    checkpoint = {"jobs": [{"job": job, "arguments": arguments, "worker": None, "aborted": False}]}
    client = Client(lambda: kind(Tree(root, BLACK)), system, PLAIN, resumed=checkpoint)
    assert client.jobs() == {job: 0}
    client.run()
    assert client.counts.done > 1
    assert client.search.is_over


@pytest.mark.parametrize(("depth", "width"), [(1, 3), (2, 3), (3, 2), (4, 3)])
def test_alpha_beta_is_minimax(depth: int, width: int) -> None:
    root = Position.parse("Connect(4,4,4,1,1) B2")
    twin = AlphaBetaSearch(Tree(root, BLACK), depth=depth, width=width)

    def expand(node: int) -> bool:
        position = twin.tree.position(node)
        moves = [str(move) for move in twin.tree.prohibited(node, position)]
        finding = Finding.from_json(plain({"position": str(position), "prohibited": moves}, Task(lambda _: None)))
        twin.update(node, position, finding)
        return finding.outcome == "move"

    expected = minimax(twin.tree, 0, depth, width, expand)
    jobs = []
    for workers in (1, 5):
        system = Simulator(recording(), workers)
        client = Client(lambda: AlphaBetaSearch(Tree(root, BLACK), depth=depth, width=width), system, PLAIN)
        client.run()
        assert isinstance(client.search, AlphaBetaSearch)
        assert client.search.value() == pytest.approx(expected)
        jobs.append(client.counts.done)
    assert jobs[0] <= len(twin.tree)  # cut-offs save jobs


def test_the_shortest_time_of_a_proof_is_that_of_jobs_which_wait_for_each_other() -> None:
    root = Position.parse("Connect(5,5,4,1,1) C3")  # White is to move, and loses

    def done(moves: str, finding: Finding, seconds: float) -> dict[str, Any]:
        position = framed(Position.parse(f"{root} {moves}"))
        return {"arguments": {"position": str(position)}, "result": finding.as_json(), "seconds": seconds}

    first, second = (Move.parse(move) for move in ("B2", "B3"))
    won = Finding("win", proof=b"proof")
    jobs = [
        done("", Finding("move", first, "B4"), 2.0),
        done("", Finding("loss", None, "B4", None, (second,), b"proof"), 3.0),  # waits for the one before
        done("B3", Finding("move", Move.parse("A1"), "stable"), 4.0),  # of no use in the end, but it had to be awaited
        done("B3", won, 1.0),
    ]
    assert shortest_time(root, BLACK, jobs) is None
    assert shortest_time(root, BLACK, [*jobs, done("B2", won, 7.0)]) == 2 + 3 + 4 + 1
    assert shortest_time(root, BLACK, [*jobs, done("B2", won, 9.0)]) == 2 + 9


def test_the_table_of_numbers_can_be_replaced() -> None:
    table = checked_table(dict.fromkeys(NUMBERS, (7, 9)))
    assert first_numbers("B3", WHITE, table) == (9, 7)
    assert first_numbers("Bw", BLACK) == (1, 18)  # without a proof nobody has won
    for bad in ({}, {**table, "B5": [1, 1]}, {**table, "B4": [0, 1]}, {**table, "B4": "1"}):
        with pytest.raises(TengenError):
            checked_table(bad)


def test_transpositions_and_symmetric_positions_are_one_node() -> None:
    root = Position.parse("Connect(3,3,3,1,1)")
    tree = Tree(root, BLACK)
    position = tree.position(0)
    corner = tree.add(0, position, next(iter(position.legal_moves())), "stable")
    assert corner is not None
    assert len(tree.prohibited(0, position)) == 4
    for text in ("A1 A3 B2", "B2 A3 A1", "C3 A3 B2"):
        assert tree.find(Position.parse(f"Connect(3,3,3,1,1) {text}")) is None
    client, _ = searched(root)
    tree = client.search.tree
    assert tree.find(Position.parse("Connect(3,3,3,1,1) A1 C3")) == tree.find(
        Position.parse("Connect(3,3,3,1,1) C1 A3")
    )
    for node in range(len(tree)):
        assert tree.find(tree.position(node)) == node
    assert len(tree) <= 765  # so many essentially different positions tic-tac-toe has


def test_hints_steer_the_search() -> None:
    root = Position.parse("Connect(4,4,3,1,1)")
    search = ProofNumberSearch(Tree(root, BLACK), policy_of("fg"))
    client = Client(lambda: search, Simulator(recording(), 1), PLAIN)
    client.hint("add B2 at Connect(4,4,3,1,1)")
    after = Position.parse("Connect(4,4,3,1,1) C3")  # the same by symmetry
    node = search.tree.find(after)
    assert node is not None
    client.hint("prefer C2")
    assert node in search.preferred
    assert search.select()[0] == node
    client.hint("prune B3")
    assert node not in search.select()
    client.hint("unprune B2")
    assert search.select()[0] == node
    for bad in ("add B2", "add B2 at A1 A2", "believe A1", "prune A1 A2 A3", "add A1 at A1"):
        with pytest.raises(TengenError):
            client.hint(bad)
