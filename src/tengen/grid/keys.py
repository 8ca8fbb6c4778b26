"""Keys and invitations.

Each member has an Ed25519 key (an "nkey" of NATS). The broker has the public half; the secret half is in the
invitation, a file that must be handed over on a safe channel.
"""

from __future__ import annotations

import json
import secrets
import ssl
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import nkeys

from tengen.grid.errors import GridError, VersionError
from tengen.grid.secret_file import write_secret
from tengen.grid.subjects import Role, check_name

FORMAT = 1
"""Version of the file format of invitations."""
_MAX_BYTES = 100_000


@dataclass(frozen=True)
class Key:
    """Key pair; the seed is the secret half."""

    seed: str
    public: str

    @classmethod
    def new(cls) -> Key:
        """Generate a key pair."""
        seed = nkeys.encode_seed(secrets.token_bytes(32), nkeys.PREFIX_BYTE_USER)
        return cls(seed.decode(), nkeys.from_seed(bytearray(seed)).public_key.decode())


@dataclass(frozen=True)
class Invitation:
    """Everything that a member needs to connect to a grid."""

    role: Role
    name: str
    url: str
    certificate: str
    """Certificate of the authority that signed the broker's, as PEM."""
    seed: str

    def write(self, path: str | Path) -> None:
        """Write the invitation to a new file that only its owner can read.

        Raises:
            OSError: if it cannot be written or already exists.
        """
        text = json.dumps({"tengen-grid": FORMAT, **asdict(self)}, indent=2) + "\n"
        write_secret(Path(path), text, overwrite=False)

    @classmethod
    def read(cls, path: str | Path) -> Invitation:
        """Read an invitation from a file.

        Raises:
            VersionError: if it has another format version.
            GridError: if it is not an invitation.
            OSError: if it cannot be read.
        """
        data = Path(path).read_bytes()
        try:
            if len(data) > _MAX_BYTES:
                raise ValueError("it is too long")
            found = cast(dict[str, Any], json.loads(data))
            if (version := found.pop("tengen-grid")) != FORMAT:
                raise VersionError(f"{path} has invitation format {version} (expected {FORMAT}): update Tengen here")
            if not all(isinstance(value, str) for value in found.values()) or found["role"] not in ("client", "worker"):
                raise ValueError("its values are wrong")
            check_name(found["name"])
            invitation = cls(**found)
            invitation._check()
            return invitation
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, GridError):
                raise
            reason = f"it lacks {error}" if isinstance(error, KeyError) else error
            raise GridError(f"{path} is no invitation to a grid ({reason}); 'tengen grid invite' makes one") from None

    def _check(self) -> None:
        """Raise ValueError if key, certificate or address is malformed, as in a damaged copy."""
        try:
            nkeys.from_seed(bytearray(self.seed.encode()))
        except nkeys.NkeysError:
            raise ValueError("its key is damaged") from None
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=self.certificate)
        except (ssl.SSLError, ValueError):
            raise ValueError("its certificate is damaged") from None
        address = urlsplit(self.url)
        if address.scheme != "tls" or not address.hostname or not address.port:
            raise ValueError(f"{self.url!r} is no address of a broker")

    def expect(self, role: Role) -> Invitation:
        """Return this invitation if it is for the role.

        Raises:
            GridError: if it is for the other one.
        """
        if self.role != role:
            wanted = {"client": "tengen grid invite NAME --client", "worker": "tengen grid invite NAME"}[role]
            raise GridError(f"the invitation of {self.name!r} is for a {self.role}, not a {role}; '{wanted}' makes one")
        return self
