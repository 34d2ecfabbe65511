from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.kubernetes.rendered_manifests import (
    OVERLAYS,
    ROOT,
    SOURCE,
    Rendered,
    in_old_words,
    is_old,
    kustomize,
)


@pytest.fixture(scope="session")
def manifests_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manifests with secrets of their own, as an operator makes them."""
    root = tmp_path_factory.mktemp("kubernetes")
    copy = root / "deploy" / "kubernetes"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("secrets"))
    (root / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "deployment.md", root / "docs")
    urls = {
        "ARENA_DATABASE_URL": "postgresql://arena:word@db.test/arena",
        "ARENA_REDIS_URL": "rediss://arena:word@cache.test:6379/0",
    }
    for overlay in OVERLAYS:
        environment = {"PATH": "/usr/bin:/bin", **(urls if overlay == "large" else {})}
        subprocess.run([copy / "generate-secrets", overlay], env=environment, check=True, capture_output=True)
    if is_old():
        in_old_words(copy)
    return copy


@pytest.fixture(scope="session")
def rendered(manifests_folder: Path) -> dict[str, Rendered]:
    return {overlay: kustomize(manifests_folder / "overlays" / overlay) for overlay in OVERLAYS}


@pytest.fixture(params=OVERLAYS)
def overlay(request: pytest.FixtureRequest, rendered: dict[str, Rendered]) -> Rendered:
    return rendered[request.param]
