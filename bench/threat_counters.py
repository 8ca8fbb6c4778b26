"""How often the three threat counters differ in real games.

    python bench/threat_counters.py FILE [EVERY]

reads a collection in any format that Tengen knows, and counts the threats of the player who has just moved, after each
move of every EVERY-th game.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import islice

from tengen import Position, read_file
from tengen.threat import METHODS, threat_segments


def main() -> None:
    path, every = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    tally: Counter[str] = Counter()
    for record in islice(read_file(path), 0, None, every):
        tally["games"] += 1
        position = Position(record.game)
        for move in record.moves():
            position.play(move)
            if position.is_over:
                break
            segments = threat_segments(position, position.turn.opponent)
            numbers = {method: count(segments) for method, count in METHODS.items()}
            tally["positions"] += 1
            tally["with threats"] += numbers["exact"] > 0
            tally["wu_huang too high"] += numbers["wu_huang"] > numbers["exact"]
            tally["mark_all too low"] += numbers["mark_all"] < numbers["exact"]
    print(json.dumps(tally))


if __name__ == "__main__":
    main()
