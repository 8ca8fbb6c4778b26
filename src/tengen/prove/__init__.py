"""Is it really a win, against every defence? Proof files, their checker and their writer."""

from tengen.prove.check import NoProofError, Verdict
from tengen.prove.parallel import check
from tengen.prove.proof import MACRO, join, write_draw, write_hold, write_solution, write_win
from tengen.prove.small import Settlement, settle

__all__ = [
    "MACRO",
    "NoProofError",
    "Settlement",
    "Verdict",
    "check",
    "join",
    "settle",
    "write_draw",
    "write_hold",
    "write_solution",
    "write_win",
]
