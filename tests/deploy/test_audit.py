"""`make audit`: what is a finding, what is none, and what is not known."""

from __future__ import annotations

import sys
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pytest

LOCK = """\
jinja2==2.7.1 \\
    --hash=sha256:31351a702a408a9e7595a8fc6150fc3f43bb6bf7e319770cbc0db9df9437e852
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:4f1d9991f5acc0ca119f9d443620b77f9d6b33703e51011c16baf57afb285fc6
"""
KNOWN = {
    "jinja2": [{"advisory": "Cache in /tmp.\nMore.", "cve": None, "id": "pyup.io-25865", "specs": ["<2.7.2"]}]
}
SOUND = {"name": "Jinja2", "version": "2.7.2", "vulns": []}


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    spec = spec_from_file_location("audit", Path(__file__).parents[2] / "deploy" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["audit"] = module
    spec.loader.exec_module(module)
    return module


def test_versions_are_read_from_the_lock(audit: ModuleType) -> None:
    assert audit.locked(LOCK) == {"jinja2": "2.7.1", "colorama": "0.4.6"}


def test_a_locked_version_in_the_list_is_a_finding(audit: ModuleType) -> None:
    found = list(audit.safety_db_findings(audit.locked(LOCK), KNOWN))
    assert found == [audit.Finding("jinja2", "2.7.1", "pyup.io-25865", "Cache in /tmp.")]


def test_a_version_after_those_in_the_list_is_none(audit: ModuleType) -> None:
    assert list(audit.safety_db_findings({"jinja2": "2.7.2"}, KNOWN)) == []


def test_packages_that_the_service_does_not_know_are_not_called_sound(audit: ModuleType) -> None:
    answer = {
        "dependencies": [
            {"name": "jinja2", "version": "2.7.1", "vulns": []},
            {"name": "colorama", "skip_reason": "Dependency not found on PyPI and could not be audited"},
        ]
    }
    report = audit.pip_audit_report(answer, {"jinja2", "colorama"})
    assert report.findings is None
    assert report.note == "NOT LOOKED UP: 1 of 2 packages have no answer"


@pytest.mark.parametrize("answer", [None, {}, {"dependencies": []}, {"dependencies": [SOUND], "fixes": []}])
def test_python_packages_that_were_not_looked_up_are_not_called_sound(
    audit: ModuleType, answer: dict[str, Any] | None
) -> None:
    assert audit.pip_audit_report(answer, {"jinja2", "h2"}).findings is None
    assert audit.pip_audit_report(answer, set()).findings is None


def test_python_packages_that_were_looked_up_are_sound(audit: ModuleType) -> None:
    assert audit.pip_audit_report({"dependencies": [SOUND]}, {"jinja2"}).findings == ()


def test_packages_of_other_platforms_need_no_answer(audit: ModuleType) -> None:
    assert audit.needed(LOCK) == {"jinja2"}


def test_source_that_knows_no_flaw_of_a_flawed_package_is_not_believed(audit: ModuleType) -> None:
    sound = audit.pip_audit_report({"dependencies": [SOUND]}, {"jinja2"})
    flaw = audit.Finding("a", "1", "CVE-1", "Slow")
    assert audit.believed(sound, replace(sound, findings=(flaw,)), "a") == sound
    for flawed in (sound, replace(sound, findings=None)):
        report = audit.believed(sound, flawed, "a")
        assert report.findings is None
        assert report.note == "NOT LOOKED UP: the source knows no flaw of a, which has some"


@pytest.mark.parametrize("metadata", [{}, {"dependencies": {}}, {"dependencies": {"total": 1}}])
def test_npm_packages_that_were_not_looked_up_are_not_called_sound(
    audit: ModuleType, metadata: dict[str, Any]
) -> None:
    answer = {"vulnerabilities": {}, "metadata": metadata}
    assert audit.npm_report("package-lock.json", answer, 2).findings is None


@pytest.mark.parametrize("registry", ["silent", "away"])
def test_audit_of_a_registry_that_answers_nothing_does_not_pass(
    audit: ModuleType, monkeypatch: pytest.MonkeyPatch, registry: str
) -> None:
    """The real npm asks a registry of ours that calls everything sound, and one that is not there."""

    class Silent(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Silent) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_port if registry == "silent" else 1
        monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{port}/")
        monkeypatch.setenv("npm_config_fetch_retries", "0")
        report = audit.audit_npm("bots/typescript")
        server.shutdown()
    assert report.findings is None
    assert report.note.startswith("NOT LOOKED UP: ")
    assert ("knows no flaw of minimist" in report.note) == (registry == "silent")


def test_a_registry_without_advisories_is_told(audit: ModuleType) -> None:
    answer = {"message": "405 Method Not Allowed", "error": {"summary": "", "detail": ""}}
    assert audit.npm_report("package-lock.json", answer, 2).findings is None


def test_advisories_of_npm_are_findings_once(audit: ModuleType) -> None:
    flaw = {"title": "Slow", "url": "https://github.com/advisories/GHSA-1", "range": "<2"}
    answer = {
        "vulnerabilities": {"a": {"via": [flaw]}, "b": {"via": ["a"]}},
        "metadata": {"dependencies": {"total": 2}},
    }
    report = audit.npm_report("package-lock.json", answer, 2)
    assert report.findings == (audit.Finding("a", "<2", "GHSA-1", "Slow"),)


def test_a_finding_with_a_reason_is_accepted_with_it(audit: ModuleType) -> None:
    finding = audit.Finding("a", "1", "GHSA-1", "Slow")
    assert audit.describe(finding, "never called").endswith("accepted: never called")
    assert "NOT ACCEPTED" in audit.describe(finding, "")
