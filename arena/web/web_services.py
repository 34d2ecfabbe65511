"""The services of the web application, one of each class."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Self

from redis import Redis
from redis.asyncio import Redis as AsyncRedis

from arena.competition.qualification.submissions import Rules
from arena.messaging.redis_connection import connect_beside
from arena.operations.readiness import Readiness
from arena.operations.write_probe import Probe
from arena.reports import live_matches
from arena.storage import Store
from arena.web.auth.api_auth import Access
from arena.web.auth.password_pool import PasswordPool
from arena.web.http import sse
from arena.web.http.app_services import WallClock
from arena.web.http.bulk_downloads import Downloads
from arena.web.http.rate_limits import Rates
from arena.web.http.reverse_proxies import TrustedProxies
from arena.web.http.web_limits import Limits
from arena.web.live import tournament_progress
from arena.web.live.lobby_hub import LobbyHub
from arena.web.live.match_hub import LiveMatchHub
from arena.web.live.progress_hub import ProgressHub
from arena.web.monitoring.web_metrics import WebMetrics
from arena.web.play.human_games import HumanGames, PlayTerms
from arena.web.previews.rasterizer import Rasterizer
from arena.web.uploads.upload_places import Uploads


@dataclass(frozen=True)
class WebServices:
    """The services that the routes of one application share; `arena.web.http.app_services` finds each by its class."""

    store: Store
    redis: AsyncRedis
    queue: Redis
    access: Access
    rules: Rules
    rates: Rates
    proxies: TrustedProxies
    passwords: PasswordPool
    uploads: Uploads
    downloads: Downloads
    progress: ProgressHub
    live_matches: LiveMatchHub
    lobby: LobbyHub
    human_games: HumanGames
    rasterizer: Rasterizer
    metrics: WebMetrics
    probe: Probe
    readiness: Readiness
    clock: WallClock

    @classmethod
    def on(
        cls,
        store: Store,
        redis: AsyncRedis,
        access: Access,
        rules: Rules,
        playing: PlayTerms,
        limits: Limits,
        metrics: WebMetrics,
        clock: WallClock,
    ) -> Self:
        """Make the services of an application on a store and a Redis."""
        queue, probe, proxies = connect_beside(redis), Probe(store), TrustedProxies()
        live = LiveMatchHub(redis, partial(live_matches.find, store))
        return cls(
            store=store,
            redis=redis,
            queue=queue,
            access=access,
            rules=rules,
            rates=Rates(redis),
            proxies=proxies,
            passwords=PasswordPool(),
            uploads=Uploads(limits),
            downloads=Downloads(limits, proxies),
            progress=ProgressHub(redis, partial(tournament_progress.load, store)),
            live_matches=live,
            lobby=LobbyHub(redis, live, partial(live_matches.describe, store)),
            human_games=HumanGames(playing),
            rasterizer=Rasterizer(),
            metrics=metrics,
            probe=probe,
            readiness=Readiness(probe, queue),
            clock=clock,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run what the services do in the background for as long as the block lasts."""
        measuring = asyncio.create_task(self.metrics.lag.run())
        async with (
            self.progress.running(),
            self.live_matches.running(),
            self.lobby.running(),
            self.human_games.running(),
            self.proxies.refreshing(),
            sse.keep_alives(),
        ):
            yield
        measuring.cancel()
        self.queue.close()
