"""The key of the user's workbench, kept in a file that only its owner can read.

The windows of a server that was killed must be let in by the next one, so the key outlives the server. A user who can
read the file can read the records beside it as well. The key is replaced after some weeks, which limits the use of one
that became known in another way.
"""

from __future__ import annotations

import os
import secrets
import stat
import time
from pathlib import Path

from tengen.grid.secret_file import write_secret
from tengen.record.private_files import make_private_folder

FILE = "workbench.key"
LIFE_SECONDS = 30 * 24 * 3600
_KEY_LENGTH = 32
"""Length of 24 random bytes in base 64."""


def kept_key(folder: Path) -> str:
    """Return the key in a folder, or a new one if there is none, it is old, or others could read or write the file.

    The folder is created if necessary, and closed to other users.

    Raises:
        OSError: if it cannot be written.
    """
    make_private_folder(folder)
    path = folder / FILE
    return _good_key(path) or _new_key(path)


def _good_key(path: Path) -> str | None:
    try:
        with path.open(encoding="ascii") as file:
            about = os.fstat(file.fileno())
            key = file.read(100)
    except (OSError, UnicodeDecodeError):
        return None
    if hasattr(os, "getuid") and (about.st_uid != os.getuid() or stat.S_IMODE(about.st_mode) & 0o077):
        return None
    is_young = 0 <= time.time() - about.st_mtime < LIFE_SECONDS
    return key if is_young and len(key) == _KEY_LENGTH else None


def _new_key(path: Path) -> str:
    key = secrets.token_urlsafe(24)
    write_secret(path, key)
    return key
