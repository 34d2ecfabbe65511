"""Final checks of a run: nothing lost, nothing doubled, no bot charged, and the same bytes as undisturbed."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select, tuple_

from arena.competition.matches.outcomes import ANNULLED
from arena.storage import Store
from arena.storage.schema import MatchResult, Tournament, Version
from bench.chaos.deployment import ARENA, Deployment
from bench.chaos.machines import DYING_WITH_US

Match = tuple[int, int, int]
"""Tournament, set, and match."""


@dataclass(frozen=True, slots=True)
class Check:
    """One statement about the whole run, and whether it holds."""

    statement: str
    holds: bool
    found: str = ""


def count(store: Store, ids: Collection[int], forfeits_allowed: int) -> list[Check]:
    """Check the numbers of some tournaments: as many results as planned, each match once, no bot charged or suspended."""
    key = tuple_(MatchResult.tournament_id, MatchResult.set_number, MatchResult.match_number)
    mine = MatchResult.tournament_id.in_(ids)
    with store.read() as session:
        planned = int(
            session.scalar(select(func.sum(Tournament.matches_total)).where(Tournament.id.in_(ids))) or 0
        )
        results = int(session.scalar(select(func.count()).select_from(MatchResult).where(mine)) or 0)
        distinct = int(
            session.scalar(select(func.count()).select_from(select(key).where(mine).distinct().subquery()))
            or 0
        )
        forfeits = int(session.scalar(select(func.count(MatchResult.fault_seat)).where(mine)) or 0)
        annulled = int(
            session.scalar(
                select(func.count()).select_from(MatchResult).where(mine, MatchResult.end == ANNULLED)
            )
            or 0
        )
        suspended = list(session.scalars(select(Version.reason).where(Version.state == "suspended")))
    return [
        Check("0 results lost", distinct == planned, f"{distinct} of {planned} matches have one"),
        Check("0 results doubled", results == distinct, f"{results} results of {distinct} matches"),
        Check("0 matches given up", annulled == 0, f"{annulled} annulled"),
        Check(
            "no forfeit charged to a bot that was not itself killed",
            forfeits <= forfeits_allowed,
            f"{forfeits} forfeits, {forfeits_allowed} of them of bots that were killed",
        ),
        Check("no bot suspended", not suspended, "; ".join(filter(None, suspended))),
    ]


def export(deployment: Deployment, tournaments: Collection[int]) -> dict[int, str]:
    """Export tournaments as an organiser does."""
    with ThreadPoolExecutor(2) as pool:
        texts = pool.map(lambda number: deployment.arena("tournament", "export", str(number)), tournaments)
        return dict(zip(tournaments, texts, strict=True))


def compare(exports: Mapping[int, str], specs: Mapping[int, int], undisturbed: Mapping[int, str]) -> Check:
    """Check that each export is, byte for byte, that of the undisturbed tournament of its kind."""
    different = [
        number for number, text in exports.items() if sha256(text) != sha256(undisturbed[specs[number]])
    ]
    hashes = ", ".join(f"{sha256(text)[:12]}…" for text in undisturbed.values())
    found = f"{len(exports) - len(different)} of {len(exports)} exports have SHA-256 {hashes}"
    return Check("exports equal to those undisturbed", not different, found)


def compare_matches(exports: Mapping[int, str], undisturbed: str, forfeits: Collection[Match]) -> Check:
    """Check that exports of a tournament differ from the undisturbed one by some forfeits alone."""
    planned = _matches(undisturbed)
    different = set[Match]()
    for number, text in exports.items():
        found = _matches(text)
        different |= {(number, *match) for match in planned if found.get(match) != planned[match]}
    return Check(
        "only the forfeits of the killed differ from the undisturbed",
        different == set(forfeits),
        f"{len(different)} matches differ, {len(forfeits)} are forfeits of bots that were killed",
    )


def verify(deployment: Deployment, tournaments: Mapping[int, int], folder: Path) -> Check:
    """Check archives as anyone can: `arena verify --tournament` plays every record again; of each spec the first and the last."""
    chosen = sorted(
        {
            end(number for number, each in tournaments.items() if each == spec)
            for spec in set(tournaments.values())
            for end in (min, max)
        }
    )

    def check(number: int) -> str:
        file = folder / f"tournament-{number}.zip"
        deployment.arena("tournament", "export", str(number), str(file))
        return verify_archive(file)

    with ThreadPoolExecutor(2) as pool:
        wrong = list(filter(None, pool.map(check, chosen)))
    found = f"{len(chosen) - len(wrong)} of {len(chosen)} archives; {'; '.join(wrong)}".removesuffix("; ")
    return Check("`arena verify --tournament` is content", not wrong, found)


def verify_archive(file: Path) -> str:
    """Return what is wrong with an archive; empty if nothing is."""
    done = subprocess.run(
        [*DYING_WITH_US, ARENA, "verify", "--tournament", str(file), "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    found = (
        json.loads(done.stdout) if done.stdout else {"ok": False, "message": f"exit code {done.returncode}"}
    )
    if found["ok"]:
        file.unlink()
    return "" if found["ok"] else f"{file.name}: {found['message']}"


def _matches(export: str) -> dict[tuple[int, int], object]:
    return {(each["set"], each["match"]): each for each in json.loads(export)["matches"]}


def sha256(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()
