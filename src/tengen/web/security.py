"""Access control of the server: only windows of its user get data, and only from pages that it served itself.

It listens on this machine alone by default, but other users of the machine and pages of other sites in the same browser
can reach it too. Every request must name this host (which stops sites that point a name of their own here), must not
come from another origin, and needs the session token of `tengen.web.entry`, except for the files of the page itself,
which are the same for everyone.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tengen.web.entry import OneTimeTokens, session_token

HTTP_PORT = 80
MAX_BODY_BYTES = 32_000_000
BODY_IDLE_TIMEOUT_S = 30.0
"""Seconds to wait for the next part of a request's body."""
API_PATH = "/api/"
SESSION_PATH = "/api/session"
"""Where a window exchanges the key or a one-time token for the session token."""
WEBSOCKET_PROTOCOL = "tengen"
WEBSOCKET_TOKEN_PREFIX = "tengen.session."
"""Browsers cannot add a header to a WebSocket; the token is offered as a subprotocol with this prefix instead."""
_SCHEME = "bearer "
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
"""Nothing from elsewhere is loaded, and no script but our own files."""


def own_hosts(host: str, port: int) -> frozenset[str]:
    """Return the names, with the port, of a server that listens on an address, in lower case."""
    names = {f"[{host}]" if ":" in host else host.lower()}
    if _is_address(host) and ip_address(host).is_loopback:
        names.add("localhost")
    if is_any_address(host):
        names |= {"localhost", socket.gethostname().lower()}
    with_port = {f"{name}:{port}" for name in names}
    return frozenset(with_port | names if port == HTTP_PORT else with_port)  # browsers omit the default port


def is_any_address(host: str) -> bool:
    """Return whether a server that listens there listens on all addresses of the machine."""
    return _is_address(host) and ip_address(host).is_unspecified


def port_of(host: str) -> str:
    """Return the port of a `Host` header."""
    return _split(host)[1]


class Guard:
    """An ASGI application that forwards only requests of the user's own windows.

    Args:
        app: the application; its paths under `API_PATH` need the session token.
        key: the key of the workbench.
        hosts: the names, with ports, of the server, in lower case.
        any_address: whether any numeric address, with the port of one of those names, is a name of the server too. A
            page of another site has no such name.
        tokens: accepted in place of the key.
        on_authenticated: called with the address of the client for every request with a valid token.
    """

    def __init__(
        self,
        app: ASGIApp,
        key: str,
        hosts: frozenset[str],
        any_address: bool = False,
        tokens: OneTimeTokens | None = None,
        on_authenticated: Callable[[tuple[str, int] | None], None] | None = None,
    ) -> None:
        self._app, self._key, self._hosts = app, key, hosts
        self._tokens = tokens or OneTimeTokens()
        self._on_authenticated = on_authenticated
        self._ports_of_addresses = {port_of(host) for host in hosts} if any_address else set[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, WebSocket or lifespan."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        response = self._answer(HTTPConnection(scope))
        if response is None:
            await self._app(scope, _with_idle_timeout(receive), _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403, "reason": "not allowed"})
        else:
            await response(scope, receive, _with_headers(send))

    def _answer(self, request: HTTPConnection) -> Response | None:
        """Return the response to a request that is not forwarded."""
        headers, path = request.headers, request.scope["path"]
        host = headers.get("host", "").lower()
        if not self._is_ours(host):
            return PlainTextResponse("unknown host (expected the name in the address that `tengen web` printed)", 421)
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host:
            return PlainTextResponse("requests from other sites are not allowed", 403)
        is_link = path == "/" and headers.get("sec-fetch-mode") == "navigate"
        if headers.get("sec-fetch-site") not in (None, "same-origin", "none") and not is_link:
            return PlainTextResponse("requests from other sites are not allowed", 403)
        is_websocket = request.scope["type"] == "websocket"
        if not path.startswith(API_PATH) and not is_websocket:
            if request.scope["method"] not in ("GET", "HEAD"):
                return PlainTextResponse("only GET and HEAD are allowed here", 405)
            return _check_length(request)
        session = session_token(self._key, port_of(host))
        if path == SESSION_PATH:
            return self._enter(request, session)
        if not any(_are_equal(token, session) for token in _tokens_of(request)):
            return PlainTextResponse(
                "no valid session: open the address that `tengen web` printed, which contains the key", 403
            )
        if self._on_authenticated is not None:
            self._on_authenticated(request.scope.get("client"))
        return _check_length(request)

    def _enter(self, request: HTTPConnection, session: str) -> Response:
        if request.scope.get("method") != "POST":
            return PlainTextResponse("only POST is allowed here", 405)
        tokens = _tokens_of(request)
        if any(_are_equal(token, self._key) or self._tokens.redeem(token) for token in tokens):
            return JSONResponse({"session": session}, headers={"cache-control": "no-store"})
        return PlainTextResponse("unknown key, or a one-time key that was used before or has expired", 403)

    def _is_ours(self, host: str) -> bool:
        if host in self._hosts:
            return True
        name, port = _split(host)
        return port in self._ports_of_addresses and _is_address(name)


def _tokens_of(request: HTTPConnection) -> list[str]:
    authorization = request.headers.get("authorization", "")
    if authorization[: len(_SCHEME)].lower() == _SCHEME:
        return [authorization[len(_SCHEME) :].strip()]
    offered: list[str] = request.scope.get("subprotocols") or []
    return [name.removeprefix(WEBSOCKET_TOKEN_PREFIX) for name in offered if name.startswith(WEBSOCKET_TOKEN_PREFIX)]


def _are_equal(token: str, expected: str) -> bool:
    return secrets.compare_digest(token.encode(), expected.encode())


def _check_length(request: HTTPConnection) -> Response | None:
    if "transfer-encoding" in request.headers:  # its length is not known in advance
        return PlainTextResponse("a request needs a content-length", 411)
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
        return PlainTextResponse(f"the request is larger than {MAX_BODY_BYTES // 1_000_000} MB", 413)
    return None


def _split(host: str) -> tuple[str, str]:
    """Return the name or address of a host, and its port."""
    name, colon, port = host.rpartition(":")
    if not colon or port.endswith("]"):  # the colons belong to an IPv6 address
        return host.strip("[]"), str(HTTP_PORT)
    return name.strip("[]"), port


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _netloc(origin: str) -> str | None:
    """Return the host of an origin, in lower case; None if it is invalid."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _with_idle_timeout(receive: Receive) -> Receive:
    """Wrap `receive` so that a client that stops in the middle of a body counts as disconnected."""
    is_complete = False

    async def receiving() -> Message:
        nonlocal is_complete
        if is_complete:  # what comes next is the end of the connection, whenever that is
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), BODY_IDLE_TIMEOUT_S)
        except TimeoutError:
            return {"type": "http.disconnect"}
        is_complete = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return receiving


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            headers += [
                (b"content-security-policy", _POLICY.encode()),
                (b"x-content-type-options", b"nosniff"),
                (b"referrer-policy", b"no-referrer"),
                (b"cross-origin-opener-policy", b"same-origin"),
                (b"cross-origin-resource-policy", b"same-origin"),
            ]
            message = {**message, "headers": headers}
        await send(message)

    return sending
