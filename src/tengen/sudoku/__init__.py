"""Minimum Sudoku: every puzzle with n clues in a grid, and campaigns over many grids."""

from tengen._native import Control
from tengen.sudoku.campaign import Campaign, CampaignState, campaigns
from tengen.sudoku.check import Check, check
from tengen.sudoku.client import CampaignClient
from tengen.sudoku.dmus import VERSIONS, DmusResult, Version, dmus, hitting_sets, sets_of_regions, sets_up_to
from tengen.sudoku.grid import Grid, Isomorphism, Puzzle, SudokuError, catalogue, random_grid

__all__ = [
    "VERSIONS",
    "Campaign",
    "CampaignClient",
    "CampaignState",
    "Check",
    "Control",
    "DmusResult",
    "Grid",
    "Isomorphism",
    "Puzzle",
    "SudokuError",
    "Version",
    "campaigns",
    "catalogue",
    "check",
    "dmus",
    "hitting_sets",
    "random_grid",
    "sets_of_regions",
    "sets_up_to",
]
