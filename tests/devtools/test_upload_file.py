"""What a project's folder comes to when it is sent: its author's files, and no one else's."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.core.errors import UsageError
from arena.devtools import upload_file
from arena.devtools.project import read_project
from tests.bundle_format.uploads import BOT, TOML


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text(TOML)
    (folder / "mine.py").write_text(BOT)
    return folder


def sent(folder: Path) -> dict[str, bytes]:
    data, _ = upload_file.read(folder)
    with ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(file: Path, text: str = "") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def make_environment(folder: Path) -> None:
    write(folder / "pyvenv.cfg", "home = /usr/bin\n")
    write(folder / "lib/python3.11/site-packages/six.py")
    (folder / "bin").mkdir()
    (folder / "bin/python").symlink_to("/usr/bin/python3")
    (folder / "lib64").symlink_to("lib")


def test_environments_packages_and_marks_of_systems_are_left_out(project: Path) -> None:
    before = read_project(project).version
    for name in ("venv", ".venv", "my environment"):
        make_environment(project / name)
    for name in (
        "node_modules/x/index.js",
        "__pycache__/a.pyc",
        ".git/HEAD",
        ".DS_Store",
        "._mine.py",
        "Thumbs.db",
    ):
        write(project / name)
    assert sent(project).keys() == {"bot.toml", "mine.py"}
    assert read_project(project).version == before


def test_a_link_to_a_file_of_the_project_is_sent_as_that_file(project: Path) -> None:
    write(project / "data/table.txt", "1 2 3")
    (project / "table.txt").symlink_to("data/table.txt")
    assert sent(project)["table.txt"] == b"1 2 3"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        (
            "../elsewhere.txt",
            "leads out of the project, to {folder}/elsewhere.txt; put the file itself there",
        ),
        ("nothing.txt", "leads nowhere; remove it"),
        ("data", "leads to a folder; put the folder itself there"),
    ],
)
def test_other_links_are_refused_with_what_to_do(project: Path, target: str, says: str) -> None:
    write(project / "data/x.txt")
    write(project.parent / "elsewhere.txt")
    (project / "link").symlink_to(target)
    with pytest.raises(UsageError) as refused:
        upload_file.read(project)
    assert f"{project}/link: is a symbolic link that {says.format(folder=project.parent)}" in str(
        refused.value
    )


def test_a_project_that_is_an_environment_itself_is_told_to_move_it(project: Path) -> None:
    make_environment(project)
    with pytest.raises(UsageError, match=r"make that in a folder \.venv"):
        upload_file.read(project)
    assert os.path.lexists(project / "bin/python")
