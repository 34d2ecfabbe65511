"""Dependencies of the routes of live matches."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header

from arena.web.http.app_services import service
from arena.web.http.path_parameters import MatchNumber, SetNumber, TournamentId
from arena.web.live.lobby_hub import LobbyHub
from arena.web.live.match_hub import LiveMatchHub, MatchKey
from arena.web.live.progress_hub import ProgressHub


def _match_key(tournament_id: TournamentId, set_number: SetNumber, match_number: MatchNumber) -> MatchKey:
    return MatchKey(tournament_id, set_number, match_number)


TheLive = Annotated[ProgressHub, Depends(service(ProgressHub))]
TheWatching = Annotated[LiveMatchHub, Depends(service(LiveMatchHub))]
TheLobby = Annotated[LobbyHub, Depends(service(LobbyHub))]
TheMatch = Annotated[MatchKey, Depends(_match_key)]
LastEventId = Annotated[
    str, Header(max_length=40, description="The id of the last event received; later ones are sent.")
]
