"""The built front end, as browsers like to get it: packed, and what cannot change is asked for once."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

HASHED = "assets"
"""The folder of files whose names tell their content: another content has another name."""
LEAST_PACKED = 1000
"""Bytes; less is not worth it."""
_FOR_EVER = "private, max-age=31536000, immutable"


class _Pages(StaticFiles):
    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        is_hashed = Path(full_path).parent.name == HASHED
        # Without a word browsers may keep the page itself as well, and then ask for files that are gone.
        response.headers["cache-control"] = _FOR_EVER if is_hashed else "no-cache"
        return response


def pages(folder: Path) -> ASGIApp:
    """An application that serves the front end in a folder; answers of others are not packed, which costs them time."""
    return GZipMiddleware(_Pages(directory=folder, html=True), minimum_size=LEAST_PACKED)
