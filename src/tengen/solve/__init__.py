"""Is there a forced win by threats? VCDT and VCST, with the three threat-space searches of the thesis."""

from tengen._native import Control
from tengen.solve.solution import Reply, Solution, Strategy
from tengen.solve.solver import KINDS, METHODS, solve

__all__ = ["KINDS", "METHODS", "Control", "Reply", "Solution", "Strategy", "solve"]
