"""The index of the docs: which pages there are, in which groups and order; the side menu and the way from page to page."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from markupsafe import Markup

from arena.games.registry import GAMES
from arena.web.docs import markdown_documents
from arena.web.ui.languages import mark

_GROUPS = (
    (
        mark("For everyone"),
        (
            ("start", mark("What Bot Arena is, and how to run your own in a minute.")),
            ("glossary", mark("The project's terms, one meaning each.")),
            ("ratings", mark("How ratings and error bars are computed, and how to reproduce them.")),
            ("record", mark("The format of match records, and how to verify them independently.")),
        ),
    ),
    (
        mark("For authors of bots"),
        (
            (
                "bots",
                mark(
                    "Write a bot in Python or TypeScript, from the first line to the arena; the house bots."
                ),
            ),
            ("go", mark("Write a bot in Go: a project, the whole program, how to build and submit it.")),
            ("adapting", mark("Adapt a bot that was written for another framework, with an example.")),
            ("protocol", mark("The wire protocol, for any other language.")),
            (
                "learning",
                mark("Train a bot: environments for learners, matches in bulk, data sets, a script."),
            ),
        ),
    ),
    (
        mark("For organisers"),
        (
            ("organising", mark("Formats, stop rules, ladders, the life of a tournament, suspensions.")),
            ("commands", mark("Every command and option.")),
            ("api", mark("The JSON API, its error codes, and the Python client.")),
        ),
    ),
    (
        mark("For operators"),
        (
            ("operating", mark("Run an arena on one machine: what it checks by itself, what to watch.")),
            ("settings", mark("Every setting, with its default.")),
            ("people", mark("Accounts and rights, the admin pages, uploads, bots that run elsewhere.")),
            ("store", mark("PostgreSQL, backups, recovery, and what is deleted when.")),
            ("deployment", mark("Several machines, systemd, a proxy, TLS.")),
            ("limits", mark("What clients and bots may use, and how much an arena can play.")),
            ("many-machines", mark("From one machine to many, step by step, up to Kubernetes.")),
            ("monitoring", mark("Metrics, health checks and ports, and what each part's readiness means.")),
            ("runbook", mark("What to do when an alert fires.")),
            ("containers", mark("Container images, compose, and what sandboxes need in a container.")),
            ("logging", mark("What the parts log, in which format, and which fields a line has.")),
            (
                "sandbox",
                mark("Set up the sandbox; what a hosted bot can reach, and which side channels were tested."),
            ),
            (
                "upgrading",
                mark("How to install a new release, on one machine, or on several without downtime."),
            ),
            (
                "versioning",
                mark("What each version number promises, and what an update requires."),
            ),
        ),
    ),
    (
        mark("For developers"),
        (
            ("architecture", mark("The components, how they talk to each other, and why.")),
            ("architecture-referee", mark("Sandboxes, clocks, and where the time of a decision goes.")),
            ("architecture-tournaments", mark("Matches, deals, decisions, uploads, absent bots.")),
            ("architecture-insights", mark("Chances to win, drama and playing styles.")),
            ("architecture-web", mark("Rights, languages, the cache, boards, live pages.")),
            (
                "recipes",
                mark("Add a page, a command, a setting, a metric, an alert; change the wire or the schema."),
            ),
            ("adding-a-game", mark("From an empty folder to a game that is played, rated and drawn.")),
            (
                "testing",
                mark("Hostile bots, the strength of house bots, and a deployment broken on purpose."),
            ),
            ("releasing", mark("From the last commit to a published release.")),
        ),
    ),
)
"""The name of each group of the docs, and its pages with their subjects; before them are the rules of the games."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the docs or the rules of a game."""

    address: str
    title: str
    about: str | Markup
    language: str
    """The language that its title is in."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that belong together."""

    label: str
    pages: tuple[Page, ...]


def groups(language: str) -> tuple[Group, ...]:
    """Return all pages in their order; rules in the reader's language."""
    rules = [(f"/games/{game}/rules", markdown_documents.rules(game, language)) for game in GAMES]
    found = [
        Group(
            mark("Rules of the games"),
            tuple(Page(address, each.title, each.lead, each.language) for address, each in rules),
        )
    ]
    for label, pages in _GROUPS:
        titles = [(name, markdown_documents.document(name).title, about) for name, about in pages]
        found.append(
            Group(label, tuple(Page(f"/docs/{name}", title, about, "en") for name, title, about in titles))
        )
    return tuple(found)


def neighbours(address: str, language: str) -> tuple[Page | None, Page | None]:
    """Return the pages before and after the one at an address."""
    pages = [*chain.from_iterable(group.pages for group in groups(language))]
    at = next((number for number, page in enumerate(pages) if page.address == address), None)
    if at is None:
        return None, None
    return (pages[at - 1] if at else None), (pages[at + 1] if at + 1 < len(pages) else None)
