"""Build bots/typescript/arena.js from the TypeScript in its `src`: one file, which a new project gets.

With --check it only says whether the file is fresh.  Each module becomes a function; those that are imported later run later,
since what they load takes longer than the rest of a start.  Node takes the types out.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from arena.referee_client.programs import node

FOLDER = Path(__file__).resolve().parent.parent / "bots" / "typescript"
TARGET = FOLDER / "arena.js"
MODULES = ("messages", "wire", "http2", "grpc", "arena")
LATER = ("proxy", "endpoint")
HEAD = """\
// The arena's protocol for a bot in TypeScript or JavaScript; arena.d.ts has its types.
//
// Built from bots/typescript/src of Bot Arena by `make protos`: take a newer one from a newer Bot Arena.
"""
STRIP = """
const { stripTypeScriptTypes } = require("node:module");
const texts = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => stripTypeScriptTypes(text))));
"""


def main() -> None:
    """Build the file, or check it."""
    names = (*MODULES[:-2], *LATER, *MODULES[-2:])
    sources = [(FOLDER / "src" / f"{name}.ts").read_text(encoding="utf-8") for name in names]
    done = subprocess.run(
        [node(), "--no-warnings", "-e", STRIP],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        check=True,
    )
    parts = [
        module(name, "\n".join(map(tidied, source.splitlines(), stripped.splitlines())))
        for name, source, stripped in zip(names, sources, json.loads(done.stdout), strict=True)
    ]
    built = HEAD + "".join(parts)
    if sys.argv[1:] != ["--check"]:
        TARGET.write_text(built, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != built:
        sys.exit(f"{TARGET.relative_to(FOLDER.parents[1])} is stale: make protos")


def tidied(source: str, stripped: str) -> str:
    """Return a line without the blanks that its types have left."""
    if source == stripped:
        return source
    text = re.sub(r"(?<=\S) {2,}", " ", stripped.rstrip())
    return re.sub(r" +(?=[,;)])|(?<=Map) (?=\()", "", text)


def module(name: str, text: str) -> str:
    """Return a module as the constants that it exports, or, if it is run later, as a function that returns them."""
    text = re.sub(r'^import \{[^}]*\} from "\./.*\n', "", text, flags=re.MULTILINE)
    text = re.sub(r'^import \{(.*)\} from ("node:\w+");', _builtin, text, flags=re.MULTILINE)
    text = re.sub(r'await import\("\./(\w+)\.ts"\)', r"\1()", text)
    exported = re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", text, flags=re.MULTILINE)
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    text = re.sub(r"\n{3,}", "\n\n", text).strip("\n")
    if name == "arena":
        return f"\n// --- {name} ---\n\n{text}\n\nexport {{ {', '.join(exported)} }};\n"
    names = f"{{ {', '.join(exported)} }}"
    body = f"() => {{\n{text}\n\nreturn {names};\n}}"
    start = f"const {name} = {body};" if name in LATER else f"const {names} = ({body})();"
    return f"\n// --- {name} ---\n\n{start}\n"


def _builtin(found: re.Match[str]) -> str:
    names = ", ".join(each.strip().replace(" as ", ": ") for each in found[1].split(",") if each.strip())
    return f"const {{ {names} }} = process.getBuiltinModule({found[2]});" if names else ""


if __name__ == "__main__":
    main()
