"""The card over the last position of a replay: who won, what decided it, and the way on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arena.match.record import from_json
from arena.web.matches.result_card import result_card
from tests.web.boards.test_action_words import RECORDS

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from tests.web.conftest import Cast

RECORD = from_json(RECORDS["lost_cities.json"].read_text())


def _match(cast: Cast) -> str:
    return f"/tournaments/{cast.finished}/sets/1/matches/0"


def _card(page: str) -> str:
    begins = page.index('"result-card"')
    return page[begins : page.index("</details>", begins)]


def _end(client: TestClient, address: str, language: str = "en") -> str:
    final = re.search(r'data-final="(\d+)"', client.get(address).text)
    assert final
    return client.get(f"{address}?point={final[1]}", headers={"Accept-Language": language}).text


def test_lead_that_changed_last_decides() -> None:
    card = result_card(RECORD, [(0, 0), (5, 0), (5, 9), (20, 9)])
    winner = RECORD.result.places.index(1)
    assert card.winners == (winner,)
    assert (card.decided_at, card.for_good) == (3, True)


def test_winner_who_was_never_behind_decided_by_the_largest_swing() -> None:
    card = result_card(RECORD, [(0, 0), (5, 0), (25, 0), (26, 0)])
    assert (card.decided_at, card.for_good) == (2, False)


def test_best_comes_first() -> None:
    places = [each.place for each in result_card(RECORD, []).finishes]
    assert places == sorted(places)


def test_last_position_has_the_result_and_the_way_on(client: TestClient, cast: Cast) -> None:
    card = _card(_end(client, _match(cast)))
    assert re.search(r"\w wins", card)
    assert "Share" in card


def test_first_position_does_not_give_the_result_away(client: TestClient, cast: Cast) -> None:
    assert "result-card" not in client.get(_match(cast)).text


def test_result_is_told_in_spanish(client: TestClient, cast: Cast) -> None:
    assert "Compartir" in _card(_end(client, _match(cast), "es"))


def test_embedded_board_names_the_winner_without_links_that_open_in_the_frame(
    client: TestClient, cast: Cast
) -> None:
    address = f"/embed/matches/{cast.finished}/1/0"
    final = re.search(r"</strong> / (\d+)", client.get(address).text)
    assert final
    card = _card(client.get(f"{address}?point={final[1]}").text)
    assert "wins" in card
    assert "href" not in card
