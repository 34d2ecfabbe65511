"""Security headers of every response, and HEAD wherever there is GET."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""No inline script, no inline style, nothing from elsewhere."""

STYLED_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
    "img-src 'self'", "img-src 'self' data:"
)
"""The policy of the API reference alone, whose renderer writes styles and small pictures into its elements; scripts are ours as everywhere."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

FRAMED_POLICY = (
    "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors *"
)
"""The policy of a page that other sites may show in a frame: it runs no script and sends no form, so there is nothing to be clicked unawares."""

FILE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)
"""The policy in a page that is a file, such as a report: it runs no script and asks for nothing."""

_FRAMED_HEADERS = {
    **{name: value for name, value in HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": FRAMED_POLICY,
    "Cross-Origin-Resource-Policy": "cross-origin",
}

_BY_POLICY = {
    FRAMED_POLICY: _FRAMED_HEADERS,
    STYLED_POLICY: {**HEADERS, "Content-Security-Policy": STYLED_POLICY},
}

TRANSPORT = {"Strict-Transport-Security": "max-age=31536000"}
"""Over HTTPS alone: for a year the browser takes this host by nothing else.  Whether other hosts of its domain do as well is not ours to say."""


def headers_of(scheme: str, policy: str = POLICY) -> dict[str, str]:
    """Return what every answer carries, by the scheme of its request as a proxy that is believed names it, and the policy that it asks for."""
    headers = _BY_POLICY.get(policy, HEADERS)
    return {**headers, **TRANSPORT} if scheme == "https" else headers


class SecurityHeaders:
    """ASGI middleware that adds these headers to every answer; one that names FRAMED_POLICY or STYLED_POLICY keeps it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                policy = headers.get("content-security-policy", POLICY)
                headers.update(headers_of(scope["scheme"], policy))
            await send(message)

        await self._app(scope, receive, send_with_headers)


class HeadAsGet:
    """ASGI middleware that answers HEAD as GET would, without the body; an endless answer is hung up on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        started = False

        async def send_head(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                await send(message)
                await send({"type": "http.response.body", "body": b""})

        async def receive_until_started() -> Message:
            return {"type": "http.disconnect"} if started else await receive()

        await self._app({**scope, "method": "GET"}, receive_until_started, send_head)
