"""The manifests of `deploy/kubernetes`, as kubectl renders them."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "deploy" / "kubernetes"
OVERLAYS = ("small", "large")
PARTS = {"web": 9101, "worker": 9102, "referee": 9103}
"""Each part's monitoring port."""
Manifest = dict[str, Any]


def kubectl() -> str:
    """Find kubectl; without it the test is left out."""
    found = shutil.which("kubectl")
    if found is None:
        pytest.skip("kubectl is missing: apt-get install kubernetes-client")
    return found


@dataclass(frozen=True)
class Rendered:
    """What an overlay comes to."""

    manifests: tuple[Manifest, ...]

    def all(self, kind: str) -> dict[str, Manifest]:
        return {each["metadata"]["name"]: each for each in self.manifests if each["kind"] == kind}

    @cached_property
    def pods(self) -> dict[str, Manifest]:
        """The pod of each workload, by its name."""
        found = {}
        for each in self.manifests:
            match each["kind"]:
                case "Deployment" | "StatefulSet" | "DaemonSet" | "Job":
                    found[each["metadata"]["name"]] = each["spec"]["template"]
                case "CronJob":
                    found[each["metadata"]["name"]] = each["spec"]["jobTemplate"]["spec"]["template"]
        return found

    def data(self, kind: str, prefix: str) -> dict[str, str]:
        """Return the data of a generated ConfigMap or Secret, whose name ends in a hash."""
        (found,) = [
            each for name, each in self.all(kind).items() if re.fullmatch(rf"{prefix}-[a-z0-9]{{10}}", name)
        ]
        return dict(found["data"])

    def environment(self, workload: str) -> set[str]:
        """Name the variables that a workload's container gets."""
        (container,) = self.pods[workload]["spec"]["containers"]
        names = {each["name"] for each in container.get("env", ())}
        for source in container.get("envFrom", ()):
            for kind, manifests in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
                if kind in source:
                    names |= set(self.all(manifests)[source[kind]["name"]]["data"])
        return names


def kustomize(folder: Path) -> Rendered:
    done = subprocess.run([kubectl(), "kustomize", str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Rendered(tuple(each for each in yaml.safe_load_all(done.stdout) if each))


def in_old_words(folder: Path) -> None:
    """Rewrite each kustomization for kubectl before 1.21, such as Debian 12's, whose Kustomize has other names for the same."""
    for file in folder.rglob("kustomization.yaml"):
        told = yaml.safe_load(file.read_text())
        folders = [each for each in told["resources"] if (file.parent / each).is_dir()]
        told["resources"] = [each for each in told["resources"] if each not in folders]
        told["bases"] = folders
        told["patchesStrategicMerge"] = [each["path"] for each in told.pop("patches", [])]
        for generator in (*told.get("configMapGenerator", ()), *told.get("secretGenerator", ())):
            if "envs" in generator:
                (generator["env"],) = generator.pop("envs")
        file.write_text(yaml.safe_dump({name: value for name, value in told.items() if value}))


def is_old() -> bool:
    words = subprocess.run(
        [kubectl(), "version", "--client"], capture_output=True, text=True, check=False
    ).stdout
    found = re.search(r"v1\.(\d+)", words)
    assert found, words
    return int(found[1]) < 21


def selects(selector: Manifest, labels: dict[str, str]) -> bool:
    """Return whether a pod selector takes a pod."""
    named = all(labels.get(name) == value for name, value in selector.get("matchLabels", {}).items())
    listed = selector.get("matchExpressions", ())
    assert all(each["operator"] == "In" for each in listed)
    return named and all(labels.get(each["key"]) in each["values"] for each in listed)


def ports_of(pod: Manifest) -> dict[str, int]:
    return {
        port["name"]: port["containerPort"]
        for each in pod["spec"]["containers"]
        for port in each.get("ports", ())
    }
