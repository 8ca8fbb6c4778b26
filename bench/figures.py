"""The figures of the results page: what an experiment's command said, beside what the documents report of the same.

A figure is *reported* only if one of the documents has it. What other programs or our own slow twins did stands with
ours, or in the remark of the experiment.
"""

from __future__ import annotations

from enum import StrEnum
from math import log2
from typing import Any, NamedTuple

Line = dict[str, Any]
"""What a command says of one case, a line of JSON each."""


class Verdict(StrEnum):
    """How a figure of ours stands to the one that is reported."""

    MET = "met"
    BETTER = "better"
    WORSE = "worse"
    DIFFERENT = "different"


class Figure(NamedTuple):
    """A row of a table."""

    what: str
    """With its unit."""
    here: str
    reported: str = ""
    verdict: Verdict | None = None
    is_detail: bool = False
    """Whether the summary leaves it out."""


class Curve(NamedTuple):
    """A line of a plot."""

    name: str
    points: list[tuple[float, float]]


class Plot(NamedTuple):
    """A picture that goes with a table."""

    title: str
    foot: str
    curves: list[Curve]


def number(value: float, digits: int = 3) -> str:
    """A figure as a reader wants it."""
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def less_is_better(here: float, reported: float) -> Verdict:
    """The verdict on a cost of one and the same task."""
    return Verdict.BETTER if here < reported else Verdict.MET if here == reported else Verdict.WORSE


# Huang's thesis


def searches(lines: list[Line]) -> list[Figure]:
    theirs = {
        "all find a win": ("3,054 (23.9 %)", "1,213 / 267 / 1,868"),
        "conservative misses it": ("77 (0.6 %)", "16,873 / 1,867 / 40,242"),
        "none finds one": ("9,612 (75.4 %)", "341 / 165 / 674"),
    }
    of_all = sum(line["positions"] for line in lines if line.get("case") in theirs)
    figures = [Figure("positions", f"{of_all:,}", "12,743", Verdict.DIFFERENT, is_detail=True)]
    for line in lines:
        if (case := line.get("case")) in theirs:
            reported, nodes = theirs[case]
            share = f"{line['positions']:,} ({100 * line['positions'] / max(1, of_all):.1f} %)"
            figures.append(Figure(f"positions where {case}", share, reported, Verdict.DIFFERENT))
            means = " / ".join(f"{line['mean_nodes'][m]:,.0f}" for m in ("traditional", "conservative", "hybrid"))
            what = f"mean nodes where {case}: traditional / conservative / hybrid"
            figures.append(Figure(what, means, nodes, Verdict.DIFFERENT))
        elif "conservative finds, %" in line:
            found = f"{line['conservative finds, %']:.1f} %"
            figures.append(Figure("share of the wins that conservative search finds", found, "98 %", Verdict.DIFFERENT))
    return figures


def patterns(lines: list[Line]) -> list[Figure]:
    figures = []
    for line in lines:
        said = f"{number(line['value'])} {line['unit']}"
        if line["case"].startswith("line-pattern table"):
            verdict = less_is_better(line["value"], 80)
            figures.append(Figure("memory of the table of Connect6", said, "about 80 MB", verdict))
        else:
            beside = f" ({line['yardstick']})" if line["yardstick"] else ""
            figures.append(Figure(line["case"], said + beside))
    return figures


def match(lines: list[Line]) -> list[Figure]:
    (line,) = lines
    ours = next(one for one in line["standings"] if "huang" not in one["spec"])
    low, high = ours["score_interval"]
    said = f"{100 * ours['score']:.1f} %, 95 % interval {100 * low:.0f} to {100 * high:.0f} %"
    return [Figure(f"share of the points of {line['games_played']} games", said)]


# The papers of the project report


def referee(lines: list[Line]) -> list[Figure]:
    return [
        Figure(f"{line['kind'].upper()}: {what}", number(figure))
        for line in lines
        for what, figure in line.items()
        if what != "kind"
    ]


def openings(lines: list[Line]) -> list[Figure]:
    figures = []
    for line in lines:
        is_paper = line["position"] == "Connect(19,19,6,2,3) J10L10K11"
        for what, figure in line.items():
            if what in ("position", "reported"):
                continue
            said = figure if isinstance(figure, str) else number(figure)
            reported, verdict = "", None
            if is_paper and what == "squares of Z1, Z2 after a null move":
                reported, verdict = "Z2: 62 to 63", Verdict.MET if said.endswith((" 62", " 63")) else Verdict.DIFFERENT
            elif is_paper and what == "full moves answered":
                reported, verdict = "1,713 (thesis), 2,656 verifications (paper)", Verdict.DIFFERENT
            figures.append(Figure(f"{line['position']}: {what}", said, reported, verdict))
    return figures


def drawn(lines: list[Line]) -> list[Figure]:
    theirs = {
        "positions searched": (844_618, "844,618; 1,291,140,480 before they were optimised"),
        "search and strategy": (37, "37 s; 17,104 s before (Athlon 64 X2, 2.7 GHz)"),
    }
    figures = []
    for line in lines:
        said = f"{number(line['value'])} {line['unit']}".strip()
        if line["case"] in theirs:
            cost, reported = theirs[line["case"]]
            figures.append(Figure(line["case"], said, reported, less_is_better(line["value"], cost)))
        else:
            figures.append(Figure(line["case"], said))
    is_drawn = Figure("MBBoard(B2,2)", "a draw, by a strategy that is checked", "a draw", Verdict.MET)
    return [is_drawn, *figures]


def breaker(lines: list[Line]) -> list[Figure]:
    figures = []
    for line in lines:
        ends, _, time = line["yardstick"].rpartition(", ")
        lost = int(line["bar"]) - line["value"] or "none"
        figures.append(Figure(f"{line['case']}, {line['value']:,} games", f"{ends}, {lost} lost; {time}"))
    return figures


# The family


def small_games(lines: list[Line]) -> list[Figure]:
    published = [line for line in lines if line["published"]]
    same = sum(line["value"] == line["published"] for line in published)
    figures = [
        Figure(
            "games whose value is published elsewhere, see below",
            f"{same} of {len(published)} values are the same",
        )
    ]
    for line in lines:
        seconds = "under 0.01 s" if line["seconds"] < 0.01 else f"{line['seconds']:.2f} s"
        said = f"{line['value']}; {line['nodes']:,} {'node' if line['nodes'] == 1 else 'nodes'}, {seconds}; "
        said += f"proof: {line['checked']}"
        if line["published"]:
            said += f"; published elsewhere: {line['published']}"
        figures.append(Figure(line["game"], said))
    return figures


# Lin's thesis: job-level search


def proofs(lines: list[Line]) -> list[Figure]:
    accepted = sum(line["accepted"] for line in lines)
    verdict = Verdict.DIFFERENT
    return [Figure("positions solved", f"{accepted} of {len(lines)}, each with a checked proof", "35", verdict)]


def pool(lines: list[Line]) -> list[Figure]:
    both = [line for line in lines if line.get("seconds_1") and line.get("seconds_2")]
    one, two = (sum(line[f"seconds_{count}"] for line in both) for count in (1, 2))
    return [
        Figure("positions solved with one process and with two", str(len(both))),
        Figure("seconds together, one process", f"{one:.1f}"),
        Figure("seconds together, two processes", f"{two:.1f} ({one / max(two, 1e-9):.2f} times as fast)"),
    ]


def job_level(lines: list[Line]) -> list[Figure]:
    theirs = {("mf-ve", 16): (8.58, "8.58"), ("fg", 16): (7.64, "7.64 (MF-VE is 12.3 % better)")}
    theirs |= {(policy, 16): (4.77, "about 4.8 (80 % longer than MF-VE)") for policy in ("vw", "vl", "gd")}
    theirs |= {("vl", workers): (0.0, "roughly linear (paper)") for workers in (2, 4, 8)}
    figures = []
    for line in lines:
        if line["case"] == "speed-up" and line["workers"] > 1:
            key = line["policy"], line["workers"]
            said = f"{line['of_sums']:.2f} of the sums, {line['geometric_mean']:.2f} in the mean"
            speed, reported = theirs.get(key, (0.0, ""))
            best = max(line["of_sums"], line["geometric_mean"])
            verdict = (Verdict.WORSE if best < speed else Verdict.DIFFERENT) if reported else None
            what = f"speed-up, {line['policy'].upper()} on {line['workers']} workers"
            figures.append(Figure(what, said, reported, verdict))
            if key == ("mf-ve", 16):
                aborted = f"{100 * line['aborted']:.1f} %"
                figures.append(Figure("jobs aborted, MF-VE on 16 workers", aborted, "11.19 %", Verdict.DIFFERENT))
            if key == ("mf-ve", 8):
                figures += _faster_on_eight(lines)
        elif line["case"] == "jobs":
            decided = f"{100 * line['decided']:.0f} %"
            figures.append(Figure("jobs that decide something", decided, "14.99 %", Verdict.DIFFERENT))
            figures.append(Figure("seconds a job", number(line["seconds_each"]), "37.45", Verdict.DIFFERENT))
        elif line["case"] == "distance" and line["distance"] == 0:
            for what, share in (("siblings of equal status", "siblings"), ("eldest children like parents", "eldest")):
                verdict = Verdict.MET if line[share] > 0.5 else Verdict.DIFFERENT
                figures.append(Figure(f"{what} (figure 36)", f"{100 * line[share]:.1f} %", "most", verdict))
    return figures


def _faster_on_eight(lines: list[Line]) -> list[Figure]:
    on_eight = {line["policy"]: line for line in lines if line["case"] == "speed-up" and line["workers"] == 8}
    if "fg" not in on_eight:
        return []
    ours, plain = on_eight["mf-ve"], on_eight["fg"]
    by_sums, by_mean = (100 * (ours[mean] / plain[mean] - 1) for mean in ("of_sums", "geometric_mean"))
    said = f"{by_sums:.1f} % by the sums, {by_mean:.1f} % in the mean"
    return [Figure("MF-VE over FG on 8 workers", said, "17.8 %", Verdict.DIFFERENT)]


def large_positions(lines: list[Line]) -> list[Figure]:
    """Also how many times as long as MF-VE two other policies take, for each of the two that take longest."""
    figures = job_level(lines)
    alone = {line["position"]: line["seconds"] for line in lines if line["case"] == "alone"}
    hardest = sorted(alone, key=lambda position: -alone[position])[:2]
    seconds = {(one["position"], one["policy"]): one["seconds"] for one in lines if one["case"] == "trial"}
    compared = {(a, b): one for one in lines if one["case"] == "comparison" for a, b in [one["policies"]]}
    for policy, reported in (("fg", "2.18 and 1.43"), ("vl", "2.76 and 1.72")):
        if ("mf-ve", policy) not in compared or len(hardest) < 2:
            continue
        both = [seconds[position, policy] / seconds[position, "mf-ve"] for position in hardest]
        said = f"{both[0]:.2f} and {both[1]:.2f} ({compared['mf-ve', policy]['ratio']:.2f} in the mean of all)"
        what = f"how many times as long as MF-VE takes {policy.upper()}, the two hardest positions"
        figures.append(Figure(what, said, reported, Verdict.DIFFERENT))
    return figures


def job_level_plots(lines: list[Line]) -> list[Plot]:
    found: dict[str, list[tuple[float, float]]] = {}
    for line in lines:
        if line["case"] == "speed-up":
            found.setdefault(line["policy"], []).append((log2(line["workers"]), log2(line["geometric_mean"])))
    curves = [Curve(policy, sorted(points)) for policy, points in found.items() if len(points) > 1]
    return [Plot("Speed-up by workers, both as powers of two", "workers, as a power of two", curves)] if curves else []


# The Connect-k agents


def agents(lines: list[Line]) -> list[Figure]:
    return [
        Figure(
            f"{line['case']}: share of the points of the first",
            f"{line['value']:.0f} {line['unit']}; {line['yardstick']}",
            line["bar"].removesuffix(" in the paper"),
            _of_interval(line["unit"], line["bar"]),
        )
        for line in lines
    ]


def _of_interval(interval: str, reported: str) -> Verdict | None:
    """Whether a reported share is within an interval like `% [70, 82]`."""
    if not reported:
        return None
    low, high = (float(word.strip(" %[]")) for word in interval.split(","))
    return Verdict.MET if low <= float(reported.split()[0]) <= high else Verdict.DIFFERENT


# Lin's thesis: minimum Sudoku

BEST_SETS = {"V1": 192, "V2": 256, "V3": 320, "V4": 384, "V5": 384, "V6": 384}
"""With how many unavoidable sets each version was fastest in the thesis (table 3)."""


def sudoku_check(lines: list[Line]) -> list[Figure]:
    figures = []
    for line in lines:
        is_theirs = line["clues"] == 16
        figures += [
            Figure(
                f"{line['clues']} clues: mean seconds a grid, over {line['grids']} grids",
                f"{line['mean']:.3g} (longest {line['longest']:.3g})",
                "13.93 (one core of a Xeon E5520)" if is_theirs else "",
                less_is_better(line["mean"], 13.93) if is_theirs else None,
            ),
            Figure(f"{line['clues']} clues: puzzles found in them", str(line["puzzles"])),
        ]
    return figures


def sudoku_famous(lines: list[Line]) -> list[Figure]:
    theirs = {16: 0, 17: 29}
    figures = []
    for line in lines:
        known = theirs[line["clues"]]
        verdict = Verdict.MET if line["puzzles"] == known else Verdict.DIFFERENT
        what = f"puzzles with {line['clues']} clues in the grid of figure 3"
        figures.append(Figure(what, str(line["puzzles"]), str(known), verdict))
        figures.append(Figure(f"seconds for the {line['clues']} clues", number(line["seconds"])))
    return figures


def sudoku_known(lines: list[Line]) -> list[Figure]:
    return [
        Figure("known puzzles with 17 clues that are found again", f"{one['found_again']} of {one['grids']}")
        for one in lines
    ]


def sudoku_versions(lines: list[Line]) -> list[Figure]:
    speed_ups = {"V2": 3.04, "V3": 39.43, "V4": 89.81, "V5": 140.96, "V6": 136.67}
    orders = {"1": 18.18, "2": 13.97, "3": 13.93, "4": 15.62, "5": 16.88, "6": 17.16}
    by_case = {line["case"]: line for line in lines}
    first = by_case[f"V1, {BEST_SETS['V1']} sets"]
    figures = [
        Figure("V1 with 192 sets: time a grid", f"{number(first['mean'])} s", "1754.89 s", Verdict.DIFFERENT),
    ]
    for version, theirs in speed_ups.items():
        line = by_case[f"{version}, {BEST_SETS[version]} sets"]
        times = first["mean"] / line["mean"]
        said = f"{times:,.0f}" if times >= 100 else f"{times:.3g}"
        said += f" times ({line['nodes']:,} nodes)"
        what = f"{version} with {BEST_SETS[version]} sets: speed-up over V1"
        verdict = Verdict.DIFFERENT if times > 1 else Verdict.WORSE
        figures.append(Figure(what, said, f"{theirs:,} times", verdict))
    for order, seconds in orders.items():
        line = by_case[f"V6, order {order}"]
        what, said = f"V6, sequence of shrinks {order}: time a grid", f"{number(1000 * line['mean'])} ms"
        figures.append(Figure(what, said, f"{seconds} s", Verdict.DIFFERENT, is_detail=True))
    fast = number(1000 * by_case["fast"]["mean"])
    figures.append(Figure("the fast search, the same clues: time a grid", f"{fast} ms"))
    return figures


def sudoku_sixteen(lines: list[Line]) -> list[Figure]:
    of_phase_2 = {"V1": 1754.89, "V2": 576.87, "V3": 44.51, "V4": 19.54, "V5": 12.45, "V6": 12.84}
    figures = []
    for line in lines:
        version, grids = line["case"], line["grids"]
        which = f"{version} with {BEST_SETS[version]} sets, {grids} grid{'s' if grids > 1 else ''}"
        reported, seconds = of_phase_2[version], line["mean"]
        said = f"{number(seconds)} s (longest {number(line['longest'])}; {line['nodes']:,} nodes)"
        figures.append(Figure(f"{which}: time a grid", said, f"{reported} s", less_is_better(seconds, reported)))
        if version == "V6":
            whole = seconds + line["seconds_sets"]
            figures.append(
                Figure(f"{which}, with phase 1", f"{number(whole)} s", "13.93 s", less_is_better(whole, 13.93))
            )
        elif line["mean_of_v6"]:
            times = f"{number(seconds / line['mean_of_v6'])} times"
            theirs = f"{reported / of_phase_2['V6']:.3g} times"
            figures.append(Figure(f"{which}: as long as V6 on the same", times, theirs, Verdict.DIFFERENT))
    return figures


def sudoku_versions_plots(lines: list[Line]) -> list[Plot]:
    found: dict[str, list[tuple[float, float]]] = {}
    for line in lines:
        version, _, sets = line["case"].partition(", ")
        if sets.endswith(" sets"):
            found.setdefault(version, []).append((float(sets.split()[0]), log2(line["mean"])))
    curves = [Curve(version, points) for version, points in found.items()]
    return [Plot("Seconds a grid by number of sets (table 3)", "sets; seconds as a power of two", curves)]


def sudoku_levels(lines: list[Line]) -> list[Figure]:
    theirs = {"V2": ("14 billion", 16), "V3": ("322 million", 15), "V4": ("37 million", 13)}
    of_sets = {"V3": ("745 million", 14), "V4": ("115 million", 13)}
    figures = []
    for version in dict.fromkeys(line["case"].split(",")[0] for line in lines):
        own = [line for line in lines if line["case"].startswith(f"{version},")]
        nodes, pruned = (sum(line[what] for line in own) for what in ("nodes", "pruned"))
        widest = max(range(len(own)), key=lambda level: own[level]["nodes"])
        most, level = theirs[version]
        said = f"{own[widest]['nodes']:,} on level {widest} of {len(own) - 1}"
        reported = f"{most} on level {level} of 16"
        figures.append(Figure(f"{version}: most nodes on a level", said, reported, Verdict.DIFFERENT))
        if version in of_sets:
            richest = max(range(len(own)), key=lambda level: own[level]["disjoint"])
            most, level = of_sets[version]
            said = f"{own[richest]['disjoint']:,} on level {richest} of {len(own) - 1}"
            reported = f"{most} on level {level} of 16"
            figures.append(Figure(f"{version}: most disjoint sets on a level", said, reported, Verdict.DIFFERENT))
        if pruned:
            figures.append(Figure(f"{version}: nodes pruned by Shrink", f"{100 * pruned / nodes:.0f} % of all"))
    return figures


def sudoku_levels_plots(lines: list[Line]) -> list[Plot]:
    found: dict[str, list[tuple[float, float]]] = {}
    for line in lines:
        version, _, level = line["case"].partition(", level ")
        found.setdefault(version, []).append((float(level), log2(max(1, line["nodes"]))))
    curves = [Curve(version, points) for version, points in found.items()]
    return [Plot("Nodes by level (figure 11)", "level; nodes as a power of two", curves)]


def sudoku_sets(lines: list[Line]) -> list[Figure]:
    theirs = {
        "all up to 12": (
            "all minimal sets of up to 12 cells",
            "275.27 (140.17 + 135.10; 358.40 with larger ones)",
            "37.4 (with larger ones)",
        ),
        "regions up to 14": (
            "sets of regions, up to 14 cells",
            "464.45 (140.17 + 106.22 + 61.58 + 156.48; 747.99 with larger ones)",
            "1.09 (with larger ones)",
        ),
    }
    figures = []
    for line in lines:
        what, sets, seconds = theirs[line["case"]]
        figures.append(Figure(f"{what}: sets a grid", f"{line['total']:.0f}", sets, Verdict.DIFFERENT))
        figures.append(Figure(f"{what}: seconds a grid", f"{line['seconds']:.3g}", seconds, Verdict.DIFFERENT))
    return figures
