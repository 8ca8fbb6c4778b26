"""Our own protocol for analysis: JSON lines, many queries at once, answers in any order."""

from tengen.protocol.analysis.queries import KINDS, Action, Query, QueryError, read_query
from tengen.protocol.analysis.questions import Analyst
from tengen.protocol.analysis.server import AnalysisServer, serve

__all__ = ["KINDS", "Action", "AnalysisServer", "Analyst", "Query", "QueryError", "read_query", "serve"]
