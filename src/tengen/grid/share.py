"""How clients divide the workers among them: everybody computes it for himself, from what all have told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Claim(NamedTuple):
    """What one client asks for."""

    key: str
    """Everybody sorts by it, so that all divide the same way."""
    weight: float
    most: float
    """So many workers are enough."""


def fair_shares(workers: int, claims: Sequence[Claim]) -> dict[str, int]:
    """Whole workers for each claim, in proportion to the weights; what one does not need goes to the others."""
    exact = dict.fromkeys((claim.key for claim in claims), 0.0)
    open_claims, left = sorted(claims), float(workers)
    while open_claims and left > 0:
        total = sum(claim.weight for claim in open_claims)
        sated = [claim for claim in open_claims if claim.most <= left * claim.weight / total]
        if not sated:
            exact |= {claim.key: left * claim.weight / total for claim in open_claims}
            break
        for claim in sated:
            exact[claim.key] = claim.most
            left -= claim.most
        open_claims = [claim for claim in open_claims if claim not in sated]
    shares = {key: int(share) for key, share in exact.items()}
    by_remainder = sorted(exact, key=lambda key: (shares[key] - exact[key], key))
    for key in by_remainder[: round(sum(exact.values())) - sum(shares.values())]:
        shares[key] += 1
    return shares
