"""Pages are answered in the language that a browser asks for, or that its reader has chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest
from fastapi.testclient import TestClient

from arena.accounts.actors import OPERATOR
from arena.bot_registry.version_states import VersionState
from arena.competition import lifecycle, plans, trial_kinds
from arena.competition.matches import incidents
from arena.core.errors import Refusal, UsageError
from arena.games.registry import GAMES, AnyGame
from arena.match.clock import parse_time_control
from arena.match.faults import FaultKind
from arena.reports.decision_log import in_words
from arena.reports.tournament_details import TournamentState
from arena.scheduling.decisions import End
from arena.web.ui import data_words, message_catalogues
from arena.web.ui.languages import LANGUAGES, catalogue
from arena.web.ui.locale_format import Writing
from tests.decided_matches import new_tournament

if TYPE_CHECKING:
    from arena.storage import Store
    from tests.web.conftest import Cast

SPANISH = Writing("es", catalogue("es"))
ENGLISH = Writing("en", catalogue("en"))
OWNERS = [message_catalogues.SITE, *GAMES]


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("es", "es"),
        ("es-MX,es;q=0.9,en;q=0.1", "es"),
        ("en-GB,es;q=0.5", "en"),
        ("fr,es;q=0.5", "es"),
        ("fr", "en"),
        ("*", "en"),
        ("es;q=nonsense", "es"),
        ("", "en"),
    ],
)
def test_browser_is_answered_in_the_first_language_that_we_have(
    client: TestClient, header: str, language: str
) -> None:
    answer = client.get("/", headers={"Accept-Language": header})
    assert f'<html lang="{language}">' in answer.text


def test_switch_goes_before_what_the_browser_asks_for(client: TestClient) -> None:
    answer = client.post(
        "/language", data={"language": "es", "back": "/tournaments?page=1"}, follow_redirects=False
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/tournaments?page=1")
    assert '<html lang="es">' in client.get("/", headers={"Accept-Language": "en"}).text
    client.cookies.clear()


@pytest.mark.parametrize("back", ["//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example"])
def test_switch_sends_nobody_elsewhere(client: TestClient, back: str) -> None:
    answer = client.post("/language", data={"language": "es", "back": back}, follow_redirects=False)
    assert answer.headers["location"] == "/"
    client.cookies.clear()


def test_language_that_we_do_not_have_is_refused(client: TestClient) -> None:
    answer = client.post("/language", data={"language": "tlh"}, follow_redirects=False)
    assert answer.status_code == 422
    assert "we have en, es" in answer.text


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("language", list(LANGUAGES)[1:])
def test_every_message_is_translated(language: str, owner: str) -> None:
    assert message_catalogues.lacking(language, owner) == [], "`make messages`, then translate what is empty"
    assert message_catalogues.unused(language, owner) == [], "`make messages`"


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("language", list(LANGUAGES)[1:])
def test_translations_keep_what_is_filled_in(language: str, owner: str) -> None:
    assert message_catalogues.misfilled(language, owner) == []


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("language", list(LANGUAGES)[1:])
def test_what_several_say_is_translated_alike(language: str, owner: str) -> None:
    assert message_catalogues.overruled(language, owner) == []


def test_words_of_the_data_are_all_marked() -> None:
    assert set(data_words.STATES) == set(get_args(TournamentState))
    assert set(data_words.FAULTS) == {kind.value for kind in FaultKind}
    assert set(data_words.VERSION_STATES) == set(get_args(VersionState))
    assert set(data_words.TRIALS) == set(get_args(trial_kinds.Kind))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_what_the_options_of_a_game_mean_is_marked(game: AnyGame) -> None:
    marked = {each.id for each in message_catalogues.extract(game.id)}
    assert marked >= {
        option.meaning
        for variant, counts in game.variants.items()
        for option in game.options(variant, counts[0])
    }


def test_a_refusal_tells_states_in_the_readers_language_too(cast: Cast) -> None:
    with pytest.raises(Refusal) as refused:
        lifecycle.start(cast.store, cast.finished, OPERATOR)
    assert SPANISH.tell(str(refused.value)) == (
        f"torneo {cast.finished}: está terminado; para `start` tiene que estar creado o abierto"
    )


def test_what_a_form_asks_for_is_told_in_the_readers_language() -> None:
    with pytest.raises(UsageError) as refused:
        parse_time_control("soon")
    assert SPANISH.tell(str(refused.value)).startswith("tiempo 'soon': tiene que ser BASE+INC en segundos")


def test_an_illegal_action_is_told_in_the_readers_language_though_it_is_stored_in_english() -> None:
    stored = "decision 3, action 9: must be 0 to 1, the index of one of play 17, play 18"
    words = incidents.in_words(stored) or ""
    assert words == stored
    assert SPANISH.tell(words) == (
        "decisión 3, acción 9: tiene que ser de 0 a 1, el índice de una de estas: play 17, play 18"
    )


def test_numbers_are_written_as_the_language_does() -> None:
    assert (ENGLISH.percent(0.5184), SPANISH.percent(0.5184)) == ("51.8 %", "51,8 %")
    assert (ENGLISH.decimal(-1.5, 2), SPANISH.decimal(-1.5, 2)) == ("−1.50", "−1,50")
    assert (ENGLISH.score(12.5), SPANISH.score(12.5)) == ("12½", "12½")
    assert (ENGLISH.milliseconds(1500), SPANISH.milliseconds(1500)) == ("1.5 s", "1,5 s")
    assert (ENGLISH.plural(1, "match", "matches"), SPANISH.plural(1200, "match", "matches")) == (
        "1 match",
        "1\u202f200 partidas",
    )


def test_times_are_written_as_the_language_does() -> None:
    assert ">1 Jan 2026, 00:00<" in ENGLISH.when(1767225600)
    assert ">1 ene 2026, 00:00<" in SPANISH.when(1767225600)


def test_decisions_are_told_in_the_reader_s_language_though_they_are_stored_in_english(store: Store) -> None:
    number = new_tournament(store).id
    with store.read() as session:
        stored = plans.load(store, session, number)
    words = in_words(End("after 40 sets elo1 = 20 is accepted (LLR 2.96)"), 0, 0, stored)
    assert words == "finished: after 40 sets elo1 = 20 is accepted (LLR 2.96)"
    assert SPANISH.tell(words) == "terminado: después de 40 series se acepta elo1 = 20 (LLR 2.96)"
    assert SPANISH.tell(in_words(End("as I like", cancelled=True), 0, 0, stored)) == "cancelado: as I like"


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (
            "decision 4 asks for talk: answer it with Say, not Answer",
            "la decisión 4 pide hablar: contesta con Say, no con Answer",
        ),
        (
            "decision 4: it is past, each decision is answered once; the one that is open is 6",
            "decisión 4: ya pasó, cada decisión se contesta una sola vez; la que está abierta es la 6",
        ),
        (
            "decision 4: it was not asked; none is open",
            "decisión 4: no se había preguntado; no hay ninguna abierta",
        ),
        (
            "decision 4, text of 300 bytes: at most 200 bytes of UTF-8 are allowed",
            "decisión 4, texto de 300 bytes: se permiten como mucho 200 bytes de UTF-8",
        ),
        (
            "Hello.name of 300 bytes: at most 64 are allowed",
            "Hello.name de 300 bytes: se permiten como mucho 64",
        ),
        (
            "a frame of 70000 bytes: at most 65536 are allowed",
            "una trama de 70000 bytes: se permiten como mucho 65536",
        ),
        ("Hello.protocol 9: this referee speaks 1", "Hello.protocol 9: este árbitro habla 1"),
    ],
)
def test_a_breach_of_the_protocol_is_told_in_the_readers_language(stored: str, shown: str) -> None:
    assert SPANISH.tell(incidents.in_words(stored) or "") == shown
