"""What logs look like, and where they go."""

import re
import subprocess
import sys
from pathlib import Path

LOGS = """
import logging, sys
from arena.core import logging_setup
logging_setup.configure("INFO")
logging.getLogger("part").info("began")
"""
RENAMES = (
    LOGS
    + """
from pathlib import Path
file = Path(sys.argv[1])
file.rename(file.with_suffix(".old"))
logging.getLogger("part").info("went on")
print("raw", flush=True)
"""
)


def run(
    source: str, *arguments: str, log: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    given = {"TZ": "Asia/Kolkata", **environment}
    with (log or Path("/dev/null")).open("a") as file:
        out = subprocess.PIPE if log is None else file
        return subprocess.run(
            [sys.executable, "-c", source, *arguments],
            check=False,
            text=True,
            env=given,
            stdout=out,
            stderr=out,
        )


def test_times_carry_their_offset_from_utc() -> None:
    line = run(LOGS).stderr.strip()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:30 INFO    part: began", line)


def test_a_file_that_is_renamed_is_begun_anew_and_all_output_goes_along(tmp_path: Path) -> None:
    file = tmp_path / "part.log"
    run(RENAMES, str(file), log=file, ARENA_LOG_FILE=str(file))
    assert file.with_suffix(".old").read_text().endswith("part: began\n")
    first, second = file.read_text().splitlines()
    assert first.endswith("part: went on")
    assert second == "raw"


def test_a_file_that_cannot_be_written_is_named_with_the_setting(tmp_path: Path) -> None:
    file = str(tmp_path / "nowhere" / "part.log")
    assert (
        f"UsageError: ARENA_LOG_FILE '{file}': No such file or directory"
        in run(LOGS, ARENA_LOG_FILE=file).stderr
    )
