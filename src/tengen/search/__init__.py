"""Which job next? Job-level searches: the tree is kept here, the thinking is done by jobs, wherever they run."""

from tengen.search.alpha_beta import AlphaBetaSearch
from tengen.search.client import Client
from tengen.search.finding import Finding, FindingError
from tengen.search.generic import JobLevelSearch
from tengen.search.journal import Journal, JournalError
from tengen.search.policies import DEFAULT_POLICY, POLICIES, Policy, policy_of
from tengen.search.proof_numbers import ProofNumberSearch
from tengen.search.recipe import Recipe
from tengen.search.simulation import Recording, Simulator
from tengen.search.tree import Tree
from tengen.search.trust import Judge, Trust
from tengen.search.uct import UpperConfidenceSearch
from tengen.search.whole import LieError, write_whole

__all__ = [
    "DEFAULT_POLICY",
    "POLICIES",
    "AlphaBetaSearch",
    "Client",
    "Finding",
    "FindingError",
    "JobLevelSearch",
    "Journal",
    "JournalError",
    "Judge",
    "LieError",
    "Policy",
    "ProofNumberSearch",
    "Recipe",
    "Recording",
    "Simulator",
    "Tree",
    "Trust",
    "UpperConfidenceSearch",
    "policy_of",
    "write_whole",
]
