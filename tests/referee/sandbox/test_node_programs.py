"""TypeScript in the sandbox: it plays, and gets no further than bots in Python."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.bundle_format.bundle import read_upload
from arena.devtools import upload_file
from arena.devtools.starters import write_project
from arena.referee_client import Finished, Hosted
from referee.launch.bundle_cache import Bundles
from referee.limits.sandbox_bounds import Bounds
from referee.sandbox import self_test
from referee.sandbox.sandbox_launcher import SandboxLauncher
from referee.sandbox.type_stripping import STRIPPED, strip
from tests.bundle_format.uploads import TOML, zipped
from tests.hostile.inside.conftest import bubblewrap, measured, measured_once
from tests.hostile.inside.conftest import own_folder as folder
from tests.hostile.inside.sandboxed_attacks import LIMITS
from tests.patience import patient
from tests.referee.running_referee import good_bots, open_house, order
from tests.referee.sandbox.test_static_programs import WAYS, cache, launcher, said, unpacked

__all__ = ["bubblewrap", "cache", "folder", "launcher", "measured", "measured_once"]

ATTACKS = """
import { spawnSync, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync, openSync, writeSync, unlinkSync } from "node:fs";
import { createServer, connect } from "node:net";
import { createSocket } from "node:dgram";
import { Worker } from "node:worker_threads";

const said = (what: string, held: boolean): void => console.log(`${what} ${held ? "held" : "BROKEN"}`);
const fails = (attempt: () => unknown): boolean => { try { attempt(); return false; } catch { return true; } };

said("user", process.getuid!() !== 0 && fails(() => process.setuid!(0)));
said("files", !["/etc/passwd", "/proc/self", "/bin/sh", "/site/arena", "/sys/class"].some(existsSync));
said("own files", readdirSync("/bot").join() === "bot.toml,mine.ts");
said("writing", ["/bot/x", "/x", "/run/stripped.cjs", "/run/x", "/dev/x"].every((path) => fails(() => writeFileSync(path, ""))));
said("descriptors", fails(() => readFileSync(`/dev/fd/3`)));
said("programs", spawnSync("/bin/sh", ["-c", "true"]).error !== undefined);
said("environment", process.env.ARENA_CONTROL_KEY === undefined && process.env.HOME === "/tmp");
said("packages", fails(() => import.meta.resolve("@grpc/grpc-js")));

const refused = (open: (done: (error?: Error) => void) => void): Promise<boolean> =>
  new Promise((resolve) => { try { open((error) => resolve(error !== undefined)); } catch { resolve(true); } });
said("connecting", await refused((done) => { const it = connect(80, "127.0.0.1"); it.on("error", done); it.on("connect", () => done()); }));
said("listening", await refused((done) => { const it = createServer(); it.on("error", done); it.listen(8000, () => done()); }));
said("datagrams", await refused((done) => { const it = createSocket("udp4"); it.on("error", done); it.send("x", 53, "8.8.8.8", (error) => done(error ?? undefined)); }));

const large = openSync("/tmp/large", "w");
process.on("SIGXFSZ", () => {});
said("space", fails(() => { for (let each = 0; each < 100; each++) if (writeSync(large, new Uint8Array(1 << 20)) < 1 << 20) throw Error("full"); }));
unlinkSync("/tmp/large");
const children = Array.from({ length: 40 }, () => spawn(process.execPath, ["-e", "setTimeout(() => {}, 20000)"]));
const started = await Promise.all(children.map((child) => new Promise((resolve) => { child.on("spawn", () => resolve(1)); child.on("error", () => resolve(0)); })));
said("processes", started.includes(0));
children.forEach((child) => child.kill("SIGKILL"));

said("memory of a process", fails(() => { const kept = []; for (;;) kept.push(Buffer.alloc(16 << 20, 1)); }));
"""


async def test_a_bot_in_typescript_plays_a_match_in_the_sandbox(
    cache: Bundles, folder: Path, tmp_path: Path
) -> None:
    write_project(tmp_path / "mine", "lost_cities", "typescript")
    chosen = await self_test.choose(
        "on",
        Bounds(),
        allow_files=True,
        bundles=cache.path,
        folder=cache._folder,
        address=f"unix:{folder}/bots",
    )
    assert isinstance(chosen, SandboxLauncher)
    program = await unpacked(cache, *upload_file.read(tmp_path / "mine"))
    async with (
        open_house(folder, limits=LIMITS, launcher=chosen, bundles=cache) as house,
        asyncio.timeout(patient(60)),
        good_bots(house, "b"),
    ):
        ended = await house.play(order("m", Hosted(program, 0), "b", hands=1))
    assert isinstance(ended["m"], Finished)
    assert ended["m"].record.result.fault is None, ended["m"].outputs[0].stderr.decode()
    assert ended["m"].record.result.end == "completed"
    assert "--require" in chosen._program(program).arguments


@WAYS
async def test_attacks_of_a_bot_in_typescript_are_held(
    launcher: SandboxLauncher, cache: Bundles, way: str
) -> None:
    made = read_upload(zipped({"bot.toml": TOML.replace("mine.py", "mine.ts"), "mine.ts": ATTACKS}), "a.zip")
    await cache.store(made.sha256, made.data)
    await launcher.prepare(made.program)
    words, end = await said(launcher, launcher._program(made.program), fork=way == "forked")
    assert "BROKEN" not in words, words
    # The watchdog may count the children's memory before one is refused, and ends the bot: the two last are about that.
    assert words.count(" held") >= 12, (words, end)
    assert words.count(" held") == 14 or "memory" in end, (words, end)


WORKER = """
import { Worker } from "node:worker_threads";
const worker = new Worker("require('node:worker_threads').parentPort.postMessage('it runs')", { eval: true });
worker.on("message", (words: string) => console.log(words));
worker.on("error", (error: Error) => console.log(error.message));
"""


@WAYS
async def test_a_worker_thread_has_no_room_for_its_code_as_the_documentation_says(
    launcher: SandboxLauncher, cache: Bundles, way: str
) -> None:
    made = read_upload(zipped({"bot.toml": TOML.replace("mine.py", "mine.ts"), "mine.ts": WORKER}), "a.zip")
    await cache.store(made.sha256, made.data)
    words, end = await said(launcher, launcher._program(made.program), fork=way == "forked")
    assert "it runs" not in words
    assert "SIGTRAP" in end or "SIGABRT" in end or "out of memory" in words, (words, end)


BY_STEPS = {
    "package.json": '{"type": "module"}',
    "bot.toml": TOML.replace("mine.py", "mine.ts"),
    "mine.ts": """
import { broken } from "./inside/other.ts";
const where: string = import.meta.url;
console.log(where, typeof (globalThis as any).require);
try { broken("x" as const); } catch (error) { console.log((error as Error).stack!.split("\\n")[1]); }
await import("./enum.ts").catch((error: Error) => console.log(error.message.split("\\n").find((line) => line.trim())));
""",
    "inside/other.ts": "export type Name = string;\nexport function broken(name: Name): never { throw new Error(name); }\n",
    "enum.ts": "enum Colour { Red }\n",
}


@WAYS
async def test_types_are_taken_out_once_and_nothing_else_changes(
    launcher: SandboxLauncher, cache: Bundles, way: str
) -> None:
    made = read_upload(zipped(BY_STEPS), "a.zip")
    await cache.store(made.sha256, made.data)
    folder = cache.path(made.sha256)
    assert folder is not None
    (folder / STRIPPED).unlink(missing_ok=True)
    before, _ = await said(launcher, launcher._program(made.program), fork=way == "forked")
    await launcher.prepare(made.program)
    assert (folder / STRIPPED).stat().st_mode & 0o777 == 0o644
    program = launcher._program(made.program)
    assert "--require" in program.arguments
    after, _ = await said(launcher, program, fork=way == "forked")
    assert after == before
    where, stack, error = after.splitlines()
    assert where == "file:///bot/mine.ts undefined"
    assert "at broken (file:///bot/inside/other.ts:2:51)" in stack
    assert "enum is not supported" in error


async def test_an_upload_without_types_is_started_as_it_is(launcher: SandboxLauncher, cache: Bundles) -> None:
    files = {"bot.toml": TOML.replace("mine.py", "mine.js"), "mine.js": "console.log('js');"}
    made = read_upload(zipped(files), "a.zip")
    await cache.store(made.sha256, made.data)
    await launcher.prepare(made.program)
    assert "--require" not in launcher._program(made.program).arguments
    words, _ = await said(launcher, launcher._program(made.program), fork=True)
    assert words == "js"


async def test_an_upload_that_cannot_be_read_without_types_is_left_to_node(
    launcher: SandboxLauncher, cache: Bundles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.sandbox.type_stripping.LIMIT_S", 0.001)
    made = read_upload(zipped({**BY_STEPS, "more.ts": "// more"}), "a.zip")
    await cache.store(made.sha256, made.data)
    await launcher.prepare(made.program)
    program = launcher._program(made.program)
    assert "--require" not in program.arguments
    words, _ = await said(launcher, program, fork=True)
    assert words.startswith("file:///bot/mine.ts")


async def test_what_takes_too_long_to_read_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.sandbox.type_stripping.LIMIT_S", 0.5)
    lingering = ("/bin/sh", "-c", "sleep 600 & wait")
    assert not await asyncio.wait_for(strip(tmp_path, lambda _: lingering, {}), 60)
