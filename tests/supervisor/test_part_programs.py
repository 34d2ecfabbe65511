"""What the parts are told."""

from pathlib import Path

from arena.core.settings import read
from arena.supervisor import part_programs

SECRET = "a secret of the operator's own, long enough"


def test_secret_is_told_to_the_web_alone(tmp_path: Path) -> None:
    settings = read(data=tmp_path, secret=SECRET, registration="closed")
    assert SECRET not in " ".join(part_programs.environment(settings).values())
    assert part_programs.environment(settings)["ARENA_SECRET"] == ""  # what is not named would be inherited
    told = part_programs.web_environment(settings)
    assert (told["ARENA_SECRET"], told["ARENA_REGISTRATION"]) == (SECRET, "closed")
