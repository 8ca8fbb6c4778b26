"""The agents, one module each."""

from tengen.play.agents.adjacent import Adjacent
from tengen.play.agents.mesh import Mesh
from tengen.play.agents.minimax import Minimax
from tengen.play.agents.monte_carlo import MonteCarlo
from tengen.play.agents.opening_book import OpeningBookAgent
from tengen.play.agents.sequences import Sequences
from tengen.play.agents.simple import Random, Simple
from tengen.play.agents.threats import Threats
from tengen.play.agents.windows import Windows

__all__ = [
    "Adjacent",
    "Mesh",
    "Minimax",
    "MonteCarlo",
    "OpeningBookAgent",
    "Random",
    "Sequences",
    "Simple",
    "Threats",
    "Windows",
]
