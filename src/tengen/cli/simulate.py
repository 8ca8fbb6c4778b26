"""`tengen simulate`: how fast a search would be with more workers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from tengen.cli.common import JsonOption, counted, err, figures_under, out, print_json
from tengen.game import Colour, Position
from tengen.record.damage import DAMAGE
from tengen.search import POLICIES, Journal, JournalError, Recipe, Recording, policy_of
from tengen.search.journal import about, read_entries
from tengen.search.speedup import Question, Trial, trial


def simulate(
    journal: Annotated[str, typer.Argument(metavar="JOURNAL", help="The journal of a search on a grid.")],
    workers: Annotated[
        str, typer.Option("--workers", metavar="N,N,…", help="How many virtual workers, 1 to 100,000.")
    ] = "1,2,4,8,16",
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help=f"May be given several times: {', '.join(POLICIES)}; all of them unless told.",
        ),
    ] = None,
    latency: Annotated[
        float, typer.Option("--latency", min=0, help="Seconds on the way to a worker, and again back.")
    ] = 0.0,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.001, help="Stop each search after this virtual time.")
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            "--record", metavar="FILE", help="Where to keep jobs that had to be run; JOURNAL.record unless told."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Run a search again on virtual workers. Jobs take the time that they took; those that nobody ran yet are run now.

    Exit code: 0 all searches came to the same result, 1 they did not.
    """
    counts = _counts(workers)
    policies = [policy_of(name) for name in policy or POLICIES]
    question = _question(journal)
    name = Path(record or f"{journal}.record")
    with Journal.of_proof(question.root, question.attacker, name, resume=True) as kept:
        recording = Recording(kept)
        recording.read_file(journal)
        trials: list[Trial] = []
        with err.status("simulating") as status:
            for one in policies:
                for count in counts:
                    status.update(f"simulating {one.name} on {count}: {counted(recording.added, 'job')} had to be run")
                    trials.append(trial(question, recording, one, count, latency=latency, seconds=seconds)[0])
                    if json:
                        print_json(trials[-1].as_json() | {"missing": recording.added})
    if not json:
        _print(trials, counts)
        if recording.added:
            jobs = counted(recording.added, "job")
            out.print(f"{jobs} had not been run before, and what they found is kept in {name}.")
    raise typer.Exit(0 if len({found.winner for found in trials}) == 1 else 1)


def _counts(text: str) -> list[int]:
    counts = [int(word) if word.strip().isdecimal() else 0 for word in text.split(",")]
    if not all(1 <= count <= 100_000 for count in counts):
        raise typer.BadParameter(f"{text!r}: write numbers from 1 to 100,000 with commas between them")
    return counts


def _question(journal: str) -> Question:
    head, recipe = about(journal), None
    for entry in read_entries(journal):
        recipe = entry.get("recipe", recipe)
    if recipe is None:
        raise JournalError(f"{journal} says nothing of the jobs that its search ran")
    try:
        return Question(Position.parse(head["root"]), Colour.parse(head["attacker"]), Recipe.from_json(recipe))
    except DAMAGE as error:
        raise JournalError(f"{journal} is not the journal of a search: {error}") from error


def _print(trials: list[Trial], counts: list[int]) -> None:
    figures = ("workers", "seconds", "speed-up", "efficiency", "use", "jobs", "aborted")
    table = Table("policy", *map(figures_under, figures), box=None)
    first = {found.policy: found for found in trials if found.workers == counts[0]}
    for found in trials:
        speedup = first[found.policy].seconds / found.seconds if found.seconds else 1.0
        table.add_row(
            found.policy,
            str(found.workers),
            f"{found.seconds:,.1f}",
            f"{speedup:.2f}",
            f"{speedup * counts[0] / found.workers:.2f}",
            f"{found.use:.0%}",
            f"{found.jobs:,}",
            f"{found.aborted:,}",
        )
    out.print(table)
    alone = trials[0]  # with one worker all policies find the same
    if alone.shortest:
        said = f"The proof that one worker finds takes {alone.shortest:,.1f} s with any number of them"
        out.print(f"{said}: {alone.seconds / alone.shortest:.1f} times as fast.")
