"""Files that only their owner may read."""

from __future__ import annotations

import os
import secrets
from errno import EEXIST
from pathlib import Path

from tengen.record.files import named_when_full


def write_secret(path: Path, text: str, *, overwrite: bool = True) -> None:
    """Write a file that only its owner may read, wholly or not at all; it is safe on disk before it takes its place.

    Raises:
        OSError: if it cannot be written, or is there already and is to be kept.
    """
    if not overwrite and path.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path))
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with (
            named_when_full(path),
            os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file,
        ):
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # else a power cut could leave an empty file where the old one was
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
