"""Generates arena/v1 from protos/arena/v1; with --check it only says whether that is fresh."""

import filecmp
import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "protos"
TARGET = ROOT / "arena" / "v1"
DOCSTRING = '"""Generated from protos/arena/v1 by `make protos`: the messages and services of the wire."""\n'


def generate(into: Path) -> None:
    """Write the generated package below `into`."""
    sources = sorted(str(path) for path in (HERE / "arena" / "v1").glob("*.proto"))
    arguments = ["protoc", f"--proto_path={HERE}", f"--python_out={into}", f"--pyi_out={into}"]
    if protoc.main([*arguments, *sources]) != 0:
        sys.exit(1)
    served = [source for source in sources if "service " in Path(source).read_text()]
    if protoc.main(["protoc", f"--proto_path={HERE}", f"--grpc_python_out={into}", *served]) != 0:
        sys.exit(1)
    (into / "arena" / "v1" / "__init__.py").write_text(DOCSTRING)


def main() -> None:
    """Generate, or check and exit with 1 where a file is stale."""
    with tempfile.TemporaryDirectory() as name:
        fresh = Path(name)
        generate(fresh)
        names = {path.name for path in (fresh / "arena" / "v1").iterdir()}
        if "--check" in sys.argv:
            there = {path.name for path in TARGET.iterdir() if path.is_file()}
            _, differ, missing = filecmp.cmpfiles(fresh / "arena" / "v1", TARGET, names, shallow=False)
            stale = sorted({*differ, *missing, *(there - names)})
            if stale:
                sys.exit(f"stale in arena/v1: {', '.join(stale)}; run `make protos`")
            return
        TARGET.mkdir(exist_ok=True)
        for path in TARGET.iterdir():
            if path.is_file() and path.name not in names:
                path.unlink()
        for file in names:
            (TARGET / file).write_bytes((fresh / "arena" / "v1" / file).read_bytes())


if __name__ == "__main__":
    main()
