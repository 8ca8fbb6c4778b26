"""Packs what a campaign has found for the program to bring along: the atlas, and the proofs as far as there is room.

`python bench/ship_openings.py FOLDER`, the folder of `tengen opening campaign --folder`. Small proofs come first; the
others are made again by `tengen opening prove`, and compared by their checksums.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path

from tengen.opening import Shelf

DATA = Path(__file__).resolve().parents[1] / "src" / "tengen" / "opening" / "data"
ROOM = 1_700_000
"""Bytes for all proofs together."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--room", type=int, default=ROOM, help="bytes for all proofs together")
    arguments = parser.parse_args()
    shelf = Shelf(arguments.folder, alone=True)
    atlas = shelf.atlas()
    for second in atlas.seconds.values():
        for third in second.thirds:
            if third.left is not None:  # its parts stay behind: whoever goes on begins this level again
                third.open, third.left, third.levels = len(third.left), None, third.levels - 1
            third.value = None if third.value is None else round(third.value, 4)
    proofs = sorted((third.proof for _, third in atlas.proved() if third.proof), key=lambda proof: proof.bytes)
    shutil.rmtree(DATA, ignore_errors=True)
    (DATA / "proofs").mkdir(parents=True)
    spent, packed = 0, 0
    for proof in proofs:
        file = shelf.proof_file(proof)
        if file is None or spent + proof.bytes > arguments.room:
            continue
        assert hashlib.sha256(file.read_bytes()).hexdigest() == proof.sha256
        shutil.copy(file, DATA / "proofs" / proof.file)
        spent, packed = spent + proof.bytes, packed + 1
    atlas.write(DATA / "atlas.jsonl.gz")
    size = (DATA / "atlas.jsonl.gz").stat().st_size
    print(json.dumps({"proofs": len(proofs), "packed": packed, "bytes": spent, "atlas_bytes": size}))


if __name__ == "__main__":
    main()
