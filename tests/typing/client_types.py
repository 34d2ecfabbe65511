"""Types of the client as its users see them; mypy and pyright read this, nothing runs it."""

from __future__ import annotations

from typing import assert_type

from arena.client import AsyncRemoteArena, Event, RemoteArena
from arena.client.types import (
    DecisionAudit,
    Entered,
    ListedMatch,
    ListedTournament,
    TournamentCreate,
    TournamentPage,
    VersionRow,
)


def answers_have_the_classes_of_the_reports(arena: RemoteArena) -> None:
    assert_type(arena.tournaments.show(7), TournamentPage)
    assert_type(arena.tournaments.enter_bot(7, bot="greedy"), Entered)
    assert_type(arena.tournaments.check_decisions(7), DecisionAudit | None)
    assert_type(arena.bots.submit(b"", filename="mine.py"), tuple[VersionRow, ...])
    assert_type(arena.tournaments.export(7, format="csv"), bytes)
    assert_type(arena.tournaments.show(7).standings[0].rank, int)


def lists_yield_their_items(arena: RemoteArena) -> None:
    for tournament in arena.tournaments.list():
        assert_type(tournament, ListedTournament)
    for match in arena.bots.list_matches("lost_cities", "greedy", limit=200):
        assert_type(match, ListedMatch)
    assert_type(arena.matches.list_recent().first.next, str | None)
    for event in arena.tournaments.follow(7):
        assert_type(event, Event)


async def the_client_for_asyncio_has_the_same_types(arena: AsyncRemoteArena) -> None:
    assert_type(await arena.tournaments.show(7), TournamentPage)
    async for tournament in arena.tournaments.list():
        assert_type(tournament, ListedTournament)
    async for event in arena.tournaments.follow(7):
        assert_type(event, Event)


def bodies_have_optional_fields(arena: RemoteArena) -> None:
    assert_type(
        arena.tournaments.create(TournamentCreate(game="lost_cities", format="swiss", rounds=3)),
        TournamentPage,
    )


def mistakes_are_errors(arena: RemoteArena) -> None:
    arena.tournaments.show("seven")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    arena.tournaments.enter_bot(7, "greedy")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    arena.tournaments.export(7, format="xml")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    arena.tournament  # type: ignore[attr-defined]  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue]
