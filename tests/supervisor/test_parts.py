"""What the parts are told."""

from pathlib import Path

from arena.core.settings import read
from arena.supervisor import parts

SECRET = "a secret of the operator's own, long enough"


def test_secret_is_told_to_the_web_alone(tmp_path: Path) -> None:
    settings = read(data=tmp_path, secret=SECRET, registration="closed")
    assert SECRET not in " ".join(parts.environment(settings).values())
    assert parts.environment(settings)["ARENA_SECRET"] == ""  # what is not named would be inherited
    told = parts.web_environment(settings)
    assert (told["ARENA_SECRET"], told["ARENA_REGISTRATION"]) == (SECRET, "closed")
