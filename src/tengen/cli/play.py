"""`tengen play`: a game in the terminal."""

from __future__ import annotations

from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from tengen.cli.board import print_board
from tengen.cli.common import (
    AtOption,
    GameOption,
    RecordOption,
    chance,
    err,
    node_at,
    out,
    parse_game,
    read_source,
    rules_sentence,
    status_line,
    trouble,
)
from tengen.cli.prompt import QUIT, move_in, typed
from tengen.game import BLACK, CONNECT6, WHITE, Colour, Game, Move, Position, Square, TengenError
from tengen.play import Agent, Budget, make_agent
from tengen.play.agent import Preparing, ask, dismiss
from tengen.record import Record, Store, StoreError, write_file
from tengen.record.tree import RESIGN, Node

_HELP = """\
  J10, J10K11   place your stones, one by one or all at once
  undo, redo    take back your last move, or play it again
  hint          what the engine would play
  numbers       show or hide the move numbers
  moves         print the moves as one line to paste elsewhere
  save FILE     write the game to a file (.sgf, .jsonl, …)
  resign, quit  end the game; it is kept in your library"""


_HINT_SECONDS = 1.0


class Side(StrEnum):
    """Who the user plays."""

    BLACK = "black"
    WHITE = "white"
    BOTH = "both"


class _Session:
    def __init__(self, position: Position, opponents: dict[Colour, Agent], name: str) -> None:
        self.position = position
        self.opponents = opponents
        self.name = name
        self.numbers = False
        self.resigned: Colour | None = None
        self._taken_back: list[Move] = []
        self.given = position.steps
        """How many moves were there before, those not counted that were taken back."""

    @property
    def is_worth_keeping(self) -> bool:
        """Whether somebody has done something in this game: the opponent's first move alone is no game of his."""
        if self.resigned is not None:
            return self.position.steps > self.given
        walk = self.position.copy()
        while walk.steps > self.given:
            walk.undo()
            if walk.turn not in self.opponents:
                return True
        return False

    def run(self) -> None:
        """Plays until the game is over, resigned or left."""
        out.print(f"{self.position.game.name}: {rules_sentence(self.position.game)}", style="bold")
        out.print(f"Type a move like {_example(self.position.game)}, or help.\n")
        print_board(out, self.position, self.numbers)
        while not self.position.is_over and self.resigned is None:
            opponent = self.opponents.get(self.position.turn)
            if opponent is not None:
                colour = self.position.turn
                with err.status(f"{self.name} is thinking"):
                    choice = ask(opponent, self.position, Budget())
                move = self.position.play(choice.move)
                print_board(out, self.position, self.numbers)
                out.print(f"{str(colour).capitalize()} ({self.name}) plays {move}.")
            elif not self._ask():
                return
        if self.position.is_over:
            out.print(status_line(self.position), style="bold")

    def _ask(self) -> bool:
        """Lets the user do one thing; False if he wants to leave."""
        turn = str(self.position.turn).capitalize()
        stones = "1 stone" if self.position.stones_left == 1 else f"{self.position.stones_left} stones"
        word, rest, line = typed(f"{turn}, {stones} > ")
        if word == QUIT:
            return False
        try:
            self._obey(word, rest, line)
        except (TengenError, OSError) as error:
            err.print(trouble(error) if isinstance(error, OSError) else str(error), style="red")
        return True

    def _obey(self, word: str, rest: str, line: str) -> None:
        if word == "help":
            out.print(_HELP)
        elif word == "undo":
            self._undo()
        elif word == "redo":
            self._redo()
        elif word == "hint":
            self._hint()
        elif word == "numbers":
            self.numbers = not self.numbers
            print_board(out, self.position, self.numbers)
        elif word == "moves":
            out.print(str(self.position), soft_wrap=True)
        elif word == "resign":
            self.resigned = self.position.turn
            winner, loser = (str(colour).capitalize() for colour in (self.resigned.opponent, self.resigned))
            out.print(f"{loser} resigns: {winner} has won.", style="bold")
        elif word == "save":
            if not rest:
                raise TengenError("say where: save FILE, such as save game.sgf")
            write_file([self.record()], rest)
            out.print(f"wrote {rest}")
        else:
            self.position.play(move_in(line))
            self._taken_back.clear()
            if self.position.is_mid_turn or self.position.is_over or self.position.turn not in self.opponents:
                print_board(out, self.position, self.numbers)

    def _undo(self) -> None:
        """Takes back everything since the user's last own stones."""
        undone = False
        while self.position.steps:
            self._taken_back.append(self.position.undo())
            self.given = min(self.given, self.position.steps)
            undone = True
            if self.position.turn not in self.opponents:
                break
        if not undone:
            raise TengenError("there is no move to take back")
        print_board(out, self.position, self.numbers)

    def _redo(self) -> None:
        """Plays again what the last `undo` took back."""
        if not self._taken_back:
            raise TengenError("there is no move to play again")
        while self._taken_back:
            self.position.play(self._taken_back.pop())
            if self.position.turn not in self.opponents:
                break
        print_board(out, self.position, self.numbers)

    def _hint(self) -> None:
        engine, side = make_agent("engine"), str(self.position.turn).capitalize()
        with err.status("the engine is thinking"):
            best = ask(engine, self.position, Budget(seconds=_HINT_SECONDS))
        out.print(f"The engine would play {best.move} ({side}'s chance: {chance(best.win)}).")

    def record(self) -> Record:
        record = Record.from_position(self.position)
        for colour, name in ((BLACK, "PB"), (WHITE, "PW")):
            record.root.set(name, self.name if colour in self.opponents else "you")
        if self.position.winner is not None:
            record.root.set("RE", f"{self.position.winner.letter}+")
        elif self.position.is_draw:
            record.root.set("RE", "0")
        elif self.resigned is not None:
            record.root.set("RE", f"{self.resigned.opponent.letter}+Resign")
            Node({self.resigned.letter: [RESIGN]}, record.end())
        return record


def play(
    game: GameOption = None,
    side: Annotated[
        Side, typer.Option("--as", help="The side you play; both for two people at one board.")
    ] = Side.BLACK,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            "--opponent",
            "-o",
            metavar="AGENT",
            help="Who plays the other side: one of 'tengen agents', such as sequences or 'engine:level=10,book=atlas'.",
        ),
    ] = "engine:level=5",
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="POSITION", help="Begin from this position, record file or library:NUMBER."),
    ] = None,
    at: AtOption = None,
    record: RecordOption = 1,
    seed: Annotated[int | None, typer.Option("--seed", help="Make the opponent's choices repeatable.")] = None,
    keep: Annotated[bool, typer.Option("--keep/--no-keep", help="Keep the game in your library.")] = True,
) -> None:
    """Play in the terminal: against an opponent, or two people at one board."""
    player = make_agent(against, seed)
    chosen = parse_game(game)
    if start is None:
        position = Position(chosen or CONNECT6)
    else:
        source = read_source([start], chosen, record)
        position = source.position(node_at(source, at))
    mine = {Side.BLACK: (BLACK,), Side.WHITE: (WHITE,), Side.BOTH: (BLACK, WHITE)}[side]
    session = _Session(position, {c: player for c in (BLACK, WHITE) if c not in mine}, player.name)
    try:
        if session.opponents and isinstance(player, Preparing):
            with err.status(f"waiting for {player.name}"):
                player.prepare(position)
        session.run()
    finally:
        dismiss(player)
        if keep and session.is_worth_keeping:
            _keep(session.record())


def _example(game: Game) -> Square:
    """A square in the middle of the board."""
    return Square((game.m or 19) // 2, (game.n or 19) // 2)


def _keep(record: Record) -> None:
    try:
        with Store() as store:
            number = store.add(record)
        out.print(f"Kept as library:{number} (tengen show library:{number}).")
    except StoreError as error:
        names = (Path(f"tengen-game{number or ''}.sgf") for number in count())
        aside = next(name for name in names if not name.exists())
        write_file([record], aside)
        err.print(f"{error}\nThe game is in {aside} instead.", style="red")
