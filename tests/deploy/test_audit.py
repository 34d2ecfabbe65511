"""`make audit`: what is a finding, what is none, and what is not known."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

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
    report = audit.pip_audit_report(answer)
    assert report.findings is None
    assert report.note == "NOT LOOKED UP: 1 of 2 packages have no answer"


def test_a_registry_without_advisories_is_told(audit: ModuleType) -> None:
    answer = {"message": "405 Method Not Allowed", "error": {"summary": "", "detail": ""}}
    assert audit.npm_report("package-lock.json", answer).findings is None


def test_advisories_of_npm_are_findings_once(audit: ModuleType) -> None:
    flaw = {"title": "Slow", "url": "https://github.com/advisories/GHSA-1", "range": "<2"}
    answer = {"vulnerabilities": {"a": {"via": [flaw]}, "b": {"via": ["a"]}}}
    report = audit.npm_report("package-lock.json", answer)
    assert report.findings == (audit.Finding("a", "<2", "GHSA-1", "Slow"),)


def test_a_finding_with_a_reason_is_accepted_with_it(audit: ModuleType) -> None:
    finding = audit.Finding("a", "1", "GHSA-1", "Slow")
    assert audit.describe(finding, "never called").endswith("accepted: never called")
    assert "NOT ACCEPTED" in audit.describe(finding, "")
