// Starts bot.ts, with the same options and variables; a Node that is too old to run TypeScript is told so in words.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`bot.ts needs Node 22.18 or newer, which runs TypeScript as it is; ${process.execPath} is Node ${process.versions.node}.`);
  console.error("Get a newer one from https://nodejs.org; where Bot Arena is set up, its .venv/bin/node is new enough.");
  process.exit(1);
}
await import("./bot.ts");
