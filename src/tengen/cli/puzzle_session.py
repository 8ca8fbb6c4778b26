"""A puzzle solved in the terminal, move by move."""

from __future__ import annotations

from tengen.cli.board import print_board
from tengen.cli.common import counted, err, out
from tengen.cli.prompt import QUIT, move_in, typed
from tengen.game import Move, TengenError
from tengen.puzzle import Answer, Puzzle, Trainer

_HELP = """\
  J10K11      play a move
  hint        a hint; each one says more
  undo, redo  take back your last move, or play it again
  retry       begin again
  show        give up and see the solution
  quit        leave
A puzzle counts as solved if the first try needs no hint and makes no mistake."""


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
        self.was_left = False
        """Whether it was left before it was solved or given up."""
        self._was_helped = False
        self._taken_back: list[Move] = []

    @property
    def is_clean(self) -> bool:
        """Whether it is solved without a mistake and without help, at the first try."""
        return self.trainer.is_solved and not self._was_helped

    def run(self) -> bool:
        """Whether it was solved."""
        out.print(f"{task_of(self.puzzle)} (level {self.puzzle.level}; type a move, or help)", style="bold")
        print_board(out, self.trainer.position)
        while not self.trainer.is_solved:
            word, _, line = typed(f"{str(self.trainer.position.turn).capitalize()} > ")
            if word == QUIT:
                self.was_left = True
                return False
            if word == "show":
                self.was_tried = self._was_helped = True
                moves = "  ".join(f"{place}. {move}" for place, move in enumerate(self.puzzle.line, 1))
                out.print(f"The solution: {moves}")
                return False
            try:
                self._obey(word, line)
            except TengenError as error:
                err.print(str(error), style="red")
        mistakes, hints = counted(self.trainer.mistakes, "mistake"), counted(self.trainer.hints, "hint")
        failed = "" if self.is_clean else ", which counts as failed"
        out.print(f"Solved, with {mistakes} and {hints}{failed}.", style="bold")
        return True

    def _obey(self, word: str, line: str) -> None:
        if word == "help":
            out.print(_HELP)
        elif word == "undo":
            self._taken_back.append(self.trainer.take_back())
            print_board(out, self.trainer.position)
        elif word == "redo":
            if not self._taken_back:
                raise TengenError("there is no move to play again")
            self._play(self._taken_back.pop())
        elif word == "hint":
            out.print(self.trainer.hint())
            self.was_tried = self._was_helped = True
        elif word == "retry":
            self.trainer.restart()
            print_board(out, self.trainer.position)
        else:
            self._play(move_in(line))
            self._taken_back.clear()

    def _play(self, move: Move) -> None:
        answer = self.trainer.play(move)
        self.was_tried = True
        self._was_helped |= not answer.is_accepted
        self._tell(move, answer)

    def _tell(self, move: Move, answer: Answer) -> None:
        if answer.verdict == "right":
            print_board(out, self.trainer.position)
            out.print(f"Right. The defence is {answer.reply}; go on.")
        elif answer.verdict == "doubtful":
            out.print(f"No use of {move} was found, but it is not refuted either. Try another move.")
        elif answer.verdict == "wrong" and answer.line:
            line = "  ".join(map(str, answer.line))
            out.print(f"{move} loses: the answer is {line}. Try another move.")
        elif answer.verdict == "wrong":
            said = "is no win" if answer.reply is None else f"is no win: {answer.reply} holds"
            out.print(f"{move} {said}. Try another move.")
