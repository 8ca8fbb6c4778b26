"""Weight files of the evaluation network."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from tengen import _native
from tengen.game import TengenError

MAGIC = b"Tengen network 1\n"
MAX_HEADER_BYTES = 4096
MAX_WEIGHT_BYTES = 16_000_000
"""Largest accepted size of the weights after decompression."""
_CACHED_FILES = 4


@dataclass(frozen=True)
class NetworkWeights:
    """A network as it is stored: the game it is for, how it was made, and its weights.

    The file has a line with the format, a line with a JSON object (`k`, `p`, `description`), and the weights,
    compressed by zlib. docs/network.md describes their order.
    """

    k: int
    p: int
    description: str
    weights: bytes

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a weight file.

        Raises:
            TengenError: if the data are not a weight file, or it is damaged.
        """
        if not data.startswith(MAGIC):
            raise TengenError("not a network file: the first line differs from 'Tengen network 1'")
        end = data.find(b"\n", len(MAGIC), len(MAGIC) + MAX_HEADER_BYTES)
        try:
            if end < 0:
                raise ValueError("the header does not end")
            header: dict[str, Any] = json.loads(data[len(MAGIC) : end])
            k, p, description = int(header["k"]), int(header["p"]), str(header["description"])
            unpacker = zlib.decompressobj()
            weights = unpacker.decompress(data[end + 1 :], MAX_WEIGHT_BYTES)
            if not unpacker.eof or unpacker.unused_data:
                raise ValueError("the weights are incomplete, too long, or followed by other data")
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError, zlib.error) as error:
            raise TengenError(f"damaged network file: {error}") from None
        return cls(k, p, description, weights)

    def to_bytes(self) -> bytes:
        """Return the content of the weight file."""
        header = json.dumps({"k": self.k, "p": self.p, "description": self.description})
        return MAGIC + header.encode() + b"\n" + zlib.compress(self.weights, 9)

    def native(self) -> _native.Network:
        """Return the network for the engine.

        Raises:
            TengenError: if the weights do not fit the game, or are out of range.
        """
        try:
            return _native.Network(self.k, self.p, self.weights)
        except (ValueError, TypeError) as error:
            raise TengenError(f"damaged network file: {error}") from None


@lru_cache(_CACHED_FILES)
def read_network(file: str) -> _native.Network:
    """Read a weight file for the engine; the last few are kept.

    Raises:
        TengenError: if it cannot be read or is not a weight file.
    """
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise TengenError(f"cannot read the network {file}: {error.strerror}") from None
    return NetworkWeights.from_bytes(data).native()
