"""Known vulnerabilities of the locked dependencies: `make audit`.

    requirements.lock        pip-audit (PyPI's advisories); where that answers nothing, the list of the package safety-db
    package-lock.json, each  npm audit (the registry's advisories)

Exit code 1 if there are findings that deploy/audit.toml does not list with a reason, 3 if something could not be looked up: then
nothing is known of it, which is not the same as that nothing is wrong.  A source is believed only if it has looked up every locked
package, and also knows the flaws of a package that is known to have some: some mirrors answer everything with "no vulnerabilities".
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
UV = str(ROOT / ".tools" / "bin" / "uv")
PIP_AUDIT = "pip-audit>=2.9,<3"
SAFETY_DB = "safety-db"
NPM_FOLDERS = ("bots/typescript", "arena/web/ui/npm")
LIMIT_S = 600
FLAWED = {"python": ("jinja2", "2.7.1"), "npm": ("minimist", "0.0.8")}
"""Packages with known vulnerabilities (CVE-2014-1402, CVE-2020-7598), which every source must report."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A vulnerability of a package at the version that is locked."""

    package: str
    version: str
    id: str
    summary: str


@dataclass(frozen=True, slots=True)
class Report:
    """Findings of one source of advisories for one lock file; `findings` is None if it could not be asked."""

    lock: str
    source: str
    findings: tuple[Finding, ...] | None
    note: str = ""


def main() -> None:
    """Look everything up, and say what was found."""
    reasons: dict[str, str] = tomllib.loads((ROOT / "deploy" / "audit.toml").read_text())["accepted"]
    reports = [*audit_python(), *(audit_npm(folder) for folder in NPM_FOLDERS)]
    bad = unknown = False
    for report in reports:
        print(f"{report.lock}: {report.source}{': ' if report.note else ''}{report.note}")
        if report.findings is None:
            unknown = True
            continue
        for finding in report.findings:
            reason = reasons.get(finding.id, "")
            bad = bad or not reason
            print(f"  {describe(finding, reason)}")
        if not report.findings:
            print("  no known vulnerabilities")
    sys.exit(1 if bad else 3 if unknown else 0)


def describe(finding: Finding, reason: str) -> str:
    """Write a finding as a line."""
    verdict = (
        f"accepted: {reason}"
        if reason
        else "NOT ACCEPTED: update it, or list it with a reason in deploy/audit.toml"
    )
    return f"{finding.package} {finding.version}: {finding.id}: {finding.summary}; {verdict}"


def audit_python() -> Iterator[Report]:
    """Look the packages of requirements.lock up."""
    lock = ROOT / "requirements.lock"
    report = pip_audit_report(pip_audit("--require-hashes", "-r", str(lock)), needed(lock.read_text()))
    if report.findings is not None:
        name, version = FLAWED["python"]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "requirements.txt")
            file.write_text(f"{name}=={version}\n")
            flawed = pip_audit_report(pip_audit("--no-deps", "-r", str(file)), {name})
        report = believed(report, flawed, name)
    yield report
    if report.findings is None:
        yield safety_db_report(lock)


def pip_audit(*options: str) -> dict[str, Any] | None:
    """Return what pip-audit writes about a file of requirements; None if it writes nothing."""
    return read_json((*uv_tool(PIP_AUDIT, "pip-audit"), "--disable-pip", *options, "-f", "json"))


def pip_audit_report(answer: Mapping[str, Any] | None, names: Collection[str]) -> Report:
    """Read what pip-audit wrote about packages of these names.

    It counts a package that the service does not know as one without vulnerabilities; we do not.
    """
    lock, source = "requirements.lock", "pip-audit, advisories of PyPI"
    if answer is None:
        return Report(lock, source, None, "NOT LOOKED UP: it failed")
    packages = answer.get("dependencies", [])
    looked_up = {canonicalize_name(package["name"]) for package in packages if "skip_reason" not in package}
    missing = set(names) - looked_up
    if missing or not names:
        return Report(
            lock, source, None, f"NOT LOOKED UP: {len(missing)} of {len(names)} packages have no answer"
        )
    return Report(
        lock,
        source,
        tuple(
            Finding(package["name"], package["version"], flaw["id"], first_line(flaw["description"]))
            for package in packages
            for flaw in package.get("vulns", ())
        ),
    )


def believed(report: Report, flawed: Report, name: str) -> Report:
    """Return a report as it is if its source knows the flaws of a package that has some, otherwise as one that says nothing."""
    if flawed.findings:
        return report
    return replace(
        report, findings=None, note=f"NOT LOOKED UP: the source knows no flaw of {name}, which has some"
    )


def safety_db_report(lock: Path) -> Report:
    """Look the packages up in the list of the package safety-db, which needs nothing but a package index."""
    source = "list of the package safety-db"
    folder = ROOT / ".tools" / "safety-db"
    install = (UV, "pip", "install", "--quiet", "--upgrade", "--target", str(folder), SAFETY_DB)
    if subprocess.run(install, check=False, timeout=LIMIT_S).returncode:
        return Report(lock.name, source, None, "NOT LOOKED UP: it could not be fetched")
    known = json.loads((folder / "safety_db" / "insecure_full.json").read_text(encoding="utf-8"))
    made = datetime.fromtimestamp(known["$meta"]["timestamp"], tz=UTC)
    age = (datetime.now(tz=UTC) - made).days
    note = f"of {made:%Y-%m-%d}, {age} days old: what was found since is not in it"
    return Report(lock.name, source, tuple(safety_db_findings(locked(lock.read_text()), known)), note)


def safety_db_findings(versions: Mapping[str, str], known: Mapping[str, Any]) -> Iterator[Finding]:
    """Find the locked versions that are in the list."""
    for name, version in versions.items():
        for flaw in known.get(name, ()):
            if any(SpecifierSet(spec).contains(version, prereleases=True) for spec in flaw["specs"]):
                yield Finding(name, version, flaw["cve"] or flaw["id"], first_line(flaw["advisory"]))


def locked(text: str) -> dict[str, str]:
    """Read the names and versions of a lock file."""
    return {
        requirement.name.lower(): str(requirement.specifier).removeprefix("==")
        for requirement in requirements(text)
    }


def needed(text: str) -> set[str]:
    """Read the names of a lock file that are installed on this platform."""
    return {
        canonicalize_name(requirement.name)
        for requirement in requirements(text)
        if requirement.marker is None or requirement.marker.evaluate()
    }


def requirements(text: str) -> Iterator[Requirement]:
    """Read the requirements of a lock file."""
    for line in text.splitlines():
        try:
            yield Requirement(line.removesuffix("\\").strip())
        except InvalidRequirement:  # a hash
            continue


def audit_npm(folder: str) -> Report:
    """Look the packages of a package-lock.json up."""
    lock = Path(folder, "package-lock.json")
    packages = json.loads((ROOT / lock).read_text(encoding="utf-8"))["packages"]
    report = npm_report(str(lock), npm_audit(ROOT / folder), len(packages.keys() - {""}))
    if report.findings is None:
        return report
    name, version = FLAWED["npm"]
    with tempfile.TemporaryDirectory() as made:
        itself = {"name": "flawed", "version": "1.0.0", "dependencies": {name: version}}
        entry = {
            "version": version,
            "resolved": f"https://registry.npmjs.org/{name}/-/{name}-{version}.tgz",
        }
        content = {"": itself, f"node_modules/{name}": entry}
        Path(made, "package.json").write_text(json.dumps(itself))
        Path(made, "package-lock.json").write_text(
            json.dumps({"name": "flawed", "version": "1.0.0", "lockfileVersion": 3, "packages": content})
        )
        flawed = npm_report(str(lock), npm_audit(Path(made)), 1)
    return believed(report, flawed, name)


def npm_audit(folder: Path) -> dict[str, Any] | None:
    """Return what npm writes about the lock file of a folder; None if it writes nothing."""
    npm = str(ROOT / ".venv" / "bin" / "npm")
    return read_json((npm, "audit", "--json", "--package-lock-only", "--prefix", str(folder)))


def npm_report(lock: str, answer: Mapping[str, Any] | None, packages: int) -> Report:
    """Read npm's report on `packages` packages."""
    source = "npm audit, advisories of the registry"
    if answer is None or "vulnerabilities" not in answer:
        why = (
            "it failed" if answer is None else first_line(str(answer.get("message", "the registry has none")))
        )
        return Report(lock, source, None, f"NOT LOOKED UP: {why}")
    counted = answer.get("metadata", {}).get("dependencies", {}).get("total", 0)
    if not packages or counted < packages:
        return Report(lock, source, None, f"NOT LOOKED UP: {counted} of {packages} packages were")
    return Report(lock, source, tuple(npm_findings(answer["vulnerabilities"])))


def npm_findings(vulnerabilities: Mapping[str, Any]) -> Iterator[Finding]:
    """Read the advisories; a package that only depends on an affected one is covered by that one."""
    for name, package in vulnerabilities.items():
        for flaw in package["via"]:
            if isinstance(flaw, dict):
                yield Finding(name, flaw["range"], flaw["url"].rpartition("/")[2], flaw["title"])


def uv_tool(requirement: str, command: str) -> tuple[str, ...]:
    """Return the command line that runs a program of a package in an environment of its own."""
    return (UV, "tool", "run", "--quiet", "--from", requirement, command)


def read_json(command: Sequence[str]) -> dict[str, Any] | None:
    """Run a command that writes JSON, ignoring its exit code; None if it writes none."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"  # npm's own Node
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        env={**os.environ, "PATH": path},
    )
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        sys.stderr.write(done.stderr)
        return None
    return found


def first_line(text: str) -> str:
    """Return the first line of a text, cut to what fits on a screen."""
    return (text.strip().splitlines() or [""])[0][:160]


if __name__ == "__main__":
    main()
