"""What logs look like, and where they go."""

import json
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
WITH_FIELDS = """
import logging, sys, warnings
from structlog.contextvars import bound_contextvars
from arena.core import logging_setup
logging_setup.configure("INFO", "worker", sys.argv[1])
log = logging.getLogger("workers.block_runner")
with bound_contextvars(request_id="ab" * 16, tournament=5, block=3):
    log.info("match %s waits for %s", "5-1", "alice/café", extra={"match": "5-1", "color_message": "no field"})
try:
    1 / 0
except ZeroDivisionError:
    log.exception("GET /a\\nb failed")
"""


THROUGH_A_FILE = (
    LOGS
    + """
import json, linecache
try:
    json.loads("{")
except ValueError:
    logging.getLogger("part").exception("no JSON")
print(len(linecache.cache))
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


def test_times_are_utc_and_say_so() -> None:
    line = run(LOGS).stderr.strip()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO    part: began", line)


def test_a_line_of_text_ends_with_its_fields() -> None:
    line = run(WITH_FIELDS, "text").stderr.splitlines()[0]
    fields = f"request_id={'ab' * 16} tournament=5 block=3 match=5-1"
    assert line.endswith(f" workers.block_runner: match 5-1 waits for alice/café {fields}")


def test_a_message_of_text_cannot_begin_another_line() -> None:
    lines = run(WITH_FIELDS, "text").stderr.splitlines()
    assert lines[1].endswith(r" ERROR   workers.block_runner: GET /a\nb failed")
    assert (lines[2], lines[-1]) == (
        "Traceback (most recent call last):",
        "ZeroDivisionError: division by zero",
    )


def test_each_line_of_json_is_an_object_with_what_the_line_of_text_says() -> None:
    first, second = map(json.loads, run(WITH_FIELDS, "json").stderr.splitlines())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first.pop("time"))
    assert first == {
        "level": "INFO",
        "part": "worker",
        "logger": "workers.block_runner",
        "message": "match 5-1 waits for alice/café",
        "request_id": "ab" * 16,
        "tournament": 5,
        "block": 3,
        "match": "5-1",
    }
    assert second["message"] == "GET /a\nb failed"
    assert second["exception"].endswith("ZeroDivisionError: division by zero")


def test_source_that_a_traceback_shows_is_not_kept() -> None:
    done = run(THROUGH_A_FILE)
    assert "json/decoder.py" in done.stderr
    assert done.stdout == "0\n"


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
