"""Who may talk to the server: only pages that it served itself, opened with the key that it printed.

It listens on this machine alone, but other users of the machine and pages from elsewhere in the same browser could
reach it too. So every request must name this host (a page from elsewhere that has its own name point here is refused),
must not come from another origin, and must bring the key, in a cookie that other sites cannot send along.
"""

from __future__ import annotations

import secrets
import socket
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

PARAMETER = "key"
HTTP_PORT = 80
MAX_BODY = 32_000_000
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
"""Nothing from elsewhere is loaded, and no script but our own files."""


def cookie_of(host: str) -> str:
    """The name of the cookie with the key to the server that is called by a name and port.

    Browsers keep cookies by name of host alone: with the port in it, two workbenches do not lock each other out.
    """
    return f"tengen-key-{_split(host)[1]}"


def own_hosts(host: str, port: int) -> frozenset[str]:
    """The names, with the port, by which a server that listens on an address may be called, in small letters."""
    names = {f"[{host}]" if ":" in host else host.lower()}
    if _is_address(host) and ip_address(host).is_loopback:
        names.add("localhost")
    if is_any_address(host):
        names |= {"localhost", socket.gethostname().lower()}
    with_port = {f"{name}:{port}" for name in names}
    return frozenset(with_port | names if port == HTTP_PORT else with_port)  # browsers leave the usual port out


def is_any_address(host: str) -> bool:
    """Whether who listens there listens on all addresses of the machine."""
    return _is_address(host) and ip_address(host).is_unspecified


class Guard:
    """Lets through only requests of the user's own windows.

    Args:
        app: who answers them.
        key: what a window must bring.
        hosts: the names, with ports, by which the server may be called, in small letters.
        any_address: whether it may also be called by any address in numbers, at the ports of those names. No page
            from elsewhere can do that under its own name.
    """

    def __init__(self, app: ASGIApp, key: str, hosts: frozenset[str], any_address: bool = False) -> None:
        self._app, self._key, self._hosts = app, key, hosts
        self._ports_of_addresses = {_split(host)[1] for host in hosts} if any_address else set[str]()

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
        host = headers.get("host", "").lower()
        if not self._is_ours(host):
            return PlainTextResponse("this server answers to its own name only", 421)
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host:
            return PlainTextResponse("requests from other sites are not allowed", 403)
        is_link = request.scope["path"] == "/" and headers.get("sec-fetch-mode") == "navigate"
        if headers.get("sec-fetch-site") not in (None, "same-origin", "none") and not is_link:
            return PlainTextResponse("requests from other sites are not allowed", 403)
        if secrets.compare_digest(request.query_params.get(PARAMETER, "").encode(), self._key.encode()):
            rest = urlencode([(n, v) for n, v in request.query_params.multi_items() if n != PARAMETER])
            response = RedirectResponse(request.scope["path"] + (f"?{rest}" if rest else ""), 303)
            response.set_cookie(cookie_of(host), self._key, httponly=True, samesite="strict", path="/")
            return response
        if not secrets.compare_digest(request.cookies.get(cookie_of(host), "").encode(), self._key.encode()):
            return PlainTextResponse(
                "Tengen: please open the address that `tengen web` printed; it contains the key to this workbench.", 403
            )
        if "transfer-encoding" in headers:  # nobody knows how much will come
            return PlainTextResponse("please say how long the request is", 411)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return PlainTextResponse(f"at most {MAX_BODY // 1_000_000} MB at once", 413)
        return None

    def _is_ours(self, host: str) -> bool:
        if host in self._hosts:
            return True
        name, port = _split(host)
        return port in self._ports_of_addresses and _is_address(name)


def _split(host: str) -> tuple[str, str]:
    """The name or address of a host, and its port."""
    name, colon, port = host.rpartition(":")
    if not colon or port.endswith("]"):  # the colons are those of an address
        return host.strip("[]"), str(HTTP_PORT)
    return name.strip("[]"), port


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _netloc(origin: str) -> str | None:
    """The host of an origin, in small letters; None if it is no origin."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


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
