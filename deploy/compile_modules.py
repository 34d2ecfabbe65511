"""Make C of the modules that pyproject.toml lists under [tool.arena.compiled], and compile it: `make setup` calls it.

Each is replaced by renaming, the library first, so that an arena that runs keeps what it has loaded.  Without a C
compiler and Python's headers all modules run as plain Python, some one and a half times as slow; exit code 1.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import sysconfig
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from mypyc.build import mypycify  # noqa: E402
from setuptools import Distribution  # noqa: E402
from setuptools.command.build_ext import build_ext  # noqa: E402

from arena.core.compiled_modules import LIBRARY, SOURCES  # noqa: E402

MYPY = ("--config-file=", "--ignore-missing-imports", "--follow-imports=silent", "--python-version=3.11")
"""Options of mypy, which only finds the types here; `make check` finds the errors."""


RULES = re.compile(r"__native_arena___games___(?!.*(encoding|view_|wire_format|redaction))")
"""The C files of what a playout is made of."""


class ParallelBuild(build_ext):
    """Compiles C files on all cores, those of the rules for longer: they are 2 to 6 % quicker by it, the rest is not."""

    def build_extensions(self) -> None:
        """Build the library and the stubs."""
        compile_all = self.compiler.compile

        def compile_each(sources: list[str], *arguments: Any, **options: Any) -> list[str]:  # noqa: ANN401 - as the compiler takes them
            def compile_one(source: str) -> list[str]:
                more = ["-O2"] if RULES.search(source) else []
                extra = [*(options.get("extra_postargs") or ()), *more]
                return compile_all([source], *arguments, **{**options, "extra_postargs": extra})

            with ThreadPoolExecutor(os.cpu_count()) as pool:
                made = pool.map(compile_one, sources)
                return [name for names in made for name in names]

        self.compiler.compile = compile_each
        super().build_extensions()


def missing() -> str:
    """Name what a C module needs and is not here."""
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"the C compiler {compiler}"
    headers = Path(sysconfig.get_path("include"), "Python.h")
    return "" if headers.exists() else f"Python's headers ({headers})"


def compile_modules(names: list[str], folder: Path) -> list[Path]:
    """Compile modules into a folder; return what was made, relative to it, the library first."""
    os.chdir(ROOT)
    extensions = mypycify(
        [*MYPY, *names],
        opt_level="1",  # most of it runs in the interpreter's own functions
        debug_level="0",
        multi_file=True,
        group_name="arena.compiled",
        target_dir=str(folder / "c"),
    )
    for extension in extensions:  # where mypyc puts the header of a group whose name has a dot
        extension.include_dirs.append(str(folder / "c" / "arena"))
        extension.extra_compile_args += ["-fvisibility=hidden", "-fno-plt"]
    build = ParallelBuild(Distribution({"name": "bot-arena", "ext_modules": extensions}))
    build.build_lib, build.build_temp = str(folder / "lib"), str(folder / "temp")
    build.ensure_finalized()
    build.run()
    made = [path.relative_to(folder / "lib") for path in (folder / "lib").rglob("*.so")]
    return sorted(made, key=lambda path: path.name != Path(LIBRARY).name)


def main() -> int:
    """Compile all of them, or say what is missing."""
    if what := missing():
        print(f"{what} is missing: all modules run as plain Python (Debian: apt install gcc python3-dev)")
        return 1
    began = time.time()
    names = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["arena"]["compiled"]["modules"]
    stubs = {stub for package in ("arena", "referee") for stub in (ROOT / package).rglob("*.so")}
    with TemporaryDirectory(dir=ROOT / ".stamps") as folder:
        made = compile_modules(names, Path(folder))
        for path in made:
            Path(folder, "lib", path).replace(ROOT / path)
    for stub in stubs - {ROOT / path for path in made}:
        stub.unlink()
    Path(SOURCES).write_text("".join(f"{name}\n" for name in names))
    os.utime(LIBRARY, (began, began))  # what was edited since then is newer
    return 0


if __name__ == "__main__":
    sys.exit(main())
