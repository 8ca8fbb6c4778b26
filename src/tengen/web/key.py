"""The key of the user's workbench, kept in a file that nobody else can read.

A server that is started again must let the windows of the one before it in, so the key outlives the server. Whoever can
read the file can read the records beside it as well; to others a key that they find out is not worth much for long,
since it is changed after some weeks.
"""

from __future__ import annotations

import os
import secrets
import stat
import time
from pathlib import Path

from tengen.grid.secret_file import write_secret

FILE = "workbench.key"
LIFE_SECONDS = 30 * 24 * 3600
_LETTERS = 32
"""Of a key: as many as 24 random bytes take."""


def kept_key(folder: Path) -> str:
    """The key in a folder; a new one if there is none yet, it is old, or others could have read or written it.

    Raises:
        OSError: if it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
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
    return key if is_young and len(key) == _LETTERS else None


def _new_key(path: Path) -> str:
    key = secrets.token_urlsafe(24)
    write_secret(path, key)
    return key
