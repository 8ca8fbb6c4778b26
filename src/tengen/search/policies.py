"""The policies of the pre-update phase: what a job on its way does to proof numbers, so that others are found."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game import TengenError
from tengen.search.values import INFINITY, Numbers


@dataclass(frozen=True)
class Policy:
    """One policy of Lin's thesis (section 4.2.3) by what it does."""

    name: str
    assumed: str | None = None
    """What the result of an active node is taken for: `win`, `loss`, or `greedy`, whichever its numbers favour."""
    has_flags: bool = False
    """Whether active nodes are flagged, and nodes with all children flagged, and selection avoids them."""
    is_modified: bool = False
    """Whether flagged children do not count for the smallest number of a node while another one can be selected."""
    has_virtual_child: bool = False
    """Whether the child that a job will bring counts already, as if it equalled its elder sibling."""

    def assumption(self, numbers: Numbers) -> Numbers:
        """The numbers of an active node without children."""
        if self.assumed is None:
            return numbers
        is_win = self.assumed == "win" or (self.assumed == "greedy" and numbers[0] < numbers[1])
        return (0, INFINITY) if is_win else (INFINITY, 0)


POLICIES = {
    policy.name: policy
    for policy in (
        Policy("native"),
        Policy("vw", assumed="win"),
        Policy("vl", assumed="loss"),
        Policy("gd", assumed="greedy"),
        Policy("fg", has_flags=True),
        Policy("mf", has_flags=True, is_modified=True),
        Policy("fg-ve", has_flags=True, has_virtual_child=True),
        Policy("mf-ve", has_flags=True, is_modified=True, has_virtual_child=True),
    )
}
DEFAULT_POLICY = "mf-ve"


def policy_of(name: str) -> Policy:
    """A policy by its name.

    Raises:
        TengenError: if there is none of that name.
    """
    if name.lower() not in POLICIES:
        raise TengenError(f"{name!r} is no policy; there are {', '.join(POLICIES)}")
    return POLICIES[name.lower()]
