"""Keys and invitations: who may come in.

Everybody has a key of his own, of the kind that NATS calls nkey (Ed25519). The broker knows the public half; the secret
half is in the invitation, a file that is handed over in person or by other safe ways.
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

from tengen.grid.errors import GridError
from tengen.grid.messages import PROTOCOL, check_protocol
from tengen.grid.secret_file import write_secret
from tengen.grid.subjects import Role, check_name

_MAX_FILE = 100_000


@dataclass(frozen=True)
class Key:
    """A pair of keys; the seed is the secret half."""

    seed: str
    public: str

    @classmethod
    def new(cls) -> Key:
        """A key that nobody has."""
        seed = nkeys.encode_seed(secrets.token_bytes(32), nkeys.PREFIX_BYTE_USER)
        return cls(seed.decode(), nkeys.from_seed(bytearray(seed)).public_key.decode())


@dataclass(frozen=True)
class Invitation:
    """All that somebody needs to join a grid."""

    role: Role
    name: str
    url: str
    certificate: str
    """Of the authority that vouches for the broker, as PEM."""
    seed: str

    def write(self, path: str | Path) -> None:
        """Write the file, for its owner's eyes only.

        Raises:
            OSError: if it cannot be written, or is there already.
        """
        text = json.dumps({"tengen-grid": PROTOCOL, **asdict(self)}, indent=2) + "\n"
        write_secret(Path(path), text, overwrite=False)

    @classmethod
    def read(cls, path: str | Path) -> Invitation:
        """Read the file.

        Raises:
            GridError: if it is no invitation, or one for another version.
            OSError: if it cannot be read.
        """
        data = Path(path).read_bytes()
        try:
            if len(data) > _MAX_FILE:
                raise ValueError("it is too long")
            found = cast(dict[str, Any], json.loads(data))
            check_protocol(found.pop("tengen-grid"), "the grid of this invitation")
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
        """Raises ValueError if it cannot be used, whatever the broker says: a copy may have been damaged on the way."""
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
        """This invitation, if it is one for that role.

        Raises:
            GridError: if it is not.
        """
        if self.role != role:
            wanted = {"client": "tengen grid invite NAME --client", "worker": "tengen grid invite NAME"}[role]
            raise GridError(f"the invitation of {self.name!r} is for a {self.role}, not a {role}; '{wanted}' makes one")
        return self
