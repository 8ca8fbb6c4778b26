"""Session tokens of the workbench, and how a browser window gets one.

The page keeps a session token in its own storage and sends it in a header with every request. There is no cookie:
browsers send the cookies of 127.0.0.1 to the servers on all of its ports, so any of those could replay one here. The
storage of a page belongs to its origin, which includes the port, and headers go only where the page sends them.

A window exchanges the key of the workbench, or a one-time token, for the session token. Both arrive in the fragment of
the address, which browsers do not send. The one-time token is for the browser that `tengen web` starts: it is handed
over in a file that only its owner can read, since every user can read the command lines of all processes.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from base64 import urlsafe_b64encode
from contextlib import suppress
from html import escape
from pathlib import Path

from tengen.grid.secret_file import write_secret

ONE_TIME_TOKEN_LIFE_S = 600.0
"""Seconds until a one-time token that no window has used expires."""
ENTRY_PAGE_PREFIX = "enter-"
_ENTRY_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Tengen</title>
<p><a href="{address}">Open the workbench</a></p>
"""


def session_token(key: str, port: str) -> str:
    """The session token of the workbench with a key, as valid on one port.

    The key cannot be computed from it, and it is not valid for workbenches of the same user on other ports.
    """
    digest = hmac.digest(key.encode(), f"tengen workbench session on port {port}".encode(), "sha256")
    return urlsafe_b64encode(digest).decode().rstrip("=")


class OneTimeTokens:
    """Tokens that are valid once, for a limited time. Safe to use from several threads."""

    def __init__(self, life_s: float = ONE_TIME_TOKEN_LIFE_S) -> None:
        self._life_s = life_s
        self._lock = threading.Lock()
        self._pages: dict[str, tuple[float, Path | None]] = {}
        """Expiry time and entry page of each unused token."""

    def issue(self, page: Path | None = None) -> str:
        """Return a new token; `page`, the file that hands it over, is deleted when the token is used."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._pages[token] = time.monotonic() + self._life_s, page
        return token

    def redeem(self, token: str) -> bool:
        """Return whether the token is valid, and make it invalid."""
        with self._lock:
            matches = [known for known in self._pages if secrets.compare_digest(known.encode(), token.encode())]
            expiry, page = self._pages.pop(matches[0]) if matches else (0.0, None)
        _remove(page)
        return bool(matches) and time.monotonic() < expiry

    def revoke_all(self) -> None:
        """Make all tokens invalid and delete their pages."""
        with self._lock:
            pages = [page for _, page in self._pages.values()]
            self._pages.clear()
        for page in pages:
            _remove(page)


def write_entry_page(folder: Path, base_address: str, tokens: OneTimeTokens) -> Path:
    """Write a file that leads a browser into the workbench once, and return its path. Only its owner can read it.

    Pages that an earlier server left behind are deleted.

    Raises:
        OSError: if it cannot be written.
    """
    for old in folder.glob(f"{ENTRY_PAGE_PREFIX}*.html"):
        with suppress(OSError):
            if time.time() - old.stat().st_mtime > ONE_TIME_TOKEN_LIFE_S:
                old.unlink()
    page = folder / f"{ENTRY_PAGE_PREFIX}{secrets.token_hex(8)}.html"
    address = f"{base_address}#key={tokens.issue(page)}"
    write_secret(page, _ENTRY_PAGE.format(address=escape(address)))
    return page


def _remove(page: Path | None) -> None:
    if page is not None:
        with suppress(OSError):
            page.unlink()
