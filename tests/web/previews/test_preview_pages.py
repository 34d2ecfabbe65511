"""Preview cards: a picture for each match, tournament and bot, which shows nothing that is not public."""

from __future__ import annotations

import random
import re
import struct
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
import redis
from fastapi.testclient import TestClient

from arena.games import registry
from arena.reports import match_views
from arena.web.http.rate_limits import PREVIEWS, _key
from arena.web.previews.fitting import fit
from arena.web.previews.letters import fonts_for, letters_of
from arena.web.previews.preview_pages import HEIGHT, WIDTH, draw_match, draw_position
from arena.web.previews.rasterizer import to_png
from tests.games.test_leaks import TWINS

if TYPE_CHECKING:
    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

MOST_BYTES = 300_000
ANY_NAME = 'žluťoučký שלום 漢字 <&"> \x00\x1b\ufffe\n' + "W" * 150


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


@pytest.mark.parametrize(
    "address",
    [
        "/preview/matches/{finished}/1/0.png",
        "/preview/matches/{running}/2/0.png",
        "/preview/tournaments/{tables}.png",
        "/preview/bots/lost_cities/greedy.png",
    ],
)
def test_card_is_a_png_that_is_made_once(client: TestClient, cast: Cast, address: str) -> None:
    address = address.format(**vars(cast))
    answer = client.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert size(answer.content) == (WIDTH, HEIGHT)
    assert len(answer.content) <= MOST_BYTES
    assert client.get(address, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


@pytest.mark.parametrize(
    ("page", "picture"),
    [
        ("/tournaments/{finished}/sets/1/matches/0", "/preview/matches/{finished}/1/0.png"),
        ("/tournaments/{running}/sets/2/matches/0", "/preview/matches/{running}/2/0.png"),
        ("/tournaments/{tables}", "/preview/tournaments/{tables}.png"),
        ("/bots/lost_cities/greedy", "/preview/bots/lost_cities/greedy.png"),
    ],
)
def test_page_names_its_card(client: TestClient, cast: Cast, page: str, picture: str) -> None:
    text = unescape(client.get(page.format(**vars(cast))).text)
    tags = dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[a-z_:]+)" content="([^"]*)">', text))
    assert tags["og:image"] == f"http://testserver{picture.format(**vars(cast))}"
    assert (tags["og:image:width"], tags["og:image:height"]) == (str(WIDTH), str(HEIGHT))
    assert tags["twitter:card"] == "summary_large_image"
    assert tags["og:title"].startswith(tags["og:image:alt"].rpartition(": ")[2])


def test_page_says_that_the_card_of_an_open_match_shows_how_it_ended(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.finished}/sets/1/matches/0").text
    assert re.search(r'og:image:alt" content="Final position and result: ', page)
    assert re.search(r'og:description" content="[^"]*the replay opens at the first step', page)


@pytest.mark.parametrize("number", [0, 1])
def test_page_and_card_of_a_match_that_is_not_open_tell_nothing_of_its_end(
    client: TestClient, cast: Cast, number: int
) -> None:
    hidden = match_views.page(cast.store, cast.running, 1, number)
    assert hidden.state in {"hidden", "open"}
    page = client.get(f"/tournaments/{cast.running}/sets/1/matches/{number}").text
    assert not re.search(r'<meta [^>]*content="[^"]*(Final position|result)', page)
    unplayed = replace(
        hidden,
        state="open",
        end=None,
        seats=tuple([replace(each, place=None, score=None) for each in hidden.seats]),
    )
    picture = client.get(f"/preview/matches/{cast.running}/1/{number}.png").content
    assert picture == to_png(draw_match(unplayed, None, "en"))


def test_no_letter_of_a_card_is_drawn_as_a_box() -> None:
    assert fit("漢字 かな 한국어 🎲 ไ", 900, 30, 20).text == "漢字 かな 한국어"
    assert len(fonts_for("žluťoučký שלום")) < len(fonts_for("漢字"))
    known = set().union(*[letters_of(font) for font in fonts_for("漢字")])
    assert set(map(ord, fit(ANY_NAME, 9000, 30, 20).text)) <= known


def test_page_without_a_card_names_none(client: TestClient) -> None:
    page = client.get("/docs").text
    assert "og:image" not in page
    assert '<meta name="twitter:card" content="summary">' in page


@pytest.mark.parametrize("address", ["matches/9999/0/0", "tournaments/9999", "bots/lost_cities/nobody"])
def test_card_of_what_does_not_exist_is_not_found(client: TestClient, address: str) -> None:
    assert client.get(f"/preview/{address}.png").status_code == 404


def test_card_of_a_match_that_is_not_open_does_not_depend_on_its_result_or_deal(cast: Cast) -> None:
    hidden = match_views.page(cast.store, cast.running, 1, 0)
    assert hidden.state == "hidden"
    seats = tuple([replace(each, place=2, score=-60) for each in reversed(hidden.seats)])
    other = replace(hidden, seats=seats[::-1], commitment="00" * 32, end="fault", state="open")
    assert draw_match(hidden, None, "en") == draw_match(other, None, "en")


@pytest.mark.parametrize("game", [each for each in TWINS if each in registry.GAMES])
def test_position_is_drawn_without_what_a_seat_could_not_see(game: str) -> None:
    for length in (0.2, 0.9):
        true, twin = TWINS[game](random.Random(7), 0, length)
        names = [f"bot-{seat}" for seat in range(true.seats)]
        drawn = draw_position(game, true.state, names, "en")
        assert drawn is not None
        assert drawn == draw_position(game, twin.state, names, "en")


@pytest.mark.parametrize("game", [each for each in TWINS if each in registry.GAMES])
def test_positions_of_a_match_are_drawn_as_well_formed_drawings_that_differ(game: str) -> None:
    drawn = []
    for length in (0.0, 0.9):
        twin, _ = TWINS[game](random.Random(3), 0, length)
        board = draw_position(game, twin.state, [ANY_NAME] * twin.seats, "es")
        ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{board}</svg>')  # noqa: S314 - ours
        drawn.append(board)
    assert drawn[0] != drawn[1]


def test_name_of_any_script_is_written_on_one_line_in_its_room(cast: Cast) -> None:
    match = match_views.page(cast.store, cast.finished, 1, 0)
    seats = tuple([replace(each, name=ANY_NAME) for each in match.seats])
    svg = draw_match(replace(match, tournament=ANY_NAME, seats=seats), None, "en")
    assert size(to_png(svg)) == (WIDTH, HEIGHT)
    fitted = fit(ANY_NAME, 300, 30, 20)
    assert fitted.text.startswith("žluťoučký שלום 漢")
    assert len(fitted.text) < 40
    assert fitted.text.isprintable()


def test_client_that_asks_for_too_many_new_cards_is_told_to_wait(
    client: TestClient, cast: Cast, redis_server: RunningRedis
) -> None:
    counted = redis.Redis.from_url(redis_server.url)
    counted.set(_key(PREVIEWS, "testclient"), PREVIEWS.most, ex=PREVIEWS.window_s)
    try:
        answer = client.get(f"/preview/matches/{cast.tables}/1/1.png")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1
    finally:
        counted.delete(_key(PREVIEWS, "testclient"))
    assert client.get(f"/preview/matches/{cast.tables}/1/1.png").status_code == 200
