"""How people get into the apps of the tests."""

from arena.web.auth.api_auth import Access

ACCESS = Access(b"a secret that only the tests know.", "open")
