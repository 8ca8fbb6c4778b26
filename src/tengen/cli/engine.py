"""`tengen engine`: our program for other programs, on standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from tengen.cli.common import EXIT_INTERRUPTED, NodesOption, parse_game, refuse_given
from tengen.game import CONNECT6, Game
from tengen.play import Agent, Budget, make_agent
from tengen.play.agent import dismiss
from tengen.play.external.botzone import BOTZONE_GAME
from tengen.protocol import (
    AnalysisServer,
    BotzoneSpeaker,
    CloudictSpeaker,
    GtpSpeaker,
    SauSpeaker,
    Speaker,
    converse,
    serve,
)
from tengen.protocol.analysis.server import DEFAULT_SECONDS
from tengen.solve.limits import check_limits


class ProtocolName(StrEnum):
    """The protocols, as people write them."""

    CLOUDICT = "cloudict"
    SAU = "sau"
    BOTZONE = "botzone"
    GTP = "gtp"
    ANALYSIS = "analysis"


def engine(
    context: typer.Context,
    protocol: Annotated[ProtocolName, typer.Option("--protocol", "-p", help="What the other program speaks.")],
    agent: Annotated[
        str,
        typer.Option("--agent", "-a", metavar="AGENT", help="Who plays; another program may be named as well."),
    ] = "engine",
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="The game; Connect6 if left out, on 15x15 for botzone. Queries of the analysis protocol name it.",
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.001, help="At most so long for a move, or for a query.")
    ] = None,
    nodes: NodesOption = None,
    depth: Annotated[int | None, typer.Option("--depth", min=1, help="At most so many moves deep.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Makes an agent that throws dice repeat itself.")] = None,
    keep_running: Annotated[
        bool, typer.Option("--keep-running", help="botzone: stay for the next move instead of being started again.")
    ] = False,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=256, help="analysis: how many queries are answered at once.")
    ] = 1,
    quit_without_waiting: Annotated[
        bool, typer.Option("--quit-without-waiting", help="analysis: at the end of the input stop all searches.")
    ] = False,
) -> None:
    """Answer another program on standard input and output, until it says quit or the input ends."""
    check_limits(seconds=seconds, nodes=nodes, depth=depth)
    if protocol is not ProtocolName.BOTZONE:
        refuse_given(context, "that is for the protocol botzone", "keep_running")
    if protocol is ProtocolName.ANALYSIS:
        refuse_given(
            context, "each query of the analysis protocol names its own game, nodes and depth", "game", "nodes", "depth"
        )
    else:
        refuse_given(context, "that is for the protocol analysis", "threads", "quit_without_waiting")
    rules = parse_game(game)
    who = partial(make_agent, agent, seed)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    try:
        if protocol is ProtocolName.ANALYSIS:
            dismiss(who())  # a wrong name is told at once, not in answer to every query
            server = AnalysisServer(who, partial(print, flush=True), threads, seconds or DEFAULT_SECONDS)
            serve(server, sys.stdin.buffer, wait=not quit_without_waiting)
        else:
            player = who()
            try:
                budget = Budget(seconds=seconds, nodes=nodes, depth=depth)
                speaker = _speaker(protocol, player, budget, rules, keep_running)
                converse(speaker, sys.stdin.buffer, sys.stdout)
            finally:
                dismiss(player)
    except KeyboardInterrupt:
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _speaker(protocol: ProtocolName, agent: Agent, budget: Budget, game: Game | None, keep_running: bool) -> Speaker:
    if protocol is ProtocolName.BOTZONE:
        return BotzoneSpeaker(agent, budget, game or BOTZONE_GAME, keep_running)
    speakers: dict[ProtocolName, Callable[[Agent, Budget, Game], Speaker]] = {
        ProtocolName.CLOUDICT: CloudictSpeaker,
        ProtocolName.SAU: SauSpeaker,
        ProtocolName.GTP: GtpSpeaker,
    }
    return speakers[protocol](agent, budget, game or CONNECT6)
