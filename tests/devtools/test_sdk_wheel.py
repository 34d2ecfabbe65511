"""The SDK's wheel: it installs where there is nothing but grpcio, h2 and protobuf, and plays."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.devtools import sdk_wheel
from tests.cli.match.test_match_command import FIRST, played

UV = Path(__file__).parents[2] / ".tools" / "bin" / "uv"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment with the SDK's wheel and what it needs, no more; gives its Python.

    What the wheel needs is copied from here, so that no network is needed; the installer checks that it suffices.
    """
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    there = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    for name in (
        "grpcio",
        "typing_extensions",
        "h2",
        "hpack",
        "hyperframe",
        "protobuf",
    ):  # with what they need
        for file in distribution(name).files or ():
            target = Path(there.stdout.strip(), file)
            if ".." not in file.parts:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), target)
    (folder / sdk_wheel.wheel().name).write_bytes(sdk_wheel.wheel().data)
    install: list[str | Path] = [
        UV,
        "pip",
        "install",
        "--offline",
        "--no-index",
        "--python",
        python,
        folder / sdk_wheel.wheel().name,
    ]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    subprocess.run([UV, "pip", "check", "--python", python], check=True)
    return python


def test_it_plays_with_nothing_but_what_it_asks_for(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    arguments: list[str | Path] = [fresh, "-I", "first.py", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(arguments, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as bot:
        try:
            assert bot.stdout is not None
            address = bot.stdout.readline().split()[-1]
            document = played("lost_cities", address, "random", "--option", "hands=1", cwd=tmp_path)
        finally:
            bot.kill()
    assert [each["faults"] for each in document["bots"]] == [0, 0]


def test_practice_at_home_comes_with_it(fresh: Path, tmp_path: Path) -> None:
    bot = FIRST.split("if __name__")[0]
    program = f"{bot}\nfrom arena.sdk import practise\nprint(practise('land_unter', [First(), First(), First()]).end)"
    done = subprocess.run(
        [fresh, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "completed\n", done.stderr


def test_every_module_of_it_can_be_imported_there(fresh: Path, tmp_path: Path) -> None:
    with ZipFile(BytesIO(sdk_wheel.wheel().data)) as archive:
        files = [name for name in archive.namelist() if name.endswith(".py")]
    modules = [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in files]
    program = f"from importlib import import_module\nfor name in {modules!r}: import_module(name)"
    done = subprocess.run(
        [fresh, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "arena.sdk.program" in modules
    assert not [name for name in modules if "store" in name or "control" in name]


def test_same_files_give_the_same_wheel() -> None:
    first = sdk_wheel.wheel()
    sdk_wheel.wheel.cache_clear()
    assert sdk_wheel.wheel() == first


def test_it_asks_for_the_versions_that_the_arena_asks_for() -> None:
    assert [each.split("<")[0].split(">")[0] for each in sorted(sdk_wheel.needs())] == [
        "grpcio",
        "h2",
        "protobuf",
    ]


def test_protos_compile_by_themselves(tmp_path: Path) -> None:
    with ZipFile(BytesIO(sdk_wheel.protos().data)) as archive:
        archive.extractall(tmp_path)
    names = sorted(path.name for path in (tmp_path / "arena" / "v1").iterdir())
    assert "bot.proto" in names
    assert "control.proto" not in names
    arguments = [
        f"--proto_path={tmp_path}",
        f"--python_out={tmp_path}",
        *(f"arena/v1/{name}" for name in names),
    ]
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *arguments], check=True)
