"""`make soak` itself: its tournaments can be begun, its growth is told of one process, its report and charts can be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arena.bot_registry import bots
from arena.competition import creation
from arena.games import registry
from arena.scheduling.formats.format_registry import FORMATS
from arena.storage import Store
from bench.machine import Machine
from bench.soak import report
from bench.soak.growth import growth_of
from bench.soak.recorder import Recorder, StoreSize, Use
from bench.soak.report import Findings
from bench.soak.svg_chart import line_chart
from bench.soak.tournaments import GUEST_KIND, specs
from tests.stores import new_sqlite

RUN_S = 1000.0


def uses(*memory_mb: float, pid: int = 7) -> list[Use]:
    """What a process used, looked at in equal steps over a run."""
    step = RUN_S / len(memory_mb)
    return [
        Use(number * step, pid, mb + 5, mb, mb + 60, mb - 1, 30, 9, 0) for number, mb in enumerate(memory_mb)
    ]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(new_sqlite(tmp_path / "arena.db"))
    bots.register_house(store, {game: package.house_bots for game, package in registry.PACKAGES.items()})
    yield store
    store.close()


def test_every_kind_of_tournament_can_be_begun(store: Store) -> None:
    kinds = {kind: spec for kind, spec in specs(1).items() if kind != GUEST_KIND}
    assert len({creation.create(store, spec) for spec in kinds.values()}) == len(kinds)


def test_all_formats_are_played() -> None:
    assert {spec.format for spec in specs(1).values()} | {"ladder"} == set(FORMATS)


def test_a_seed_gives_the_same_secrets_again_and_another_gives_others() -> None:
    assert [spec.secret for spec in specs(1).values()] == [spec.secret for spec in specs(1).values()]
    assert specs(1)["talk"].secret != specs(2)["talk"].secret


def test_growth_is_told_from_the_first_quarter_to_the_end() -> None:
    found = growth_of("web2", uses(50, *[100] * 20, *[101] * 20), RUN_S)
    assert found is not None
    assert found.memory == pytest.approx(0.01)


def test_growth_before_the_first_quarter_does_not_count() -> None:
    found = growth_of("web2", uses(*range(10, 19), *[100] * 30), RUN_S)
    assert found is not None
    assert found.memory == 0


def test_what_one_look_in_twenty_found_open_does_not_count() -> None:
    looks = [
        replace(use, descriptors=10 if number == 105 else 30) for number, use in enumerate(uses(*[100] * 400))
    ]
    found = growth_of("work2", looks, RUN_S)
    assert found is not None
    assert found.descriptors == 0


def test_a_part_that_was_started_again_has_no_growth() -> None:
    before, after = uses(*[100] * 40), uses(*[100] * 40, pid=8)
    assert growth_of("web1", [*before[:20], *after[20:]], RUN_S) is None


def test_a_part_that_was_never_looked_at_has_no_growth() -> None:
    assert growth_of("web2", [], RUN_S) is None


def test_a_chart_is_well_formed_whatever_its_series_are_called() -> None:
    text = line_chart("a < b & c", "MB", {"<x>": [(0, 1), (60, 2)], "none": []})
    chart = ET.fromstring(text)  # noqa: S314 - our own
    assert len(chart.findall("{http://www.w3.org/2000/svg}polyline")) == 2


def test_the_report_shows_what_holds_and_names_each_chart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "OUT", tmp_path / "soak")
    recorder = Recorder.__new__(Recorder)  # one that looks at nothing
    recorder.uses = {"web2": uses(100, 101), "play2": uses(60, 60)}
    recorder.sizes = [
        StoreSize(0, 0, 1.0, 2.0, {"record": 1.0}),
        StoreSize(60, 50, 9.0, 2.0, {"record": 8.0}),
    ]
    hour = Machine(0.1, 2.2, 5000)
    text = report.write(Findings(1, hour, lasted_s=60, results=50), recorder, hour).read_text()
    charts = {path.name for path in (tmp_path / "soak").glob("*.svg")}
    assert "50 matches in 0.02 hours" in text
    assert len(charts) == 7
    assert all(f"({name})" in text for name in charts)
