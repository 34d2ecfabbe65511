// Reads the TypeScript of a bot and prints a program that gives Node the same without types: `node strip_types.cjs FOLDER`.
// It runs in a sandbox of its own (type_stripping.py); what it cannot read is left to Node, which says what is wrong.
const { readdirSync, readFileSync, statSync } = require("node:fs");
const { stripTypeScriptTypes } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const MAX_FILE_BYTES = 256 << 10;
const MAX_BYTES = 1 << 20;
const folder = process.argv[2];
const texts = {};
let bytes = 0;
for (const name of readdirSync(folder, { recursive: true }).sort()) {
  const path = join(folder, name);
  if (!/\.m?ts$/.test(name) || !statSync(path).isFile()) continue;
  const size = statSync(path).size;
  if (size > MAX_FILE_BYTES || (bytes += size) > MAX_BYTES) continue;
  try {
    texts[pathToFileURL(path).href] = stripTypeScriptTypes(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)));
  } catch {}
}
process.stdout.write(`"use strict";
const texts = new Map(Object.entries(JSON.parse(${JSON.stringify(JSON.stringify(texts))})));
require("node:module").registerHooks({
  load(url, context, next) {
    const source = context.format === "module-typescript" ? texts.get(url) : undefined;
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});
`);
