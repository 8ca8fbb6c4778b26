"""Is it really a win, against every defence? The verifier, small games settled, proof files and their checker."""

from tengen.prove.check import Verdict
from tengen.prove.checker.text import NoProofError
from tengen.prove.checking import check
from tengen.prove.guide import Guide
from tengen.prove.join import join
from tengen.prove.proof import write_draw, write_hold, write_solution, write_win
from tengen.prove.rest import check_rest, write_rest
from tengen.prove.small import Settlement, settle
from tengen.prove.tree import MACRO
from tengen.prove.verifier import Defence, OpenMove, defend

__all__ = [
    "MACRO",
    "Defence",
    "Guide",
    "NoProofError",
    "OpenMove",
    "Settlement",
    "Verdict",
    "check",
    "check_rest",
    "defend",
    "join",
    "settle",
    "write_draw",
    "write_hold",
    "write_rest",
    "write_solution",
    "write_win",
]
