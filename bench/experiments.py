"""What `make reproduce` repeats: the command of each experiment, and what one should know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import figures
from figures import Figure, Line, Plot


@dataclass(frozen=True)
class Document:
    """One of the documents whose figures are repeated."""

    name: str
    """As a heading."""
    about: str
    missing: tuple[tuple[str, str], ...] = ()
    """What of it cannot be repeated, and why."""


@dataclass(frozen=True)
class Experiment:
    """Something that can be repeated. `{folder}` in a command is where it keeps what it has run, to go on there."""

    name: str
    document: Document
    title: str
    command: tuple[str, ...]
    """After `python`."""
    quick: tuple[str, ...]
    """The same in a minute or so; it need not be complete, but runs everything."""
    figures: Callable[[list[Line]], list[Figure]]
    remark: str = ""
    """What a reader should know, above all where ours differs."""
    plots: Callable[[list[Line]], list[Plot]] = field(default=lambda _: [])
    data: tuple[str, ...] = ()
    """Files of real games or grids beside the checkout, without which it cannot run."""


HUANG = Document(
    "Huang's thesis: threat-space search",
    "a master's thesis in Chinese: line patterns, evaluation, three threat-space searches",
    (
        (
            "the 683 played-out openings themselves (section 3.4.3)",
            "they come from the thesis's own program; ours come from the thesis's recipe and our player",
        ),
        ("the sub-nodes of table 3-16", "what a sub-node is depends on the inside of that program"),
        (
            "35 squares of R-Zone II after a semi-null move at 1a (section 4.3)",
            "the square 1a, and the win on which the zone depends, are only in a figure",
        ),
    ),
)
PAPERS = Document(
    "The papers on Connect6, its openings and its proofs (project report)",
    "Wu's project report with its papers: NCTU6, relevance zones, job-level search, drawn k-in-a-row games",
    (
        (
            "most of the twelve openings that were solved",
            "the positions are only in figures, which the texts that we have lack; [openings](../openings.md) has "
            "those that the words give, and others that we proved",
        ),
        (
            "NCTU6's matches against people and programs",
            "neither NCTU6 nor those people are at hand; [tournaments](../tournaments.md) has matches against "
            "programs that are",
        ),
        (
            "30,000 positions mined for puzzles, 5,000 kept",
            "the games and the rules of choice are not described; [puzzles](../puzzles.md) tells how many ours gave",
        ),
        (
            "Table I of the paper on relevance zones, with nodes and times of three positions",
            "the text that we have lacks the table, and the positions are only in figures",
        ),
        (
            "569 defending moves of the paper's order-3 proof, for which experts found 26 quiet moves",
            "the position is only in a figure (4(a))",
        ),
        (
            "65 positions solved, of which 34 not by the scheme that takes VCDTs alone after semi-null moves",
            "they are listed in a paper that we do not have",
        ),
    ),
)
FAMILY = Document(
    "Wu, Huang, Chang: the family Connect(m,n,k,p,q)",
    "the paper that introduced Connect6: the family, fairness, threats",
    (("its theorems and estimates", "they are no measurements: [fairness](../fairness.md) has them with our proofs"),),
)
THESIS_JOBS = Document(
    "Lin's thesis: job-level search",
    "chapters 3 and 4 of a PhD thesis: job-level computing, proof-number search by jobs",
    (
        (
            "the 35 positions, and the two openings of 7.03 and 35.11 hours",
            "they are only in figures, which the text that we have lacks; ours are 35 other ones of our own games",
        ),
        (
            "21.10 % of the jobs take over a minute; 41.38 s a job without those that decide something",
            "our jobs are limited by nodes and take milliseconds, so that none of them takes a minute, and the times "
            "of single jobs are not kept",
        ),
        ("hours on 16 cores", "this machine has two; workers beyond them are virtual, with the times of real jobs"),
        (
            "the volunteers' machines",
            "a grid of strangers' machines cannot be repeated; [grid](../grid.md) measures ours",
        ),
    ),
)
AGENTS = Document(
    "The Connect-k agents",
    "a report on seven agents, minimax for any of them, an opening book, a tournament",
    (("Sequences against NCTU6, 10 % won", "NCTU6 is not at hand"),),
)
THESIS_SUDOKU = Document(
    "Lin's thesis: minimum Sudoku",
    "chapter 2 of the same thesis: every puzzle with n clues in a complete grid, by disjoint unavoidable sets",
    (
        (
            "the versions V1 to V5 with 16 clues on 100 grids",
            "V1 would take days: each has as many grids as hours allow",
        ),
        ("10,000 grids, and the 100 of the thesis", "its lists of grids were on a page that is gone; ours are random"),
        (
            "the whole times of table 5 but for that of V6, and 1704.25 (V1), 10.99 and 12.72 s (V6) for two more "
            "samples",
            "our phase 1 takes 0.03 s for all versions, so their whole times are those of phase 2",
        ),
        (
            "222.54 sets a grid in 0.5 s by removing regions as the original program did",
            "not tried: its three kinds of regions are described, but ours has only larger ones, four digits or "
            "four boxes, after those of the improved program",
        ),
    ),
)

GAMES_FILE = "littlegolem.jsonl.gz"
KNOWN_FILE = "sudoku17-sample.txt"

EXPERIMENTS = [
    Experiment(
        "searches",
        HUANG,
        "Three threat-space searches on played-out openings (section 3.4.3)",
        ("bench/thesis.py", "--checkpoint", "{folder}/thesis.jsonl"),
        ("bench/thesis.py", "--checkpoint", "{folder}/thesis.jsonl", "--openings", "4", "--nodes", "10000"),
        figures.searches,
        "The openings are 638, not 683, chosen by another evaluation, and another player plays them out, in longer "
        "games with fewer wins to be seen: what compares is how the searches stand to each other. As in the thesis, "
        "conservative search needs the fewest nodes and misses a small part of the wins, and hybrid search finds all "
        "but needs more nodes than the two others together. It misses more than in the thesis (6 of 100 wins, not 2). "
        "Ours ask the table about all defences before one is searched, so they need fewer nodes.",
    ),
    Experiment(
        "patterns",
        HUANG,
        "The table of line patterns",
        ("bench/threats.py",),
        ("bench/threats.py",),
        figures.patterns,
        "The thesis counts every pattern of a line of up to 19 squares; ours has windows of what a stone can reach, "
        "filled as they are met, and serves any board and k. It reports no times. What stands in brackets is our own: "
        "the slow twin that tests compare with, and the memory of the table.",
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
        figures.match,
        "The thesis plays no such match: its tables are the baseline that our evaluation has to beat.",
    ),
    Experiment(
        "strategies",
        PAPERS,
        "Strategies of the solver played against every defence",
        ("bench/referee.py",),
        ("bench/referee.py", "--vcdt", "20", "--vcst", "2"),
        figures.referee,
        "The papers trust their solver; this plays each strategy of ours against every defence that there is.",
        data=(GAMES_FILE,),
    ),
    Experiment(
        "openings",
        PAPERS,
        "Openings proved with relevance zones",
        ("bench/openings.py", "--folder", "{folder}"),
        ("bench/openings.py", "--folder", "{folder}", "--quick"),
        figures.openings,
        "How many replies must be answered depends on the zones, and those on which win is found first. The third "
        "position is not in the papers by that name: a Connect6 opening that takes wins of order 3.",
    ),
    Experiment(
        "drawn",
        PAPERS,
        "MBBoard(B2,2) is drawn, hence Connect(11,2)",
        ("bench/theory.py", "proof"),
        ("bench/theory.py", "proof"),
        figures.drawn,
        "A position here is a class: stones that no open line needs, and symmetric ones, do not count.",
    ),
    Experiment(
        "breaker",
        PAPERS,
        "The strategies that hold the draw, against all comers",
        ("bench/theory.py", "survive"),
        ("bench/theory.py", "survive", "--games", "8"),
        figures.breaker,
        "The papers prove the draws and play no games. Here each proved strategy plays 1,000 games against each "
        "opponent, with both colours, on four boards: one lost game would refute it. 'tile-attacker' is made to "
        "attack that very strategy; the engine has 30 nodes a move.",
    ),
    Experiment(
        "small-games",
        FAMILY,
        "Small games settled",
        ("bench/small_games.py",),
        ("bench/small_games.py", "--quick"),
        figures.small_games,
        "Values are those for Black, who begins. That tic-tac-toe is a draw, and a win as a maker-breaker game, is "
        "said in Huang's thesis. 'Published elsewhere' is not in the documents: who published what is in "
        "[small games](../small-games.md#what-others-have-published). For p = 2 and 3 we know of no published table. "
        "'Search alone': no proof was checked, as the strategy was too large to write.",
    ),
    Experiment(
        "job-proofs",
        THESIS_JOBS,
        "35 positions solved with proofs",
        ("bench/job_level.py", "check", "{folder}/job-level"),
        ("bench/job_level.py", "check", "{folder}/job-level", "--positions", "2"),
        figures.proofs,
        "The thesis's positions are only in its figures, which the text that we have lacks: these are 35 of our own "
        "games, chosen by a rule before they were simulated ([job-level-search](../job-level-search.md)).",
    ),
    Experiment(
        "job-pool",
        THESIS_JOBS,
        "The same on one and on two processes",
        ("bench/job_level.py", "pool", "{folder}/job-level", "--workers", "1,2"),
        ("bench/job_level.py", "pool", "{folder}/job-level", "--workers", "1,2", "--positions", "2"),
        figures.pool,
        "Real processes, not virtual workers, on the two cores of this machine.",
    ),
    Experiment(
        "job-simulation",
        THESIS_JOBS,
        "Speed-up of every policy on virtual workers",
        ("bench/job_level.py", "simulate", "{folder}/job-level"),
        ("bench/job_level.py", "simulate", "{folder}/job-level", "--positions", "2", "--workers", "1,4,16"),
        figures.job_level,
        "Other positions, and jobs that are four thousand times shorter. The proofs are short chains, which bounds "
        "what many workers can do: [job-level-search](../job-level-search.md) has how much that is. The "
        "verdict 'worse' compares the larger of our two figures.",
        figures.job_level_plots,
    ),
    Experiment(
        "job-large",
        THESIS_JOBS,
        "The same on larger positions",
        ("bench/job_level.py", "simulate", "{folder}/job-large", "--large", "--workers", "1,16"),
        (
            *("bench/job_level.py", "simulate", "{folder}/job-large", "--large", "--workers", "1,16"),
            *("--policies", "mf-ve", "--positions", "1"),
        ),
        figures.large_positions,
        "The thesis's two hard openings take 16 cores 7 and 35 hours, our two hardest of these take one worker half a "
        "minute. Nine positions that take one worker about two thousand jobs each, found by the same rule in other "
        "games; their proofs are less of a chain, so more workers help more.",
    ),
    Experiment(
        "agents",
        AGENTS,
        "The tournament of section 5, both colours, 95 % intervals",
        ("bench/agents_paper.py", "--checkpoint", "{folder}/agents_paper.jsonl"),
        ("bench/agents_paper.py", "--checkpoint", "{folder}/agents_paper.jsonl", "--games", "2"),
        figures.agents,
        "The paper leaves open how equal values are told apart, and how wide its minimax searches: "
        "[agents](../agents.md) has other readings of its text beside these.",
    ),
    Experiment(
        "sudoku-16",
        THESIS_SUDOKU,
        "16 clues in random grids",
        ("bench/sudoku.py", "check"),
        ("bench/sudoku.py", "check", "--grids", "5"),
        figures.sudoku_check,
        "Another algorithm than the thesis's ([sudoku](../sudoku.md)), other random grids, a newer machine. Of "
        "programs that others wrote since, run on the same kind of machine, the two-band search takes 1.05 s a grid.",
    ),
    Experiment(
        "sudoku-17",
        THESIS_SUDOKU,
        "17 clues in random grids",
        ("bench/sudoku.py", "check", "--clues", "17"),
        ("bench/sudoku.py", "check", "--clues", "17", "--grids", "2"),
        figures.sudoku_check,
        "The thesis reports 16 clues only. The two-band search takes 3.81 s a grid on the same kind of machine.",
    ),
    Experiment(
        "sudoku-famous",
        THESIS_SUDOKU,
        "The grid with 29 puzzles",
        ("bench/sudoku.py", "famous"),
        ("bench/sudoku.py", "famous", "--clues", "16"),
        figures.sudoku_famous,
    ),
    Experiment(
        "sudoku-known",
        THESIS_SUDOKU,
        "Known puzzles found again",
        ("bench/sudoku.py", "known"),
        ("bench/sudoku.py", "known", "--grids", "2"),
        figures.sudoku_known,
        "The grids of a sample of Royle's list: a search that claims to be complete must find their puzzle again.",
        data=(KNOWN_FILE,),
    ),
    Experiment(
        "sudoku-versions",
        THESIS_SUDOKU,
        "Versions, sets and sequences of shrinks (tables 3 and 6), 12 clues",
        ("bench/sudoku.py", "versions"),
        ("bench/sudoku.py", "versions", "--grids", "1", "--clues", "10"),
        figures.sudoku_versions,
        "With 12 clues instead of 16, so that the slow versions come to an end: the order of the versions compares, "
        "the seconds and the factors do not. Reported are the best numbers of sets of table 3, phase 2 alone. V2 is "
        "slower than V1 here: it branches on the set with the fewest cells alive, visits little more than half of the "
        "nodes, and pays more for each; what the thesis tuned there besides, it does not say. From V3 on the order is "
        "the thesis's. Of the sequences of shrinks the first is the slowest and the third the fastest in both.",
        figures.sudoku_versions_plots,
    ),
    Experiment(
        "sudoku-sixteen",
        THESIS_SUDOKU,
        "The versions with 16 clues (tables 3 and 5)",
        ("bench/sudoku.py", "sixteen", "--checkpoint", "{folder}/sudoku_sixteen.jsonl"),
        (
            "bench/sudoku.py",
            "sixteen",
            "--checkpoint",
            "{folder}/sudoku_sixteen.jsonl",
            "--grids",
            "5",
            "--clues",
            "13",
        ),
        figures.sudoku_sixteen,
        "The thesis's own algorithms on its own task, but for the grids, which are random in both, and what it leaves "
        "out of its tunings; it has all versions on 100 grids, and one core of a Xeon E5520. Ours took an hour of the "
        "processor beside much other work; the line below counts only what was left to do when the page was made. V3 "
        "stands to V6 as in the thesis; V4 takes no longer than V6 here, and V1 is nearer to it. Our V4 visits 26 "
        "million nodes in all, where the thesis has up to 37 million on one level.",
    ),
    Experiment(
        "sudoku-levels",
        THESIS_SUDOKU,
        "Nodes by level (figure 11), 13 clues",
        ("bench/sudoku.py", "levels"),
        ("bench/sudoku.py", "levels", "--grids", "1", "--clues", "11"),
        figures.sudoku_levels,
        "With 13 clues instead of 16, so that V2 comes to an end. Ours are means a grid; whether the thesis's are too, "
        "it does not say. What compares is where the widest level is: from V2 to V4 it comes nearer to the root.",
        figures.sudoku_levels_plots,
    ),
    Experiment(
        "sudoku-sets",
        THESIS_SUDOKU,
        "Unavoidable sets (table 4)",
        ("bench/sudoku.py", "sets"),
        ("bench/sudoku.py", "sets", "--grids", "2"),
        figures.sudoku_sets,
        "Over 20 random grids of ours, where the thesis has 100. All sets of up to 12 cells are as many in any random "
        "grids but for chance; its regions are others than ours.",
    ),
]
