"""`python -m bench.soak.visitors PLAN`: all users of the arena while it is soaked, on a machine of their own.

    readers     open pages, one after the other, at either web
    followers   follow a tournament's events
    authors     submit version after version of a bot, every third of them broken, and wait for the verdict
    players     play against house bots, to the end or until they resign
    a guest     a bot that dials in, plays for a while, and is killed

Each writes down what it has met; the tally is a JSON file, replaced every few seconds.  A web that was killed refuses connections
or answers 503: then the visitor goes to the other one, and what is counted as a failure is that both refuse.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import httpx

from arena.client import ArenaUnreachable, Refused, RemoteArena
from arena.client.types import Answer, GameCreate
from arena.core.errors import ArenaError

_READERS = 3
_FOLLOWERS = 4
_PLAYERS = 2
_PAGE_EVERY_S = 0.4
_SUBMIT_EVERY_S = 60.0
"""Thirty times what a day allows by default; each version stays in its pool, whose Elo tables take memory by its square."""
_TALLY_EVERY_S = 5.0
_BOTH_AWAY_S = 2.0
"""Seconds for which both webs refuse before the arena counts as unreadable."""
_PAGES = (
    "/",
    "/games",
    "/games/lost_cities",
    "/games/land_unter",
    "/tournaments",
    "/live",
    "/submit",
    "/docs",
    "/api/v1/tournaments",
    "/api/v1/pools",
    "/health",
)
_OPPONENTS = {"lost_cities": ["greedy"], "land_unter": ["greedy", "random"]}

BOT = """
from arena.sdk import Bot, run

class {name}(Bot):
    name = "{bot}"
    version = "{version}"
    matches_at_once = 16

    def choose(self, decision):
        {choose}

run({name}())
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the arena is, and who visits it."""

    webs: list[str]
    referee: str
    ca: str
    authors: dict[str, str]
    """Name → API token."""
    guest: str
    """The token of the bot that dials in."""
    seed: int
    tally: str


@dataclass
class Tally:
    """Experiences of the visitors."""

    counts: Counter[str] = field(default_factory=Counter)
    verdict_s: list[float] = field(default_factory=list)
    """From each upload to its verdict."""
    both_away_s: float = 0.0
    """The longest time for which neither web served a page."""
    wrong: list[str] = field(default_factory=list)
    """Errors, the first hundred."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str) -> None:
        """Count something once more."""
        with self.lock:
            self.counts[what] += 1

    def complain(self, text: str) -> None:
        """Note what should not have happened."""
        with self.lock:
            self.counts["complaints"] += 1
            if len(self.wrong) < 100:
                self.wrong.append(f"{time.strftime('%H:%M:%S')} {text}")

    def write(self, file: Path) -> None:
        """Replace the tally's file."""
        with self.lock:
            told = {
                "counts": dict(self.counts),
                "verdict_s": self.verdict_s,
                "both_away_s": self.both_away_s,
                "wrong": self.wrong,
            }
        beside = file.with_suffix(".new")
        beside.write_text(json.dumps(told))
        beside.replace(file)


class Visitors:
    """All of them, each in a thread of its own."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.tally = Tally()
        self.closing = threading.Event()

    def run(self) -> None:
        """Visit until asked to stop."""
        roles: list[tuple[Callable[[random.Random], None], int]] = [
            (self._read, _READERS),
            (self._follow, _FOLLOWERS),
            (self._play, _PLAYERS),
            (self._be_the_guest, 1),
        ]
        threads = [
            threading.Thread(target=self._again, args=(role, f"{role.__name__} {number}"))
            for role, count in roles
            for number in range(count)
        ]
        threads += [
            threading.Thread(target=self._again, args=(self._author(name, token), f"author {name}"))
            for name, token in self._plan.authors.items()
        ]
        for thread in threads:
            thread.start()
        while not self.closing.wait(_TALLY_EVERY_S):
            self.tally.write(Path(self._plan.tally))
        for thread in threads:
            thread.join()
        self.tally.write(Path(self._plan.tally))

    def _again(self, role: Callable[[random.Random], None], name: str) -> None:
        """Play a role again and again: what breaks it in the middle is that its web was killed, or a refusal."""
        draw = random.Random(f"{self._plan.seed} {name}")
        while not self.closing.is_set():
            try:
                role(draw)
            except (ArenaUnreachable, httpx.HTTPError):
                self.tally.count("connections lost")
                self.closing.wait(0.5)
            except Refused as refusal:
                self.tally.count(f"refused: {refusal.code}")
                if refusal.status >= 500 and refusal.status != 503:
                    self.tally.complain(f"{name}: {refusal.status} {refusal}")
                self.closing.wait(min(refusal.retry_s or 1, 10))
            except ArenaError as error:
                self.tally.complain(f"{name}: {error}")
                self.closing.wait(1.0)

    # --- readers and followers --------------------------------------------------------------------------------

    def _read(self, draw: random.Random) -> None:
        """Open a page at either web; the other one, if that is away."""
        path = self._some_page(draw)
        webs = draw.sample(self._plan.webs, len(self._plan.webs))
        began = time.monotonic()
        while not self.closing.is_set():
            for web in webs:
                status = self._open(web + path)
                if status in {0, 503}:
                    continue
                if status >= 500:
                    self.tally.complain(f"{path}: {status}")
                self.tally.count("pages")
                away_s = time.monotonic() - began
                with self.tally.lock:
                    self.tally.both_away_s = max(self.tally.both_away_s, away_s)
                self.closing.wait(_PAGE_EVERY_S)
                return
            self.tally.count("both webs away")
            self.closing.wait(0.1)

    def _open(self, url: str) -> int:
        try:
            return httpx.get(url, timeout=60, follow_redirects=True).status_code
        except httpx.HTTPError:
            return 0

    def _some_page(self, draw: random.Random) -> str:
        if draw.random() < 0.5:
            return draw.choice(_PAGES)
        with suppress(ArenaError, httpx.HTTPError, IndexError), self._client(draw) as client:
            number = draw.choice(client.tournaments.list(limit=20).first.items).id
            matches = client.tournaments.list_matches(number, limit=2).first.items
            ends = ["", *(f"/sets/{match.set}/matches/{match.match}" for match in matches)]
            return f"/tournaments/{number}{draw.choice(ends)}"
        return "/"

    def _follow(self, draw: random.Random) -> None:
        with self._client(draw) as client:
            newest = client.tournaments.list(limit=20).first.items
            rows = [row for row in newest if row.state == "running"]
            if not rows:
                self.closing.wait(1.0)
                return
            until = time.monotonic() + draw.uniform(5, 60)
            for _ in client.tournaments.follow(draw.choice(rows).id):
                self.tally.count("events")
                if self.closing.is_set() or time.monotonic() > until:
                    return

    # --- authors ----------------------------------------------------------------------------------------------

    def _author(self, name: str, token: str) -> Callable[[random.Random], None]:
        versions = iter(range(1, 1_000_000))

        def submit(draw: random.Random) -> None:
            version = next(versions)
            breaks = version % 3 == 0
            choose = (
                "raise RuntimeError('no plan')" if breaks else "return decision.random.choice(decision.legal)"
            )
            source = BOT.format(name="Mine", bot=name, version=version, choose=choose)
            with self._client(draw, token) as client:
                client.bots.submit(source.encode(), filename=f"{name}.py", game="land_unter", name=name)
                self.tally.count("uploads")
            self._await_verdict(draw, name, token, breaks=breaks)
            self.closing.wait(draw.uniform(0.5, 1.5) * _SUBMIT_EVERY_S)

        return submit

    def _await_verdict(self, draw: random.Random, name: str, token: str, *, breaks: bool) -> None:
        began = time.monotonic()
        while not self.closing.wait(0.5):
            with suppress(ArenaUnreachable, httpx.HTTPError, Refused), self._client(draw, token) as client:
                state = client.bots.list_versions("land_unter", name).first.items[0].state
                if state == "waiting":
                    continue
                with self.tally.lock:
                    self.tally.verdict_s.append(round(time.monotonic() - began, 2))
                self.tally.count(f"verdicts: {state}")
                if breaks == (state == "active"):
                    self.tally.complain(f"version of {name}, {'broken' if breaks else 'good'}: {state}")
                return

    # --- players and the guest --------------------------------------------------------------------------------

    def _play(self, draw: random.Random) -> None:
        """Play at one web, whose table it is; the table is gone if that web is killed."""
        game = draw.choice(sorted(_OPPONENTS))
        patience = draw.choice((3, 40, 10_000))
        with self._client(draw) as client:
            opened = client.play.open_game(GameCreate(game=game, opponents=[*_OPPONENTS[game]]))
            play_id, player = opened.id, opened.player
            self.tally.count("tables")
            for _ in range(patience):
                shown = client.play.show_own_game(play_id, player=player)
                if shown.phase in {"over", "broken"} or self.closing.is_set():
                    self.tally.count(f"matches of people: {shown.phase}")
                    break
                asked = shown.asked
                if asked is None:
                    self.closing.wait(0.05)
                    continue
                with suppress(Refused):  # its time is up, or the bots were quicker
                    answer = Answer(decision=asked.decision, action=draw.choice(asked.legal))
                    client.play.answer_decision(play_id, answer, player=player)
            client.play.leave_game(play_id, player=player)

    def _be_the_guest(self, draw: random.Random) -> None:
        source = BOT.format(
            name="Guest", bot="guest", version="1", choose="return decision.random.choice(decision.legal)"
        )
        environment = {
            "PATH": os.environ["PATH"],
            "ARENA_REFEREE": self._plan.referee,
            "ARENA_TOKEN": self._plan.guest,
            "ARENA_CA": self._plan.ca,
        }
        bot = subprocess.Popen([sys.executable, "-c", source], env=environment)
        self.tally.count("visits of the guest")
        self.closing.wait(draw.uniform(20, 120))
        bot.send_signal(draw.choice((signal.SIGTERM, signal.SIGKILL)))
        bot.wait()
        self.closing.wait(draw.uniform(1, 30))

    def _client(self, draw: random.Random, token: str | None = None) -> RemoteArena:
        return RemoteArena(draw.choice(self._plan.webs), token)


def main() -> None:
    """Visit until SIGTERM."""
    visitors = Visitors(Plan(**json.loads(Path(sys.argv[1]).read_text())))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: visitors.closing.set())
    visitors.run()


def write_plan(plan: Plan, file: Path) -> None:
    """Write a plan for the program, for its user's eyes only: it has tokens in it."""
    file.touch(mode=0o600)
    file.write_text(json.dumps(asdict(plan)))


if __name__ == "__main__":
    main()
