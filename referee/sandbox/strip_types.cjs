// Reads the TypeScript of a bot and prints a program that gives Node the same without types: `node strip_types.cjs FOLDER`.
// It runs in a sandbox of its own (type_stripping.py); what it does not print is left to Node, which says what is wrong.
const { existsSync, readdirSync, readFileSync, statSync } = require("node:fs");
const { stripTypeScriptTypes } = require("node:module");
const { dirname, join } = require("node:path");
const { pathToFileURL } = require("node:url");

const MAX_FILE_BYTES = 256 << 10;
const MAX_BYTES = 1 << 20;
const folder = process.argv[2];
const texts = {};
let bytes = 0;
for (const name of readdirSync(folder, { recursive: true }).sort()) {
  const path = join(folder, name);
  if (!/\.m?ts$/.test(name) || !statSync(path).isFile()) continue;
  const { size } = statSync(path);
  if (size > MAX_FILE_BYTES || (bytes += size) > MAX_BYTES) continue;
  try {
    if (!isModule(path)) continue;
    texts[pathToFileURL(path).href] = stripTypeScriptTypes(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)));
  } catch {}
}
// Files that were read are found by their names: Node need not look for them.
process.stdout.write(`"use strict";
const texts = new Map(Object.entries(JSON.parse(${JSON.stringify(JSON.stringify(texts))})));
require("node:module").registerHooks({
  resolve(specifier, context, next) {
    if (/^\\.\\.?\\//.test(specifier) && texts.has(context.parentURL)) {
      const { href } = new URL(specifier, context.parentURL);
      if (texts.has(href)) return { url: href, format: "module", shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    const source = texts.get(url);
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});
`);

// As Node decides: by the file's ending, or by the nearest package.json. What has none it decides by the text, and is left to it.
function isModule(path) {
  if (path.endsWith(".mts")) return true;
  for (let place = dirname(path); place.startsWith(folder); place = dirname(place)) {
    const file = join(place, "package.json");
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")).type === "module";
  }
  return false;
}
