"""Traces are made where a collector is named, and nowhere else."""

import subprocess
import sys

SOURCE = """
import sys
from arena.monitoring import tracing
tracing.start("web")
with tracing.span("nothing") as parent:
    assert parent == ""
print(sorted(name for name in sys.modules if name.startswith("opentelemetry")))
"""


def run(source: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", source], check=False, text=True, capture_output=True, env=environment
    )


def test_without_a_collector_nothing_is_imported() -> None:
    assert run(SOURCE).stdout == "[]\n"


def test_a_collector_without_the_packages_is_an_error_that_names_the_extra() -> None:
    done = run(
        f"import sys; sys.modules['opentelemetry'] = None\n{SOURCE}",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://[::1]:1",
    )
    assert "pip install bot-arena[tracing]" in done.stderr


def test_a_protocol_that_is_none_is_named() -> None:
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://[::1]:1", "OTEL_EXPORTER_OTLP_PROTOCOL": "thrift"}
    assert (
        "OTEL_EXPORTER_OTLP_PROTOCOL 'thrift': must be grpc or http/protobuf"
        in run(SOURCE, **environment).stderr
    )
