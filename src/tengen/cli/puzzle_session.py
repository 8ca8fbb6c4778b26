"""A puzzle solved in the terminal, move by move."""

from __future__ import annotations

from tengen.cli.board import print_board
from tengen.cli.common import counted, err, out
from tengen.game import Move, TengenError
from tengen.puzzle import Answer, Puzzle, Trainer

_HELP = """\
  J10K11   play a move
  hint     a hint; each one says more
  retry    begin again
  show     give up and see the solution
  quit     leave"""


def task_of(puzzle: Puzzle) -> str:
    """What is asked for, in a sentence."""
    side = str(puzzle.position.turn).capitalize()
    if puzzle.kind == "only defence":
        return f"{side} to move: find the only defence."
    how = ", the first of them a quiet one" if puzzle.kind == "quiet win" else ""
    return f"{side} to move wins in {counted(puzzle.length, 'move')}{how}: find the only first move."


class Session:
    """Asks for moves until the puzzle is solved or given up."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.trainer = puzzle, Trainer(puzzle)
        self.was_tried = False
        """Whether there is something to keep: a move, a hint, or that it was given up."""
        self._was_helped = False

    @property
    def is_clean(self) -> bool:
        """Whether it is solved without a mistake and without help, at the first try."""
        return self.trainer.is_solved and not self._was_helped

    def run(self) -> bool:
        """Whether it was solved."""
        out.print(f"{task_of(self.puzzle)} (level {self.puzzle.level}; type a move, or help)", style="bold")
        print_board(out, self.trainer.position)
        while not self.trainer.is_solved:
            try:
                line = out.input(f"{str(self.trainer.position.turn).capitalize()} > ").strip()
            except (EOFError, KeyboardInterrupt):
                out.print()
                return False
            if line.lower() in ("quit", "exit", "q"):
                return False
            if line.lower() == "show":
                self.was_tried = self._was_helped = True
                moves = "  ".join(f"{place}. {move}" for place, move in enumerate(self.puzzle.line, 1))
                out.print(f"The solution: {moves}", soft_wrap=True)
                return False
            try:
                self._obey(line)
            except TengenError as error:
                err.print(str(error), style="red", soft_wrap=True)
        mistakes, hints = counted(self.trainer.mistakes, "mistake"), counted(self.trainer.hints, "hint")
        out.print(f"Solved, with {mistakes} and {hints}.", style="bold")
        return True

    def _obey(self, line: str) -> None:
        word = line.lower()
        if word in ("", "help", "?"):
            out.print(_HELP)
        elif word == "hint":
            out.print(self.trainer.hint())
            self.was_tried = self._was_helped = True
        elif word == "retry":
            self.trainer.restart()
            print_board(out, self.trainer.position)
        else:
            move = Move.parse(line, self.puzzle.position.game.n)
            answer = self.trainer.play(move)
            self.was_tried = True
            self._was_helped |= not answer.is_accepted
            self._tell(move, answer)

    def _tell(self, move: Move, answer: Answer) -> None:
        if answer.verdict == "right":
            print_board(out, self.trainer.position)
            out.print(f"Right. The defence is {answer.reply}; go on.")
        elif answer.verdict == "doubtful":
            out.print(f"No use of {move} was found, but it is not refuted either. Try another move.", soft_wrap=True)
        elif answer.verdict == "wrong" and answer.line:
            line = "  ".join(map(str, answer.line))
            out.print(f"{move} loses: the answer is {line}. Try another move.", soft_wrap=True)
        elif answer.verdict == "wrong":
            said = "is no win" if answer.reply is None else f"is no win: {answer.reply} holds"
            out.print(f"{move} {said}. Try another move.", soft_wrap=True)
