"""A campaign: spends time on the atlas where it pays most, on this machine's cores or on a grid.

All that is found is on disk before the next step is chosen, so a campaign that is killed goes on where it was; it has
lost what was on its way, no more. Several may share a folder: each takes over what the others have found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from io import BytesIO
from typing import NamedTuple

from tengen.game import BLACK, WHITE, Move, Position, TengenError
from tengen.grid import Event, EventKind, JobSystem, Json
from tengen.opening.atlas import Atlas, Third
from tengen.opening.plan import Step, steps
from tengen.opening.shelf import Shelf
from tengen.search import (
    Client,
    Finding,
    FindingError,
    Journal,
    Judge,
    ProofNumberSearch,
    Recipe,
    Tree,
    write_whole,
)
from tengen.search.journal import JournalInUseError
from tengen.search.proof_check import OverBudgetError
from tengen.search.trust import why_not

_SMALL_JOBS = Recipe("engine", {"nodes": 1_000, "verifier_nodes": 100_000, "order": 2})
_NEWS = 8


@dataclass
class Tally:
    """What has happened in this run."""

    jobs: int = 0
    seconds: float = 0.0
    """What workers have spent."""
    proved: int = 0
    """Third moves with a verdict that had none before."""
    news: deque[str] = field(default_factory=lambda: deque(maxlen=_NEWS))
    """The latest verdicts and troubles, in words."""


class _Sent(NamedTuple):
    """A step on its way, and how far the work was when it was handed in."""

    step: Step
    stage: tuple[object, ...]


class Campaign:
    """A campaign that is being run.

    Args:
        shelf: where the atlas and the proofs are.
        system: runs the jobs.
        only: second moves to work on; all unless told.

    Raises:
        OSError: if the atlas cannot be read, or not be written: better now than after the first step.
        AtlasError: if it is damaged.
    """

    def __init__(self, shelf: Shelf, system: JobSystem, only: Collection[Move] = ()) -> None:
        self.shelf, self.system, self.only = shelf, system, only
        self.atlas: Atlas = shelf.atlas()
        with shelf.changing(self.atlas):
            for second in self.atlas.seconds.values():
                for third in second.thirds:
                    if third.left is not None and not shelf.has_parts(second, third):  # somebody has removed them
                        third.left, third.levels = None, third.levels - 1
        self.tally = Tally()
        self._open: dict[str, _Sent] = {}
        self._search: Client | None = None
        self.searching: Step | None = None
        """What a job-level search is at work on, if one is."""
        self._failed: set[object] = set()
        self._is_stopped = False

    @property
    def running(self) -> list[Step]:
        """What is on its way."""
        return [*(sent.step for sent in self._open.values()), *([self.searching] if self.searching else [])]

    def stop(self) -> None:
        """Ends `run` soon; may be called from a signal handler."""
        self._is_stopped = True
        if self._search is not None:
            self._search.stop()

    def run(
        self, *, seconds: float | None = None, poll: float = 0.25, tell: Callable[[], object] | None = None
    ) -> None:
        """Works until nothing is left to try, the time is up, or `stop`.

        Raises:
            OSError: if a file cannot be written.
            JournalError: if the journal of a search is damaged.
            TengenError: if no worker is left who can be believed.
            GridError: if the job system fails.
        """
        end = None if seconds is None else self.system.now() + seconds
        while not self._is_stopped:
            left = None if end is None else end - self.system.now()
            if left is not None and left <= 0:
                break
            step = self._hand_in()
            if step is not None and not self._open:
                try:
                    self._search_reply(step, left, poll, tell)
                except JournalInUseError:
                    self._fail(step, "another campaign is at it")
                continue
            if not self._open and self.system.free():
                break  # nothing is left to do
            event = self.system.next_event(poll if left is None else min(poll, left))
            if event is not None:
                self._take(event)
            if tell is not None:
                tell()
        for job in self._open:
            self.system.abort(job)
        self._open.clear()

    # Inside

    def _hand_in(self) -> Step | None:
        """Hands in the best steps while there is room; returns the best one if it is a search, which wants all
        workers."""
        taken = {sent.step.name for sent in self._open.values()} | self._failed
        free = self.system.free()
        if not free:
            return None
        at_work = {sent.step.second.move for sent in self._open.values()}
        waiting = [step for step in steps(self.atlas, self.only, at_work) if step.name not in taken]
        for step in sorted(waiting, key=lambda step: -step.worth)[:free]:
            if step.what == "search":
                return step
            kind, arguments = step.job()
            self._open[self.system.submit(kind, arguments)] = _Sent(step, step.stage)
        return None

    def _take(self, event: Event) -> None:
        sent = self._open.pop(event.job, None) if event.job is not None else None
        if sent is None or event.kind is EventKind.ABORTED:
            return
        step = sent.step
        if event.kind is EventKind.FAILED:
            self._fail(step, event.message)
            return
        self.tally.jobs += 1
        self.tally.seconds += event.seconds
        with self.shelf.changing(self.atlas):
            if step.stage != sent.stage:
                return  # another campaign was faster
            if step.third is None:
                self._looked(step, event.result or {})
            else:
                self._found(step, step.third, event)
        self._drop_parts_of_what_is_decided(step)

    def _drop_parts_of_what_is_decided(self, step: Step) -> None:
        """Once the atlas on disk has the verdict."""
        if step.third is not None and step.third.winner is not None:
            self.shelf.drop_parts(step.second, step.third)

    def _looked(self, step: Step, result: Json) -> None:
        second = step.second
        try:
            seen = [(Move.parse(move), float(win)) for move, win in result["moves"]]
        except (KeyError, TypeError, ValueError) as error:
            self._fail(step, f"that is no look: {error}")
            return
        if not all(second.position.is_legal(move) and 0 <= win <= 1 for move, win in seen):
            self._fail(step, "that is no look: a move is illegal, or a chance is none")
            return
        for move, win in seen:
            second.add(move, win)
        second.looks += 1

    def _found(self, step: Step, third: Third, event: Event) -> None:
        try:
            finding = Finding.from_json(event.result or {})
            # Whole proofs are checked from end to end; of parts it is enough here that they are about the right thing.
            reason = why_not(step.position, [], finding, proof_too=False)
        except (FindingError, OverBudgetError) as error:
            reason = str(error)
        if reason is not None:
            self._fail(step, reason)
            return
        third.nodes += finding.nodes
        third.seconds += event.seconds
        third.how = step.what
        if step.what == "verify":
            self._verified(step, third, finding)
        elif step.what == "refute":
            if finding.outcome == "win":
                self._finish(step, third, finding.proof)
        elif step.reply is not None:
            self._answered(step, third, step.reply, finding.proof if finding.outcome == "win" else b"")

    def _verified(self, step: Step, third: Third, finding: Finding) -> None:
        third.levels += 1
        third.open = len(finding.moves)
        if finding.outcome != "loss":
            return
        if not finding.moves:
            self._finish(step, third, finding.proof)
            return
        self.shelf.keep_rest(step.second, third, finding.proof)
        third.left = dict.fromkeys(_unlike(step.position, finding.moves), 0)

    def _answered(self, step: Step, third: Third, reply: Move, proof: bytes) -> None:
        """One of the replies that were left is answered, or not yet."""
        left = third.left
        if left is None or reply not in left:
            return
        if not proof:
            left[reply] += 1
            return
        self.shelf.keep_part(step.second, third, reply, proof)
        del left[reply]
        if not left:
            self._finish(step, third)

    def _finish(self, step: Step, third: Third, whole: bytes | None = None) -> None:
        try:
            third.proof = self.shelf.finish(step.second, third, whole)
        except TengenError as error:
            self._fail(step, str(error))
            third.left = None  # the next level begins anew
            return
        third.winner = WHITE if step.what == "refute" else BLACK
        third.left = None
        self.tally.proved += 1
        moves = f"{step.second.move} {third.move}"
        self.tally.news.append(f"{moves}: {third.winner} wins ({third.proof.nodes:,} nodes, {third.seconds:.0f} s)")

    def _fail(self, step: Step, reason: str) -> None:
        self._failed.add(step.name)
        self.tally.news.append(f"{step}: {reason}")

    def _search_reply(self, step: Step, left: float | None, poll: float, tell: Callable[[], object] | None) -> None:
        """Tries a reply by a job-level search, with all workers, for its time."""
        third, reply = step.third, step.reply
        assert third is not None
        assert reply is not None
        position = step.position
        path = self.shelf.parts(step.second, third) / f"{reply}.journal"
        limit, stage = step.seconds, step.stage
        seconds = limit if left is None else min(limit, left)
        begun = self.system.now()
        with Journal.of_proof(position, BLACK, path, resume=True) as journal:
            client = Client(
                lambda: ProofNumberSearch(Tree(position, BLACK)),
                self.system,
                _SMALL_JOBS,
                journal=journal,
                judge=Judge(),
            )
            self._search, self.searching = client, step
            try:
                client.run(seconds=seconds, poll=poll, tell=tell)
            finally:
                client.abort_all()
                self._search = self.searching = None
            proof = BytesIO()
            if client.search.tree.winner(0) is BLACK:
                write_whole(proof, client.search.tree, journal)
        self.tally.jobs += client.counts.done
        self.tally.seconds += client.counts.seconds
        whole_time = self.system.now() - begun >= limit
        with self.shelf.changing(self.atlas):
            if step.stage != stage:
                return  # another campaign was faster
            third.seconds += client.counts.seconds
            third.how = "search"
            if proof.getvalue() or whole_time or client.search.is_over:
                self._answered(step, third, reply, proof.getvalue())
            elif not self._is_stopped and (left is None or left > limit):
                self._fail(step, "the search has nothing more to try")
        self._drop_parts_of_what_is_decided(step)


def _unlike(position: Position, moves: Iterable[Move]) -> list[Move]:
    """Of moves that are equal by symmetry the first: the proof against it is joined in for the others as well."""
    found: dict[int, Move] = {}
    for move in moves:
        after = position.after(move)
        found.setdefault(after.canonical_key, move)
    return list(found.values())
