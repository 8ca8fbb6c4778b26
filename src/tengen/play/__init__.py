"""What is a good move? Agents, and who can be asked for one by name."""

from tengen.play.agent import Agent, Budget, Choice, Preparing
from tengen.play.book import BookMove, OpeningBook, Results
from tengen.play.engine import Engine, promising_moves
from tengen.play.ranking import Evaluating, Ranked, Ranking, RankingAgent
from tengen.play.registry import AgentKind, agent_kinds, make_agent

__all__ = [
    "Agent",
    "AgentKind",
    "BookMove",
    "Budget",
    "Choice",
    "Engine",
    "Evaluating",
    "OpeningBook",
    "Preparing",
    "Ranked",
    "Ranking",
    "RankingAgent",
    "Results",
    "agent_kinds",
    "make_agent",
    "promising_moves",
]
