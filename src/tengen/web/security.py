"""Who may talk to the server: only pages that it served itself, opened with the key that it printed.

It listens on this machine alone, but other users of the machine and pages from elsewhere in the same browser could
reach it too. So every request must name this host (a page from elsewhere that has its own name point here is refused),
must not come from another origin, and must bring the key, in a cookie that other sites cannot send along.
"""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE = "tengen-key"
PARAMETER = "key"
MAX_BODY = 32_000_000
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
"""Nothing from elsewhere is loaded, and no script but our own files."""


class Guard:
    """Lets through only requests of the user's own windows."""

    def __init__(self, app: ASGIApp, key: str, hosts: frozenset[str]) -> None:
        self._app, self._key, self._hosts = app, key, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(HTTPConnection(scope))
        if refusal is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403, "reason": "not allowed"})
        else:
            await refusal(scope, receive, send)

    def _refusal(self, request: HTTPConnection) -> Response | None:
        headers = request.headers
        if _host(headers) not in self._hosts:
            return PlainTextResponse("this server answers to its own name only", 421)
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != headers["host"]:
            return PlainTextResponse("requests from other sites are not allowed", 403)
        is_link = request.scope["path"] == "/" and headers.get("sec-fetch-mode") == "navigate"
        if headers.get("sec-fetch-site") not in (None, "same-origin", "none") and not is_link:
            return PlainTextResponse("requests from other sites are not allowed", 403)
        if secrets.compare_digest(request.query_params.get(PARAMETER, "").encode(), self._key.encode()):
            rest = "&".join(f"{n}={v}" for n, v in request.query_params.multi_items() if n != PARAMETER)
            response = RedirectResponse(request.scope["path"] + (f"?{rest}" if rest else ""), 303)
            response.set_cookie(COOKIE, self._key, httponly=True, samesite="strict", path="/")
            return response
        if not secrets.compare_digest(request.cookies.get(COOKIE, "").encode(), self._key.encode()):
            return PlainTextResponse(
                "Tengen: please open the address that `tengen web` printed; it contains the key to this workbench.", 403
            )
        if "transfer-encoding" in headers:  # nobody knows how much will come
            return PlainTextResponse("please say how long the request is", 411)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return PlainTextResponse(f"at most {MAX_BODY // 1_000_000} MB at once", 413)
        return None


def _host(headers: Headers) -> str:
    return headers.get("host", "").lower()


def _with_headers(send: Send) -> Send:
    async def sending(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))  # type: ignore[call-overload]
            headers += [
                (b"content-security-policy", _POLICY.encode()),
                (b"x-content-type-options", b"nosniff"),
                (b"referrer-policy", b"no-referrer"),
                (b"cross-origin-opener-policy", b"same-origin"),
            ]
            message = {**message, "headers": headers}
        await send(message)

    return sending  # type: ignore[return-value]
