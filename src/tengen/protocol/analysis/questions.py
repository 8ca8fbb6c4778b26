"""Answering the kinds of question, with a way to stop and a look at what is known so far."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from tengen.game import Move, Position, TengenError
from tengen.play.agent import Agent, AgentError, Budget, Choice, ask
from tengen.prove import defend
from tengen.solve import Control, solve
from tengen.threat import ThreatSummary

Tell = Callable[[Callable[[], dict[str, Any]]], object]
"""Takes a way to find out what is known so far: it changes far more often than anybody asks."""


@runtime_checkable
class Analyst(Agent, Protocol):
    """An agent that can also be asked for its best moves, watched at work, and stopped."""

    def analyse(
        self,
        position: Position,
        budget: Budget,
        *,
        lines: int = 1,
        control: Control | None = None,
        report: Callable[[Sequence[Choice]], object] | None = None,
    ) -> Sequence[Choice]:
        """The best moves, best first."""


def answer(
    kind: str, position: Position, options: dict[str, Any], agent: Callable[[], Agent], control: Control, tell: Tell
) -> dict[str, Any]:
    """Answers a question. When it is stopped by its control it answers with what was found until then.

    Raises:
        TengenError: if the question makes no sense in this position.
    """
    return _ANSWERS[kind](position, dict(options), agent, control, tell)


def _analyse(
    position: Position, options: dict[str, Any], agent: Callable[[], Agent], control: Control, tell: Tell
) -> dict[str, Any]:
    if position.is_over:
        raise TengenError("the game is over: there is nothing to analyse")
    lines = options.pop("lines", 1)
    player, budget = agent(), Budget(**options)
    start = time.perf_counter()
    head = {"agent": player.name, "side": str(position.turn), "stones_left": position.stones_left}
    if isinstance(player, Analyst):
        choices = player.analyse(
            position,
            budget,
            lines=lines,
            control=control,
            report=lambda found: tell(lambda: sayable(player, {**head, "moves": _choices(found)})),
        )
    else:
        choices = [ask(player, position, budget, control=control)]
    return {
        **sayable(player, {**head, "moves": _choices(choices[:lines])}),
        "seconds": round(time.perf_counter() - start, 6),
        "position": str(position),
    }


def sayable(agent: Agent, said: dict[str, Any]) -> dict[str, Any]:
    """What an agent has said, if JSON has words for it. An agent may be anybody's, and who listens needs an answer.

    Raises:
        AgentError: if it has said something else.
    """
    try:
        json.dumps(said, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise AgentError(f"{agent.name} failed: it answered with what cannot be told: {error}") from error
    return said


def _choices(choices: Sequence[Choice]) -> list[dict[str, Any]]:
    return [
        {
            "order": order,
            "move": str(choice.move),
            "win": choice.win,
            "status": choice.status,
            "line": [str(move) for move in choice.line or (choice.move,)],
            "depth": choice.depth,
            "nodes": choice.nodes,
            "notes": choice.notes,
        }
        for order, choice in enumerate(choices)
    ]


def _solve(
    position: Position, options: dict[str, Any], _agent: Callable[[], Agent], control: Control, tell: Tell
) -> dict[str, Any]:
    found = solve(
        position,
        options.pop("win", "vcdt"),
        options.pop("side", None),
        control=control,
        progress=lambda nodes, depth: tell(lambda: {"nodes": nodes, "depth": depth}),
        **options,
    )
    return found.as_json()


def _defend(
    position: Position, options: dict[str, Any], _agent: Callable[[], Agent], control: Control, tell: Tell
) -> dict[str, Any]:
    still_open: dict[Move, dict[str, Any]] = {}

    def note(move: Move, passes: int, status: str, decided: int, waiting: int) -> None:
        if status == "losing":
            still_open.pop(move, None)
        elif passes == 0:
            still_open[move] = {"move": str(move), "cut_short": status != "open"}
        tell(lambda: {"moves": list(still_open.values()), "decided": decided, "waiting": waiting})

    return defend(position, control=control, tell=note, **options).as_json()


def _threats(
    position: Position, options: dict[str, Any], _agent: Callable[[], Agent], _control: Control, _tell: Tell
) -> dict[str, Any]:
    side = options.get("side", position.turn.opponent)
    return {
        **ThreatSummary(position, side, options.get("method", "exact")).as_json(),
        "position": str(position),
    }


_ANSWERS = {"analyse": _analyse, "solve": _solve, "defend": _defend, "threats": _threats}
