"""The atlas as a record with variations, for any program that reads SGF."""

from __future__ import annotations

from tengen.game import BLACK, CONNECT6, WHITE
from tengen.opening.atlas import FIRST, Atlas, Second, Third
from tengen.record import Record


def as_record(atlas: Atlas, *, proved_only: bool = False) -> Record:
    """One variation for each second move that was looked at, and one in it for each third move, with comments.

    Args:
        atlas: what to write.
        proved_only: leave out what has no verdict.
    """
    record = Record(CONNECT6)
    record.root.set("GN", "Openings of Connect6")
    first = record.root.add_move(BLACK, FIRST)
    for second in atlas.seconds.values():
        thirds = [third for third in second.ranked() if third.winner is not None or not proved_only]
        if not thirds:
            continue
        node = first.add_move(WHITE, second.move, comment_of_second(second))
        for third in thirds:
            node.add_move(BLACK, third.move, comment_of_third(third))
    return record


def comment_of_second(second: Second) -> str:
    """What is known of a second move, in words."""
    if second.winner is BLACK:
        return "Black wins: proved."
    return "Not looked at yet." if second.value is None else f"Open; Black's chance {second.value:.0%} by the engine."


def comment_of_third(third: Third) -> str:
    """What is known of a third move, in words."""
    if third.winner is not None and third.proof is not None:
        who = str(third.winner).capitalize()
        return f"{who} wins: proved in {third.proof.file} ({third.proof.nodes:,} nodes, SHA-256 {third.proof.sha256})."
    chance = "" if third.value is None else f"; Black's chance {third.value:.0%} by the engine"
    left = third.open if third.left is None else len(third.left)
    tried = "" if left is None else f"; {left:,} replies of White's are not answered yet"
    return f"Open{chance}{tried}."
