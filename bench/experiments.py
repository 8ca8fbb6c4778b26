"""What `make reproduce` repeats: the command of each experiment, and what the documents report beside what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log2
from typing import Any, NamedTuple

Line = dict[str, Any]
"""What a command says of one case, a line of JSON each."""


class Row(NamedTuple):
    """A figure of the page."""

    what: str
    theirs: str
    ours: str


class Curve(NamedTuple):
    """A line of a plot."""

    name: str
    points: list[tuple[float, float]]


class Plot(NamedTuple):
    """A picture that goes with a table."""

    title: str
    foot: str
    curves: list[Curve]


@dataclass(frozen=True)
class Experiment:
    """Something that can be repeated. `{folder}` in a command is where it keeps what it has run, to go on there."""

    name: str
    document: str
    title: str
    command: tuple[str, ...]
    """After `python`."""
    quick: tuple[str, ...]
    """The same in a minute or so; it need not be complete, but runs everything."""
    rows: Callable[[list[Line]], list[Row]]
    remark: str = ""
    """What a reader should know, above all where ours differs."""
    plots: Callable[[list[Line]], list[Plot]] = field(default=lambda _: [])
    data: tuple[str, ...] = ()
    """Files of real games or grids beside the checkout, without which it cannot run."""


PAPERS = "The papers on Connect6, its openings and its proofs (project report)"
FAMILY = "Wu, Huang, Chang: the family Connect(m,n,k,p,q)"
THESIS_JOBS = "Lin's thesis: job-level search"
THESIS_SUDOKU = "Lin's thesis: minimum Sudoku"
HUANG = "Huang's thesis: threat-space search"
AGENTS = "The Connect-k agents"


def number(value: float, digits: int = 3) -> str:
    """A figure as a reader wants it."""
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def measured(lines: list[Line]) -> list[Row]:
    """Of the benches that report a bar and a yardstick."""
    return [
        Row(line["case"], line["yardstick"] or line["bar"], f"{number(line['value'])} {line['unit']}".strip())
        for line in lines
    ]


def searches(lines: list[Line]) -> list[Row]:
    """Huang's three searches."""
    theirs = {
        "all find a win": (3054, "1,213 / 267 / 1,868"),
        "conservative misses it": (77, "16,873 / 1,867 / 40,242"),
        "none finds one": (9612, "341 / 165 / 674"),
    }
    of_all = sum(line["positions"] for line in lines if line.get("case") in theirs)
    rows = []
    for line in lines:
        if (case := line.get("case")) in theirs:
            positions, nodes = theirs[case]
            share = f"{line['positions']:,} ({100 * line['positions'] / max(1, of_all):.1f} %)"
            rows.append(Row(f"positions: {case}", f"{positions:,} ({positions / 127.43:.1f} %)", share))
            means = " / ".join(f"{line['mean_nodes'][m]:,.0f}" for m in ("traditional", "conservative", "hybrid"))
            rows.append(Row("mean nodes, traditional / conservative / hybrid", nodes, means))
        elif "conservative finds, %" in line:
            rows.append(Row("of the wins conservative search finds", "98 %", f"{line['conservative finds, %']:.1f} %"))
    return rows


def agents(lines: list[Line]) -> list[Row]:
    return [
        Row(line["case"], line["bar"], f"{line['value']:.0f} {line['unit']}; {line['yardstick']}") for line in lines
    ]


def openings(lines: list[Line]) -> list[Row]:
    rows = []
    for line in lines:
        for what, figure in line.items():
            if what not in ("position", "reported"):
                said = figure if isinstance(figure, str) else number(figure)
                rows.append(Row(f"{line['position']}: {what}", line["reported"].get(what, ""), said))
    return rows


def small_games(lines: list[Line]) -> list[Row]:
    return [
        Row(
            line["game"],
            line["published"],
            f"{line['value']}; {line['nodes']:,} nodes, {line['seconds']:.2f} s; proof: {line['checked']}",
        )
        for line in lines
    ]


def job_level(lines: list[Line]) -> list[Row]:
    theirs = {("mf-ve", 16): "8.58", ("fg", 16): "about 7.7 (MF-VE 12 % better)"}
    theirs |= {(policy, 16): "about 4.8 (80 % slower than MF-VE)" for policy in ("vw", "vl", "gd")}
    rows = []
    for line in lines:
        if line["case"] == "speed-up" and line["workers"] > 1:
            key = line["policy"], line["workers"]
            said = f"{line['of_sums']:.2f} of the sums, {line['geometric_mean']:.2f} in the mean"
            rows.append(Row(f"speed-up, {line['policy']} on {line['workers']}", theirs.get(key, ""), said))
            if key == ("mf-ve", 16):
                rows.append(Row("jobs aborted, mf-ve on 16", "11.19 %", f"{100 * line['aborted']:.1f} %"))
        elif line["case"] == "jobs":
            rows.append(Row("jobs that decide something", "15 %", f"{100 * line['decided']:.0f} %"))
            rows.append(Row("seconds a job", "37", number(line["seconds_each"])))
        elif line["case"] == "distance" and line["distance"] == 0:
            rows.append(Row("siblings of equal status (figure 36)", "", f"{100 * line['siblings']:.1f} %"))
            rows.append(Row("eldest children of their parent's status", "", f"{100 * line['eldest']:.1f} %"))
    return rows


def job_level_plots(lines: list[Line]) -> list[Plot]:
    found: dict[str, list[tuple[float, float]]] = {}
    for line in lines:
        if line["case"] == "speed-up":
            found.setdefault(line["policy"], []).append((log2(line["workers"]), log2(line["geometric_mean"])))
    curves = [Curve(policy, sorted(points)) for policy, points in found.items() if len(points) > 1]
    return [Plot("Speed-up by workers, both as powers of two", "workers, as a power of two", curves)] if curves else []


def pool(lines: list[Line]) -> list[Row]:
    both = [line for line in lines if line.get("seconds_1") and line.get("seconds_2")]
    one, two = (sum(line[f"seconds_{count}"] for line in both) for count in (1, 2))
    return [
        Row("positions solved with one process and with two", "", str(len(both))),
        Row(
            "seconds together, one and two processes", "", f"{one:.1f} and {two:.1f} ({one / max(two, 1e-9):.2f} times)"
        ),
    ]


def proofs(lines: list[Line]) -> list[Row]:
    accepted = sum(line["accepted"] for line in lines)
    return [Row("positions whose proof is accepted", "35 solved", f"{accepted} of {len(lines)}")]


def sudoku_check(lines: list[Line]) -> list[Row]:
    theirs = {16: "13.93 (thesis, its machine); 1.05 (two-band search, this kind)", 17: "3.81 (two-band search)"}
    rows = []
    for line in lines:
        what = f"{line['clues']} clues, mean seconds a grid over {line['grids']}"
        rows.append(Row(what, theirs.get(line["clues"], ""), f"{line['mean']:.3g} (longest {line['longest']:.3g})"))
        rows.append(Row("puzzles found in them", "0" if line["clues"] == 16 else "", str(line["puzzles"])))
    return rows


def sudoku_famous(lines: list[Line]) -> list[Row]:
    theirs = {16: ("0", "4 to 8 (two-band search)"), 17: ("29", "")}
    rows = []
    for line in lines:
        found, seconds = theirs[line["clues"]]
        rows.append(Row(f"the famous grid, puzzles with {line['clues']} clues", found, str(line["puzzles"])))
        rows.append(Row("seconds", seconds, number(line["seconds"])))
    return rows


def sudoku_known(lines: list[Line]) -> list[Row]:
    return [
        Row(f"known puzzles with 17 clues, of {one['grids']}: found again", "", str(one["found_again"]))
        for one in lines
    ]


def sudoku_versions(lines: list[Line]) -> list[Row]:
    theirs = dict(zip(("V1", "V2", "V3", "V4", "V5"), ("1754.89", "576.87", "44.51", "19.54", "12.45"), strict=True))
    rows = []
    for line in lines:
        version, _, sets = line["case"].partition(", ")
        if sets == "384 sets":
            said = f"{line['mean']:.4g} s, {line['nodes']:,} nodes"
            reported = f"{theirs[version]} s (16 clues)" if version in theirs else ""
            rows.append(Row(f"{version} with 384 sets", reported, said))
        elif sets.startswith("order"):
            rows.append(Row(f"V6, Shrink of {sets}", "", f"{line['mean']:.4g} s"))
        elif version == "fast":
            rows.append(Row("the fast search, the same clues", "", f"{line['mean']:.4g} s"))
    return rows


def sudoku_versions_plots(lines: list[Line]) -> list[Plot]:
    found: dict[str, list[tuple[float, float]]] = {}
    for line in lines:
        version, _, sets = line["case"].partition(", ")
        if sets.endswith(" sets"):
            found.setdefault(version, []).append((float(sets.split()[0]), log2(line["mean"])))
    curves = [Curve(version, points) for version, points in found.items()]
    return [Plot("Seconds a grid by number of sets (table 5)", "sets; seconds as a power of two", curves)]


def sudoku_levels(lines: list[Line]) -> list[Row]:
    rows = []
    for version in dict.fromkeys(line["case"].split(",")[0] for line in lines):
        own = [line for line in lines if line["case"].startswith(f"{version},")]
        nodes, pruned = (sum(line[what] for line in own) for what in ("nodes", "pruned"))
        widest = max(range(len(own)), key=lambda level: own[level]["nodes"])
        rows.append(Row(f"{version}: nodes, most of them on level", "", f"{nodes:,}, {widest}"))
        if pruned:
            rows.append(Row(f"{version}: pruned by Shrink", "", f"{100 * pruned / nodes:.0f} % of the nodes"))
    return rows


def sudoku_levels_plots(lines: list[Line]) -> list[Plot]:
    found: dict[str, list[tuple[float, float]]] = {}
    for line in lines:
        version, _, level = line["case"].partition(", level ")
        found.setdefault(version, []).append((float(level), log2(max(1, line["nodes"]))))
    curves = [Curve(version, points) for version, points in found.items()]
    return [Plot("Nodes by level (figure 11)", "level; nodes as a power of two", curves)]


def sudoku_sets(lines: list[Line]) -> list[Row]:
    return [
        Row(f"{one['case']}: sets a grid, seconds", "", f"{one['total']:.0f}, {one['seconds']:.3g}") for one in lines
    ]


def referee(lines: list[Line]) -> list[Row]:
    return [
        Row(f"{line['kind']}: {what}", "", number(figure))
        for line in lines
        for what, figure in line.items()
        if what != "kind"
    ]


def match(lines: list[Line]) -> list[Row]:
    (line,) = lines
    ours = next(one for one in line["standings"] if "huang" not in one["spec"])
    low, high = ours["score_interval"]
    said = f"{100 * ours['score']:.1f} % [{100 * low:.0f}, {100 * high:.0f}]"
    return [Row(f"points of ours in {line['games_played']} games", "", said)]


GAMES_FILE = "littlegolem.jsonl.gz"
KNOWN_FILE = "sudoku17-sample.txt"

EXPERIMENTS = [
    Experiment(
        "searches",
        HUANG,
        "Three threat-space searches on played-out openings (section 3.4.3)",
        ("bench/thesis.py", "--checkpoint", "{folder}/thesis.jsonl"),
        ("bench/thesis.py", "--checkpoint", "{folder}/thesis.jsonl", "--openings", "4", "--nodes", "10000"),
        searches,
        "The openings are 638, not 683, chosen by another evaluation, and another player plays them out, in longer "
        "games with fewer wins to be seen: what compares is how the searches stand to each other. Ours ask the table "
        "about all defences before one is searched, so they need fewer nodes.",
    ),
    Experiment(
        "patterns",
        HUANG,
        "The table of line patterns",
        ("bench/threats.py",),
        ("bench/threats.py",),
        measured,
    ),
    Experiment(
        "baseline",
        HUANG,
        "The engine's evaluation against the thesis's tables 3-8 to 3-10, 3,000 nodes a move",
        (
            *("-m", "tengen", "match", "engine:threads=1,nodes=3000", "engine:threads=1,nodes=3000,evaluation=huang"),
            *("--games", "100", "--time", "none", "--json", "--out", "{folder}/baseline"),
        ),
        (
            *("-m", "tengen", "match", "engine:threads=1,nodes=30", "engine:threads=1,nodes=30,evaluation=huang"),
            *("--games", "4", "--time", "none", "--json", "--out", "{folder}/baseline"),
        ),
        match,
    ),
    Experiment(
        "strategies",
        PAPERS,
        "Strategies of the solver played against every defence",
        ("bench/referee.py",),
        ("bench/referee.py", "--vcdt", "20", "--vcst", "2"),
        referee,
        data=(GAMES_FILE,),
    ),
    Experiment(
        "openings",
        PAPERS,
        "Openings proved with relevance zones",
        ("bench/openings.py", "--folder", "{folder}"),
        ("bench/openings.py", "--folder", "{folder}", "--quick"),
        openings,
        "How many replies must be answered depends on the zones, and those on which win is found first.",
    ),
    Experiment(
        "drawn",
        PAPERS,
        "MBBoard(B2,2) is drawn, hence Connect(11,2)",
        ("bench/theory.py", "proof"),
        ("bench/theory.py", "proof"),
        measured,
        "A position here is a class: stones that no open line needs, and symmetric ones, do not count.",
    ),
    Experiment(
        "breaker",
        PAPERS,
        "The strategies that hold the draw, against all comers",
        ("bench/theory.py", "survive"),
        ("bench/theory.py", "survive", "--games", "8"),
        measured,
    ),
    Experiment(
        "small-games",
        FAMILY,
        "Small games settled",
        ("bench/small_games.py",),
        ("bench/small_games.py", "--quick"),
        small_games,
    ),
    Experiment(
        "job-proofs",
        THESIS_JOBS,
        "35 positions solved with proofs",
        ("bench/job_level.py", "check", "{folder}/job-level"),
        ("bench/job_level.py", "check", "{folder}/job-level", "--positions", "2"),
        proofs,
    ),
    Experiment(
        "job-pool",
        THESIS_JOBS,
        "The same on one and on two processes",
        ("bench/job_level.py", "pool", "{folder}/job-level", "--workers", "1,2"),
        ("bench/job_level.py", "pool", "{folder}/job-level", "--workers", "1,2", "--positions", "2"),
        pool,
    ),
    Experiment(
        "job-simulation",
        THESIS_JOBS,
        "Speed-up of every policy on virtual workers",
        ("bench/job_level.py", "simulate", "{folder}/job-level"),
        ("bench/job_level.py", "simulate", "{folder}/job-level", "--positions", "2", "--workers", "1,4,16"),
        job_level,
        "Other positions, and jobs that are four thousand times shorter. The proofs are short chains, which bounds "
        "what many workers can do: see docs/job-level-search.md.",
        job_level_plots,
    ),
    Experiment(
        "agents",
        AGENTS,
        "The tournament of section 5, both colours, 95 % intervals",
        ("bench/agents_paper.py", "--checkpoint", "{folder}/agents_paper.jsonl"),
        ("bench/agents_paper.py", "--checkpoint", "{folder}/agents_paper.jsonl", "--games", "2"),
        agents,
        "The paper leaves open how equal values are told apart, and how wide its minimax searches: docs/agents.md has "
        "other readings of its text beside these.",
    ),
    Experiment(
        "sudoku-16",
        THESIS_SUDOKU,
        "16 clues in random grids",
        ("bench/sudoku.py", "check"),
        ("bench/sudoku.py", "check", "--grids", "5"),
        sudoku_check,
    ),
    Experiment(
        "sudoku-17",
        THESIS_SUDOKU,
        "17 clues in random grids",
        ("bench/sudoku.py", "check", "--clues", "17"),
        ("bench/sudoku.py", "check", "--clues", "17", "--grids", "2"),
        sudoku_check,
    ),
    Experiment(
        "sudoku-famous",
        THESIS_SUDOKU,
        "The grid with 29 puzzles",
        ("bench/sudoku.py", "famous"),
        ("bench/sudoku.py", "famous", "--clues", "16"),
        sudoku_famous,
    ),
    Experiment(
        "sudoku-known",
        THESIS_SUDOKU,
        "Known puzzles found again",
        ("bench/sudoku.py", "known"),
        ("bench/sudoku.py", "known", "--grids", "2"),
        sudoku_known,
        data=(KNOWN_FILE,),
    ),
    Experiment(
        "sudoku-versions",
        THESIS_SUDOKU,
        "Versions, sets and orders of shrinking (tables 3, 5, 6), 12 clues",
        ("bench/sudoku.py", "versions"),
        ("bench/sudoku.py", "versions", "--grids", "1", "--clues", "10"),
        sudoku_versions,
        "With 12 clues instead of 16, so that the slow versions come to an end: the order of the versions compares, "
        "the seconds do not.",
        sudoku_versions_plots,
    ),
    Experiment(
        "sudoku-levels",
        THESIS_SUDOKU,
        "What is counted on each level (figures 11 to 15), 13 clues",
        ("bench/sudoku.py", "levels"),
        ("bench/sudoku.py", "levels", "--grids", "1", "--clues", "11"),
        sudoku_levels,
        plots=sudoku_levels_plots,
    ),
    Experiment(
        "sudoku-sets",
        THESIS_SUDOKU,
        "Unavoidable sets (table 4)",
        ("bench/sudoku.py", "sets"),
        ("bench/sudoku.py", "sets", "--grids", "2"),
        sudoku_sets,
    ),
]
