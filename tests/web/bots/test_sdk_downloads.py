"""What authors take home from the dashboard."""

from __future__ import annotations

import hashlib
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


def test_files_are_those_that_the_api_describes(client: TestClient) -> None:
    described = client.get("/api/v1/sdk").json()
    for kind in ("wheel", "protos"):
        file = described[kind]
        answer = client.get(file["path"])
        assert answer.status_code == 200
        assert len(answer.content) == file["bytes"]
        assert hashlib.sha256(answer.content).hexdigest() == file["sha256"]
        assert f'filename="{file["name"]}"' in answer.headers["content-disposition"]
        assert client.get(file["path"], headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_wheel_needs_three_packages_only(client: TestClient) -> None:
    needs = client.get("/api/v1/sdk").json()["needs"]
    assert sorted(each.split(">")[0].split("<")[0] for each in needs) == ["grpcio", "h2", "protobuf"]


def test_protos_are_those_that_a_bot_needs(client: TestClient) -> None:
    answer = client.get(client.get("/api/v1/sdk").json()["protos"]["path"])
    with ZipFile(BytesIO(answer.content)) as archive:
        names = archive.namelist()
    assert "arena/v1/bot.proto" in names
    assert "arena/v1/lost_cities.proto" in names


def test_page_says_how_to_install_it_from_here(client: TestClient) -> None:
    page = client.get("/sdk").text
    wheel = client.get("/api/v1/sdk").json()["wheel"]
    assert f"pip install http://testserver{wheel['path']}" in page
    assert f'href="{wheel["path"]}"' in page


def test_unknown_file_is_not_found_and_says_where_to_look(client: TestClient) -> None:
    answer = client.get("/sdk/../../etc/passwd")
    assert answer.status_code == 404
    assert client.get("/sdk/other.whl").status_code == 404
