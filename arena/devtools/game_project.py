"""New games: a project made of a game that there is, under another name, to be made into the new game from there.

arena-game-tichu/
pyproject.toml              the entry point by which an arena finds it
arena_game_tichu/           all that belongs to the game (arena/games/package.py)
tichu.proto, tichu_pb2.py
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

from arena.core.errors import UsageError
from arena.core.shipped_files import ROOT
from arena.devtools.golden_matches import write_golden
from arena.devtools.view_messages import write_messages, write_module
from arena.games import registry
from arena.games.package import GamePackage

_ID = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_OURS = "arena.games."
_TEXTS = frozenset({".css", ".html", ".json", ".md", ".po", ".proto", ".pyi", ".svg"})
_LEFT_OUT = frozenset({"__pycache__", "codec.py", "golden"})

SKELETON = ROOT / "tests" / "games" / "sixth"
"""The project of a game of a few lines that has all that a game has."""

_CLASS = "\0"
"""Stands for the name of the class while a module is renamed."""

_PROJECT = """\
[build-system]
requires = ["hatchling>=1.27,<2"]
build-backend = "hatchling.build"

[project]
name = "{distribution}"
version = "0.1.0"
description = "{title} for Bot Arena."
requires-python = ">=3.11"
dependencies = ["bot-arena"]

[project.entry-points."{group}"]
{id} = "{module}:PACKAGE"

[tool.hatch.build]
dev-mode-dirs = ["."]

[tool.hatch.build.targets.wheel]
packages = ["{module}"]
"""

_CODEC = '''\
"""The view of {title} as a protobuf message ({id}.proto)."""

from __future__ import annotations

from arena.games.view_codec import ViewCodec
from {module} import {id}_pb2 as pb
from {module}.view import {camel}View

_CODEC = ViewCodec({camel}View, pb.{camel}View)
VIEW_TYPE, encode, decode = _CODEC.view_type, _CODEC.encode, _CODEC.decode
'''
"""In place of the other game's, whose messages are among those of the arena."""


@dataclass(frozen=True)
class _Names:
    """Names of a game, in all the forms that its files use."""

    id: str
    title: str
    module: str

    @property
    def upper(self) -> str:
        return self.id.upper()

    @property
    def dashed(self) -> str:
        return self.id.replace("_", "-")

    @property
    def camel(self) -> str:
        return "".join(word.capitalize() for word in self.id.split("_"))

    @property
    def messages(self) -> str:
        """The package of its protobuf messages."""
        return "arena.v1" if self.module.startswith(_OURS) else self.module


def write_game(game: str, like: str | None, out: Path, title: str | None = None) -> Path:
    """Write the project of a new game, which is played, drawn and described as another one; return its folder.

    Without `like` that is the skeleton, a game as small as a game can be.  Raises UsageError for a name that is taken or no name, and for a folder that is there already.
    """
    if not _ID.fullmatch(game) or game in registry.GAMES:
        raise UsageError(
            f"name {game!r}: must be lower-case words with _ between them, such as tichu, and not that of a game that there is"
        )
    source = registry.package(like or registry.add_project(SKELETON)[0])
    old = _Names(source.game.id, source.game.title, source.module)
    new = _Names(game, title or " ".join(game.split("_")).capitalize(), f"arena_game_{game}")
    distribution = f"arena-game-{new.dashed}"
    folder = out / distribution
    if folder.exists():
        raise UsageError(f"name {game!r}: {folder} is there already; give another name, or move it away")
    target = folder / new.module
    target.mkdir(parents=True)
    pyproject = _PROJECT.format(
        distribution=distribution, title=new.title, group=registry.GROUP, id=game, module=new.module
    )
    (folder / "pyproject.toml").write_text(pyproject, encoding="utf-8")
    for path, data in _translated(source, old, new):
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(data)
    registry.add_project(folder)
    made = registry.package(game)
    if not (target / f"{game}_pb2.py").is_file():
        write_messages(made)
    if made.checks is not None:
        write_golden(made.game, made.checks, made.golden)
    return folder


def _translated(source: GamePackage, old: _Names, new: _Names) -> Iterator[tuple[Path, bytes]]:
    """Translate all files of a game into those of the new one, but for its golden matches."""
    rename = _renamer(source, old, new)
    for path in sorted(source.folder.rglob("*")):
        relative = path.relative_to(source.folder)
        if not path.is_file() or _LEFT_OUT.intersection(relative.parts) or path.stem == f"{old.id}_pb2":
            continue
        if path.suffix == ".so":  # our games' machine code; the new one's is plain Python
            continue
        place = Path(str(relative).replace(old.id, new.id))
        if path.suffix == ".py":
            yield place, _rename_code(path.read_text(encoding="utf-8"), old, new, rename).encode()
        elif path.suffix in _TEXTS:
            yield place, rename(path.read_text(encoding="utf-8")).encode()
        else:
            yield place, path.read_bytes()
    if old.module.startswith(_OURS):
        proto = (ROOT / "protos" / "arena" / "v1" / f"{old.id}.proto").read_text(encoding="utf-8")
        yield Path(f"{new.id}.proto"), rename(proto).encode()
    if source.folder.parent != SKELETON:  # whose messages follow from its view
        yield Path(f"{new.id}_pb2.py"), _rename_messages(old, new).encode()
    codec = _CODEC.format(title=new.title, id=new.id, module=new.module, camel=new.camel)
    yield Path("codec.py"), codec.encode()


def _renamer(source: GamePackage, old: _Names, new: _Names) -> Callable[[str], str]:
    """Return what renames the game in a text."""
    symbols = re.findall(r'id="([a-z]+)-', source.read("pieces.svg"))
    prefix = f"{symbols[0]}-" if symbols else ""
    pairs = [
        (rf"\(protos/arena/v1/{old.id}\.proto\)", f"({new.id}.proto)"),
        (rf"from arena\.v1 import {old.id}_pb2", f"from {new.module} import {new.id}_pb2"),
        (r'"arena/v1;arenav1"', f'"./{new.module}"'),
        (rf"\b{re.escape(old.messages)}(?=\.{old.camel}|;)", new.messages),
        (re.escape(old.module) + r"\b", new.module),
        (re.escape(old.module.replace(".", "/")) + r"\b", new.module),
        (rf"\b{old.upper}(?![a-z0-9])", new.upper),
        (rf"{old.camel}(?=[A-Z_])", new.camel),
        (rf"\b{re.escape(old.title)}\b", new.title),
        (rf"\b{re.escape(old.title.removeprefix('The '))}\b", new.title),
        (rf"(?<![a-z0-9]){old.id}(?![a-z0-9])", new.id),
        (rf"(?<![a-z0-9-]){old.dashed}(?![a-z0-9])", new.dashed),
        *([(rf'(?<=[#"(]){prefix}', f"{_free_prefix(new.id)}-")] if prefix else []),
    ]
    # All at once, since the new name may hold the old one.
    pattern = re.compile("|".join(f"({each})" for each, _ in pairs))
    return lambda text: pattern.sub(lambda found: pairs[(found.lastindex or 1) - 1][1], text)


def _free_prefix(game: str) -> str:
    """Return letters that the symbols of no other game begin with."""
    taken = {
        symbol
        for each in registry.PACKAGES.values()
        for symbol in re.findall(r'id="([a-z]+)-', each.read("pieces.svg"))
    }
    letters = game.replace("_", "")
    return next(letters[:count] for count in range(2, len(letters) + 2) if letters[:count] not in taken)


def _rename_code(text: str, old: _Names, new: _Names, rename: Callable[[str], str]) -> str:
    """Rename a game in a module: names of classes as names, the title in texts and comments as a title."""
    lines = text.splitlines(keepends=True)
    for token in reversed(list(tokenize.generate_tokens(StringIO(text).readline))):
        # A title of one word is the name of a class, too.
        if token.type == tokenize.NAME and token.string == old.camel:
            row, (start, end) = token.start[0] - 1, (token.start[1], token.end[1])
            lines[row] = f"{lines[row][:start]}{_CLASS}{lines[row][end:]}"
    return rename("".join(lines)).replace(_CLASS, new.camel)


def _rename_messages(old: _Names, new: _Names) -> str:
    """Write the module of the messages, from those of the other game; the bytes of equal views stay equal."""
    module = f"arena.v1.{old.id}_pb2" if old.module.startswith(_OURS) else f"{old.module}.{old.id}_pb2"
    file = FileDescriptorProto()
    import_module(module).DESCRIPTOR.CopyToProto(file)
    file.name, file.package = f"{new.module}/{new.id}.proto", new.messages
    if file.options.go_package:
        file.options.go_package = f"./{new.module}"
    for message in file.message_type:
        _rename_message(message, old, new)
    return write_module(file, new.module, new.id)


def _rename_message(message: DescriptorProto, old: _Names, new: _Names) -> None:
    message.name = re.sub(f"^{old.camel}", new.camel, message.name)
    old_start, new_start = f".{old.messages}.{old.camel}", f".{new.messages}.{new.camel}"
    for field in message.field:
        if field.type_name.startswith(old_start):
            field.type_name = new_start + field.type_name.removeprefix(old_start)
    for nested in message.nested_type:
        _rename_message(nested, old, new)
