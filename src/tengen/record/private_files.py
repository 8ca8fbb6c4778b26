"""Folders and files that other users of the machine cannot read."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_OTHERS = 0o077
"""Permissions of everyone but the owner."""


def make_private_folder(path: Path) -> None:
    """Create a folder that only its owner can enter, or take the permissions of others off an existing one.

    A folder of another owner and one with the sticky bit, such as the folder for temporary files, is shared on purpose
    and stays as it is.

    Raises:
        OSError: if it cannot be created.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=FOLDER_MODE, exist_ok=True)
    _restrict(path, FOLDER_MODE)


def make_private_file(path: Path) -> None:
    """Create an empty file that only its owner can read and write, or take the permissions of others off it.

    Raises:
        OSError: if it cannot be created.
    """
    os.close(os.open(path, os.O_RDONLY | os.O_CREAT, FILE_MODE))
    _restrict(path, FILE_MODE)


def restrict_file(path: Path) -> None:
    """Take the permissions of others off a file, if it exists."""
    with suppress(FileNotFoundError):
        _restrict(path, FILE_MODE)


def _restrict(path: Path, mode: int) -> None:
    if not hasattr(os, "getuid"):  # Windows: the user's folders have access lists of their own
        return
    status = path.stat()
    is_shared = bool(status.st_mode & stat.S_ISVTX)
    if status.st_uid == os.getuid() and not is_shared and stat.S_IMODE(status.st_mode) & _OTHERS:
        with suppress(OSError):  # some file systems have no permissions
            path.chmod(mode)
