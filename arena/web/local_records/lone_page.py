"""A page as a file that needs no server: styles, scripts and pictures are in the page, and its policy runs no other script."""

from __future__ import annotations

import base64
import re
from hashlib import sha256

from arena.web.ui import static_assets

_SCRIPT = r'<script type="module" src="(?P<script>/static/[\w.-]+)"></script>'
_SHEET = r'<link rel="stylesheet" href="(?P<style>/static/[\w.-]+)">'
_OTHER = r"(?P<other>/static/[\w.-]+)"
_STATIC = re.compile(f"{_SCRIPT}|{_SHEET}|{_OTHER}")
_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def inline_static_files(page: str) -> str:
    """Return a page with the static files that it refers to inside it, and a policy that allows only these.

    The nonce is a hash of the page: the same page is the same file, and no text in it can name its own hash.
    """
    nonce = sha256(page.encode()).hexdigest()

    def inline(found: re.Match[str]) -> str:
        kind = found.lastgroup or ""
        asset = static_assets.find(found[kind])
        if asset is None:
            return found[0]
        if kind == "script":
            return f'<script type="module" nonce="{nonce}">{asset.body.decode()}</script>'
        if kind == "style":
            return f'<style nonce="{nonce}">{asset.body.decode()}</style>'
        media_type = asset.media_type.replace(" ", "")
        return f"data:{media_type};base64,{base64.b64encode(asset.body).decode()}"

    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY.format(nonce=nonce)}">'
    return _STATIC.sub(inline, page).replace("<head>", f"<head>{policy}", 1)
