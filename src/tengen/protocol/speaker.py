"""Our program at one end of two pipes: what every protocol has in common."""

from __future__ import annotations

from itertools import islice
from typing import IO, Protocol

from tengen.game import Move, Position, TengenError
from tengen.play.agent import Agent, Budget, ask, check_goes_on

MAX_LINE = 1 << 20
"""A longer line is not looked at."""


class Speaker(Protocol):
    """Somebody who answers lines in the manner of one protocol. No line makes it raise anything."""

    @property
    def finished(self) -> bool:
        """Whether the conversation is over."""

    def answer(self, line: str) -> str:
        """What to print in answer to a line, without the last line's end; empty for nothing."""


def whole_turn(agent: Agent, position: Position, budget: Budget) -> Move:
    """The agent's move with all stones of the turn: one that wins with fewer is filled up, as other programs expect.

    Raises:
        TengenError: if the game is over, or the agent fails or cannot play, or does not play a whole turn.
    """
    check_goes_on(position)
    move = ask(agent, position, budget).move
    after = position.after(move)
    if after.is_over and len(move) < position.stones_left:
        move = Move((*move, *islice(after.empty_squares(), position.stones_left - len(move))))
    if len(move) != position.stones_left or move.is_pass:
        raise TengenError(f"{agent.name} played {move}, which is no whole turn")
    return move


def one_line(error: TengenError) -> str:
    """What went wrong, in a line: protocols know no others, and an agent may have said anything."""
    return " ".join(str(error).split())


def read_line(source: IO[bytes]) -> str | None:
    """The next line, cut off at `MAX_LINE` characters; None at the end."""
    line = source.readline(MAX_LINE)
    rest = line
    while rest and not rest.endswith(b"\n"):
        rest = source.readline(MAX_LINE)
    return line.decode(errors="replace").rstrip("\r\n") if line else None


def converse(speaker: Speaker, source: IO[bytes], sink: IO[str]) -> None:
    """Answers every line, at once, until either side has had enough.

    Raises:
        BrokenPipeError: if nobody reads the answers any more.
    """
    while not speaker.finished and (line := read_line(source)) is not None:
        if text := speaker.answer(line):
            print(text, file=sink, flush=True)
