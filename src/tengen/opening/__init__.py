"""What do openings promise? The atlas of three-move openings, and the campaign that fills it."""

from tengen.opening.atlas import Atlas, AtlasError, Proof, Second, Third, second_moves
from tengen.opening.campaign import Campaign
from tengen.opening.opener import AtlasOpener
from tengen.opening.shelf import Shelf

__all__ = ["Atlas", "AtlasError", "AtlasOpener", "Campaign", "Proof", "Second", "Shelf", "Third", "second_moves"]
