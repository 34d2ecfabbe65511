"""Bot Arena: tournaments for game-playing bots."""

from arena.core import compiled_modules

compiled_modules.choose()
