"""What each page shows."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from tests.web.served_app import wire_bytes

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from tests.web.conftest import Cast


class _Links(HTMLParser):
    """Collects the addresses that a page names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {value for name, value in attrs if name in ("href", "src") and value}


def _sorts(link: str) -> bool:
    """Whether a link only sorts a table or turns its pages: there are endless combinations of those."""
    return any(part in link for part in ("?point=", ".sort=", ".page=", "cells=", "matches.state="))


def _links(text: str) -> set[str]:
    parser = _Links()
    parser.feed(text)
    return {link.partition("#")[0] for link in parser.found} - {""}


def test_home_shows_running_tournaments_with_their_progress(client: TestClient, cast: Cast) -> None:
    page = client.get("/").text
    assert f'data-tournament="{cast.running}"' in page
    assert '<progress max="12" value="3"' in page


def test_home_leaves_finished_tournaments_out_of_what_is_on(client: TestClient, cast: Cast) -> None:
    assert f'data-tournament="{cast.finished}"' not in client.get("/").text


def test_home_names_the_best_of_each_game(client: TestClient) -> None:
    page = client.get("/").text
    assert page.count('<ol class="leaders"') == 2


def test_home_shows_the_board_that_is_on_and_matches_with_the_reason(client: TestClient) -> None:
    page = client.get("/").text
    assert 'data-source="/live/now"' in page
    assert page.count('<div class="board board-') == 1
    best = page[page.index('<ol class="best">') :]
    best = best[: best.index("</ol>")]
    assert best.count("<li>") == best.count('<span class="why">') > 1
    assert "A match that a fault ended" not in best


def test_home_tells_results_only_if_asked(client: TestClient) -> None:
    assert 'class="small result"' not in client.get("/").text
    told = client.get("/?results=true").text
    assert re.search(r'class="small result">[a-z_]+ won by \d+<', told)
    assert client.get("/?results=perhaps").status_code == 422


def test_home_takes_little_over_the_wire(client: TestClient) -> None:
    page = client.get("/", headers={"Accept-Encoding": "gzip"})
    linked = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text))
    sizes = {each: wire_bytes(client, each) for each in (*linked, "/", "/live/now")}
    assert sum(sizes.values()) <= 60_000, sizes


def test_home_of_an_empty_arena_leads_on(empty: TestClient) -> None:
    page = empty.get("/").text
    assert "No match to show yet" in page
    assert "No tournament is running." in page
    for address in ("/play", "/puzzle", "/tournaments", "/docs/organising"):
        assert f'href="{address}"' in page


def test_game_page_shows_the_elo_table(client: TestClient) -> None:
    page = client.get("/games/lost_cities").text
    rows = re.findall(r'<th scope="row" class="nowrap">(\w+) ', page)
    assert set(rows) == {"random", "greedy", "cautious", "rusher"}


def test_game_page_marks_provisional_ratings(client: TestClient) -> None:
    assert "provisional</span>" in client.get("/games/lost_cities").text


def test_game_page_without_matches_says_so(empty: TestClient) -> None:
    assert "No rated matches yet" in empty.get("/games/land_unter").text


def test_tournaments_page_lists_the_newest_first(client: TestClient) -> None:
    page = client.get("/tournaments").text
    assert page.index("Autumn Cup") < page.index("Storm Cup") < page.index("Spring Cup")


def test_tournament_page_shows_standings_and_crosstable(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.finished}").text
    assert page.count('class="heat self"') == 3
    assert page.count("<small>/2</small>") == 6


def test_tournament_page_says_who_faulted(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.finished}").text
    assert re.search(r'<span class="tag fault">fault</span>\s+\w+', page)


def test_running_tournament_is_live(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.running}").text
    assert f'data-live="/api/v1/tournaments/{cast.running}/events"' in page


def test_finished_tournament_is_not_live(client: TestClient, cast: Cast) -> None:
    assert "data-live" not in client.get(f"/tournaments/{cast.finished}").text


def test_finished_tournament_shows_its_secret(client: TestClient, cast: Cast) -> None:
    from tests.random_tournaments import SECRET

    assert SECRET.hex() in client.get(f"/tournaments/{cast.finished}").text


def test_match_page_shows_the_position_at_a_point(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.finished}/sets/1/matches/0", params={"point": 2}).text
    assert "<span>turn 2</span>" in page
    assert re.search(r'data-point="2" data-step aria-current="true"', page)


def test_match_page_refuses_a_point_and_a_view_that_are_not_there(client: TestClient, cast: Cast) -> None:
    address = f"/tournaments/{cast.finished}/sets/1/matches/0"
    for parameters, words in (
        ({"point": 99999}, "point 99999: this match has the points 0 to"),
        ({"view": "7"}, "view 7: this match has the views all, 0, 1, public"),
    ):
        answer = client.get(address, params=parameters)
        assert (answer.status_code, words in answer.text) == (404, True)


def test_replay_begins_at_its_first_step(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.tables}/sets/0/matches/0").text
    place = re.search(r"<strong data-where>(\d+)</strong> / (\d+)", page)
    assert place
    assert place[1] == "0"
    assert int(place[2]) > 0


def test_replay_tells_its_result_only_in_a_disclosure_below_the_board(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.tables}/sets/0/matches/0").text
    assert (
        page.index('id="board"')
        < page.index('<details class="panel" id="result">')
        < page.index("Place</th>")
    )


def test_bar_above_the_board_has_the_scores_of_the_step(client: TestClient, cast: Cast) -> None:
    address = f"/tournaments/{cast.talk}/sets/0/matches/0"
    final = re.search(r'data-final="(\d+)"', client.get(address).text)
    assert final
    scores = []
    for point in (0, int(final[1])):
        board = client.get(f"{address}/board", params={"point": point}).text
        bar = board[board.index('class="seats-bar"') : board.index("</ul>")]
        scores.append([int(each) for each in re.findall(r"<strong>(\d+)</strong>", bar)])
    ended = client.get(f"/api/v1{address}").json()
    assert set(scores[0]) == {0}
    assert scores[1] == [seat["score"] for seat in ended["seats"]]


def test_match_page_draws_cards(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.finished}/sets/1/matches/0").text
    assert '<span class="card card-R">' in page


def test_match_page_explains_a_fault(client: TestClient, cast: Cast) -> None:
    pages = [client.get(f"/tournaments/{cast.finished}/sets/{number}/matches/0").text for number in range(3)]
    assert sum("illegal action: index 99 is not one of the 8 actions offered" in page for page in pages) == 1


def test_board_alone_is_a_part_of_the_page(client: TestClient, cast: Cast) -> None:
    board = client.get(f"/tournaments/{cast.tables}/sets/0/matches/0/board", params={"point": 3})
    assert "<html" not in board.text
    assert 'data-point="3"' in board.text


@pytest.mark.parametrize("point", [0, 1, 12, 13])
def test_board_of_land_unter_is_drawn_at_the_ends_of_a_round(
    client: TestClient, cast: Cast, point: int
) -> None:
    address = f"/tournaments/{cast.tables}/sets/0/matches/0/board"
    assert client.get(address, params={"point": point}).status_code == 200


def test_every_board_of_lifeboats_is_drawn(client: TestClient, cast: Cast) -> None:
    address = f"/tournaments/{cast.talk}/sets/0/matches/0"
    points = re.findall(r'data-point="(\d+)" data-step', client.get(address).text)
    boards = [client.get(f"{address}/board", params={"point": point}) for point in points]
    assert {board.status_code for board in boards} == {200}
    shown = "".join(board.text for board in boards)
    for words in (
        "which boat leaks?",
        "which boat moves?",
        "who goes overboard?",
        ">sunk<",
        ">over<",
    ):
        assert words in shown, words


def test_talk_is_shown_as_words_with_its_claims(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.talk}/sets/0/matches/0").text
    assert "<bdi>“¡hola!”</bdi>" in page
    assert re.search(
        r"<bdi>“I say” · (promises|threatens) to vote (white|orange|yellow|red|green|black) at the next", page
    )


def test_match_without_result_says_when_its_steps_are_shown(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.running}/sets/3/matches/0").text
    assert "Hidden cards are revealed when the set ends." in page


def test_every_link_works(client: TestClient) -> None:
    seen: set[str] = set()
    waiting = {"/"}
    while waiting:
        address = waiting.pop()
        seen.add(address)
        answer = client.get(address)
        assert answer.status_code == 200, address
        if "text/html" in answer.headers["content-type"] and not _sorts(address):
            joined = {
                link if link.startswith("/") else address.partition("?")[0] + link
                for link in _links(answer.text)
            }
            waiting |= {link for link in joined if not _sorts(link)} - seen


def test_pages_name_nothing_of_other_servers(client: TestClient, cast: Cast) -> None:
    addresses = ("/", "/tournaments", f"/tournaments/{cast.running}", "/games/lost_cities", "/reference")
    links = set().union(*(_links(client.get(address).text) for address in addresses))
    assert not {link for link in links if not link.startswith(("/", "?"))}


def test_page_says_to_other_sites_what_it_is(empty: TestClient) -> None:
    page = empty.get("/tournaments?page=1").text
    assert '<meta property="og:title" content="Tournaments">' in page
    assert '<meta property="og:url" content="http://testserver/tournaments">' in page
    assert '<meta name="twitter:card" content="summary">' in page


def test_titles_name_the_arena_once(client: TestClient) -> None:
    for address in ("/", "/games", "/tournaments"):
        title = re.findall(r"<title>(.*?)</title>", client.get(address).text, re.DOTALL)[0]
        assert title.count("Bot Arena") == 1, title


def test_page_that_is_not_there_has_a_search_field(client: TestClient) -> None:
    assert 'action="/docs/search"' in client.get("/nowhere", headers={"Accept": "text/html"}).text
