// The arena's protocol for a bot in TypeScript or JavaScript; arena.d.ts has its types.
//
// Built from bots/typescript/src of Bot Arena by `make protos`: take a newer one from a newer Bot Arena.

// --- messages ---

const { MESSAGES } = (() => {
// Generated from protos/arena/v1 by `make protos`: what wire.ts knows of the messages.
//
// A line is a message: name number type, with = before an enum, [] where it is repeated, {} where it is a map from strings,
// ? where it may be absent, and @oneof where it is one of several.  An enum's line has its names and numbers.
const MESSAGES = {
  "arena.v1.FaultKind": "FAULT_KIND_UNSPECIFIED 0; FAULT_KIND_ILLEGAL_ACTION 1; FAULT_KIND_TIMEOUT 2; FAULT_KIND_CRASH 3; FAULT_KIND_PROTOCOL 4",
  "arena.v1.TimeControl": "baseMs 1 uint32; incrementMs 2 uint32; capMs 3 uint32; talkMs 4 uint32",
  "arena.v1.Claim": "kind 1 string; seat 2 uint32; vote 3 string; when 4 string",
  "arena.v1.Line": "text 1 string; claims 2 arena.v1.Claim[]",
  "arena.v1.TalkLimits": "maxTextBytes 1 uint32; maxClaims 2 uint32; kinds 3 string[]; votes 4 string[]; whens 5 string[]",
  "arena.v1.Chance": "name 1 string; outcome 2 string[]",
  "arena.v1.Played": "seat 1 uint32; action 2 string; together 3 uint32?",
  "arena.v1.Said": "seat 1 uint32; line 2 arena.v1.Line; round 3 uint32",
  "arena.v1.Step": "chance 1 arena.v1.Chance@step; played 2 arena.v1.Played@step; dummy 3 string@step; said 4 arena.v1.Said@step",
  "arena.v1.Outcome": "scores 1 sint32[]; places 2 uint32[]; end 3 string; fault 4 arena.v1.SeatFault?",
  "arena.v1.SeatFault": "seat 1 uint32; kind 2 =arena.v1.FaultKind; message 3 string",
  "arena.v1.ConnectRequest": "messages 1 arena.v1.BotMessage[]",
  "arena.v1.ConnectResponse": "messages 1 arena.v1.ArenaMessage[]",
  "arena.v1.ServeRequest": "messages 1 arena.v1.ArenaMessage[]",
  "arena.v1.ServeResponse": "messages 1 arena.v1.BotMessage[]",
  "arena.v1.BotMessage": "hello 1 arena.v1.Hello@message; answer 2 arena.v1.Answer@message; say 3 arena.v1.Say@message",
  "arena.v1.ArenaMessage": "welcome 1 arena.v1.Welcome@message; start 2 arena.v1.Start@message; ask 3 arena.v1.Ask@message; end 4 arena.v1.End@message; fault 5 arena.v1.Fault@message; goodbye 6 arena.v1.Goodbye@message",
  "arena.v1.Hello": "protocol 1 uint32; name 2 string; version 3 string; games 4 arena.v1.GameOffer[]; matchesAtOnce 5 uint32; talks 6 bool; sdk 7 string",
  "arena.v1.GameOffer": "game 1 string; variants 2 string[]; seatCounts 3 uint32[]",
  "arena.v1.Welcome": "protocol 1 uint32; referees 2 string[]; maxFrameBytes 3 uint32; spareMessagesPerSecond 4 uint32; address 5 string; draining 6 bool",
  "arena.v1.Start": "table 1 uint32; match 2 string; game 3 string; variant 4 string; options 5 sint32{}; seat 6 uint32; seats 7 uint32; time 8 arena.v1.TimeControl; commitment 9 bytes; botSeed 10 bytes; viewType 11 string; history 12 arena.v1.Step[]",
  "arena.v1.Ask": "table 1 uint32; decision 2 uint32; actions 3 string[]; talk 4 arena.v1.TalkLimits?; seen 5 arena.v1.Step[]; bankMs 6 uint32; limitMs 7 uint32; view 8 bytes",
  "arena.v1.Answer": "table 1 uint32; decision 2 uint32; action 3 uint32; notes 4 arena.v1.Notes?",
  "arena.v1.Notes": "candidates 1 arena.v1.Candidate[]; numbers 2 double{}; text 3 string",
  "arena.v1.Candidate": "action 1 string; value 2 double",
  "arena.v1.Say": "table 1 uint32; decision 2 uint32; line 3 arena.v1.Line",
  "arena.v1.End": "table 1 uint32; outcome 2 arena.v1.Outcome; seen 3 arena.v1.Step[]",
  "arena.v1.Fault": "table 1 uint32; kind 2 =arena.v1.FaultKind; message 3 string",
  "arena.v1.Goodbye": "reason 1 string; comeBack 2 bool",
  "arena.v1.BottleImpView": "handNumber 1 uint32; hands 2 uint32; target 3 uint32; dealer 4 uint32; choosing 5 string; cards 6 arena.v1.BottleImpCards[]; laidOpen 7 arena.v1.BottleImpCards[]; discarded 8 uint32[]; passed 9 uint32[]; received 10 uint32[]; price 11 uint32; owner 12 sint32; leader 13 uint32; trick 14 uint32[]; tricks 15 arena.v1.BottleImpTrick[]; points 16 uint32[]; totals 17 sint32[]; lastHand 18 arena.v1.BottleImpHand",
  "arena.v1.BottleImpCards": "cards 1 uint32[]",
  "arena.v1.BottleImpTrick": "leader 1 uint32; cards 2 uint32[]; winner 3 uint32",
  "arena.v1.BottleImpHand": "scores 1 sint32[]; owner 2 uint32; price 3 uint32; devil 4 uint32[]",
  "arena.v1.LandUnterView": "round 1 uint32; rounds 2 uint32; trick 3 uint32; hand 4 uint32[]; water 5 uint32[]; seats 6 arena.v1.LandUnterSeat[]; tricks 7 arena.v1.LandUnterTrick[]; scores 8 arena.v1.LandUnterRoundScores[]; lastRound 9 arena.v1.LandUnterTrick[]",
  "arena.v1.LandUnterSeat": "stillIn 1 bool; lifebelts 2 uint32; level 3 uint32; total 4 sint32",
  "arena.v1.LandUnterTrick": "water 1 uint32[]; cards 2 uint32[]; took 3 uint32[]; paid 4 uint32[]; wentOut 5 uint32[]",
  "arena.v1.LandUnterRoundScores": "scores 1 sint32[]",
  "arena.v1.LifeboatsView": "round 1 uint32; start 2 uint32; stage 3 string; vote 4 string; boat 5 string; options 6 string[]; ballots 7 string[]; talkRound 8 uint32; talkRounds 9 uint32; boats 10 arena.v1.LifeboatsBoat[]; seats 11 arena.v1.LifeboatsSeat[]; berths 12 string[]; left 13 arena.v1.LifeboatsLeaver[]",
  "arena.v1.LifeboatsBoat": "letter 1 string; column 2 uint32; row 3 uint32; atSea 4 bool; leaks 5 uint32; sailors 6 uint32[]; officers 7 uint32[]",
  "arena.v1.LifeboatsSeat": "hats 1 uint32; waitingSailors 2 uint32; waitingOfficers 3 uint32; savedSailors 4 uint32[]; savedOfficers 5 uint32[]; score 6 uint32",
  "arena.v1.LifeboatsLeaver": "seat 1 uint32; pawn 2 string; boat 3 string",
  "arena.v1.LostCitiesView": "handNumber 1 uint32; hands 2 uint32; turn 3 uint32; starter 4 uint32; hand 5 string[]; expeditions 6 arena.v1.LostCitiesExpeditions[]; discards 7 arena.v1.LostCitiesPile[]; drawPile 8 uint32; opponentKnown 9 string[]; totals 10 sint32[]; justDiscarded 11 string",
  "arena.v1.LostCitiesExpeditions": "piles 1 arena.v1.LostCitiesPile[]",
  "arena.v1.LostCitiesPile": "cards 1 string[]",
  "arena.v1.TeotlatolliView": "turn 1 uint32; quietTurns 2 uint32; hand 3 string[]; opponentHand 4 uint32; gods 5 uint32[]; sides 6 arena.v1.TeotlatolliSides[]; depots 7 arena.v1.TeotlatolliPile[]; completed 8 arena.v1.TeotlatolliGods[]; discards 9 string[]; reserve 10 uint32; godDeck 11 uint32; switched 12 bool; moved 13 bool; extra 14 bool; opponentKnown 15 string[]",
  "arena.v1.TeotlatolliSides": "sides 1 arena.v1.TeotlatolliPile[]",
  "arena.v1.TeotlatolliPile": "signs 1 string[]",
  "arena.v1.TeotlatolliGods": "gods 1 uint32[]",
};

return { MESSAGES };
})();

// --- wire ---

const { decode, encode } = (() => {
// Protocol buffers by the tables of messages.ts: as much of proto3 as the arena's protos use.
//
// What is read has all fields, in camelCase: what was not sent is 0, "", false, no bytes, [], {}, or null for a message.
// Of a oneof, and of what is `optional`, only what was sent is there, and the oneof's name says which. Enums are names.

const VARINT = 0;
const EIGHT_BYTES = 1;
const DELIMITED = 2;
const FOUR_BYTES = 5;
const WIRE_TYPES = { uint32: VARINT, sint32: VARINT, bool: VARINT, double: EIGHT_BYTES };
const UNSET = { uint32: 0, sint32: 0, bool: false, double: 0, string: "" };
const MAX_DEPTH = 64;

const tables = new Map();
const enums = new Map();

function parts(type) {
  const line = MESSAGES[type];
  if (line === undefined) throw new Error(`message ${type}: this project does not know it; take messages.ts from a newer Bot Arena`);
  return line ? line.split("; ") : [];
}

function table(type) {
  let fields = tables.get(type);
  if (fields === undefined) tables.set(type, (fields = new Map(parts(type).map(field).map((each) => [each.number, each]))));
  return fields;
}

function field(text) {
  const [, name = "", number, sign, type = "", mark, oneof = ""] = /^(\w+) (\d+) (=?)([\w.]+)(\[\]|\{\}|\?|@(\w+))?$/.exec(text);
  const wire = sign ? VARINT : (WIRE_TYPES[type] ?? DELIMITED);
  return { name, number: Number(number), type, isEnum: sign === "=", wire, repeated: mark === "[]", map: mark === "{}", oneof: mark === "?" ? `_${name}` : oneof };
}

function names(type) {
  let pairs = enums.get(type);
  if (pairs === undefined) {
    pairs = parts(type).map((text) => text.split(" ")).map(([name = "", number]) => [name, Number(number)]);
    enums.set(type, pairs);
  }
  return pairs;
}

function unset({ type, isEnum, repeated, map }) {
  if (repeated) return [];
  if (map) return {};
  if (isEnum) return names(type)[0] [0];
  return type === "bytes" ? Buffer.alloc(0) : (UNSET[type] ?? null);
}

// --- reading ---------------------------------------------------------------------------------------------------

class Reader {
           #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get more() {
    return this.#at < this.#bytes.length;
  }

  // The lower 32 bits of a number of up to ten bytes.
  number() {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#take(1)[0];
      if (shift < 32) value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw new Error("a message is broken: a number has more than ten bytes");
  }

  bytes() {
    return this.#take(this.number());
  }

  #take(length) {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error("a message is broken: it ends within a field");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  skip(wire) {
    if (wire === VARINT) this.number();
    else if (wire === EIGHT_BYTES) this.#take(8);
    else if (wire === DELIMITED) this.bytes();
    else if (wire === FOUR_BYTES) this.#take(4);
    else throw new Error(`a message is broken: there is no wire type ${wire}`);
  }

  value({ type, isEnum }, depth) {
    if (isEnum) {
      const number = this.number() | 0;
      return names(type).find((each) => each[1] === number)?.[0] ?? number;
    }
    switch (type) {
      case "uint32":
        return this.number();
      case "sint32": {
        const value = this.number();
        return (value >>> 1) ^ -(value & 1);
      }
      case "bool":
        return this.number() !== 0;
      case "double":
        return this.#take(8).readDoubleLE();
      case "string":
        return this.bytes().toString("utf8");
      case "bytes":
        return Buffer.from(this.bytes());
      default:
        return read(type, this.bytes(), depth + 1);
    }
  }
}

// Reads a message. Fields that its table does not have are left out: they are of a newer arena.
function decode(type, bytes) {
  return read(type, bytes, 0);
}

function read(type, bytes, depth) {
  if (depth > MAX_DEPTH) throw new Error(`a message is broken: it has more than ${MAX_DEPTH} messages in each other`);
  const fields = table(type);
  const object = {};
  for (const each of fields.values()) if (!each.oneof) object[each.name] = unset(each);
  const reader = new Reader(bytes);
  while (reader.more) {
    const tag = reader.number();
    const wire = tag & 7;
    const field = fields.get(tag >>> 3);
    if (field?.repeated && wire === DELIMITED && field.wire !== DELIMITED) {
      for (const packed = new Reader(reader.bytes()); packed.more; ) object[field.name].push(packed.value(field, depth));
    } else if (field?.map && wire === DELIMITED) {
      const [key, value] = pair(field, new Reader(reader.bytes()), depth);
      Object.defineProperty(object[field.name], key, { value, writable: true, enumerable: true, configurable: true }); // whatever it is called
    } else if (field === undefined || field.map || wire !== field.wire) {
      reader.skip(wire);
    } else if (field.repeated) {
      object[field.name].push(reader.value(field, depth));
    } else {
      if (field.oneof) {
        delete object[object[field.oneof]];
        object[field.oneof] = field.name;
      }
      object[field.name] = reader.value(field, depth);
    }
  }
  return object;
}

function pair(field, reader, depth) {
  let key = "";
  let value = unset({ ...field, map: false });
  while (reader.more) {
    const tag = reader.number();
    if (tag === ((1 << 3) | DELIMITED)) key = reader.bytes().toString("utf8");
    else if (tag === ((2 << 3) | field.wire)) value = reader.value(field, depth);
    else reader.skip(tag & 7);
  }
  return [key, value];
}

// --- writing ---------------------------------------------------------------------------------------------------

// Writes a message. Properties that its table does not have are left out.
function encode(type, object) {
  const out = [];
  for (const field of table(type).values()) {
    const value = object[field.name];
    if (value === undefined || value === null) continue;
    if (field.map) {
      for (const [key, each] of Object.entries(value)) {
        const entry = Buffer.concat([number((1 << 3) | DELIMITED), sized(Buffer.from(key)), number((2 << 3) | field.wire), written(field, each)]);
        out.push(number((field.number << 3) | DELIMITED), sized(entry));
      }
    } else if (field.repeated && field.wire !== DELIMITED) {
      if (value.length) out.push(number((field.number << 3) | DELIMITED), sized(Buffer.concat(value.map((each) => written(field, each)))));
    } else {
      const sent = field.repeated ? value : field.oneof || !Object.is(value, unset(field)) ? [value] : [];
      for (const each of sent) out.push(number((field.number << 3) | field.wire), written(field, each));
    }
  }
  return Buffer.concat(out);
}

function written({ type, isEnum }, value) {
  if (isEnum) return number(names(type).find(([name]) => name === value)?.[1] ?? Number(value));
  switch (type) {
    case "uint32":
      return number(value);
    case "sint32":
      return number((value << 1) ^ (value >> 31));
    case "bool":
      return number(value ? 1 : 0);
    case "double": {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(Number(value));
      return bytes;
    }
    case "string":
      return sized(Buffer.from(String(value)));
    case "bytes":
      return sized(Buffer.from(value));
    default:
      return sized(encode(type, value));
  }
}

function number(value) {
  const bytes = [];
  for (let rest = value >>> 0; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

function sized(bytes) {
  return Buffer.concat([number(bytes.length), bytes]);
}

return { decode, encode };
})();

// --- http2 ---

const { TYPE, FLAG, SETTING, PREFACE, MAX_FRAME_BYTES, frame, settings, uint32, FrameReader, content, fieldBlock, readFields } = (() => {
// HTTP/2 as a client of one stream needs it: its frames (RFC 9113) and its header fields (RFC 7541), without any I/O.
//
// Node's own `node:http2` takes as long to load as Node itself takes to start; endpoint.ts, which waits for others, has the time.

const TYPE = { data: 0, headers: 1, reset: 3, settings: 4, push: 5, ping: 6, goAway: 7, windowUpdate: 8, continuation: 9 };
const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 };
const SETTING = { headerTableSize: 1, enablePush: 2, initialWindowSize: 4, maxFrameSize: 5 };
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const MAX_FRAME_BYTES = 16_384; // until the other side allows more; we never do
const HEAD_BYTES = 9;

function frame(type, flags, stream, payload) {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  payload.copy(bytes, HEAD_BYTES);
  return bytes;
}

function settings(values) {
  const pairs = Object.entries(values);
  const payload = Buffer.alloc(6 * pairs.length);
  pairs.forEach(([name, value], at) => payload.writeUInt32BE(value, payload.writeUInt16BE(Number(name), 6 * at)));
  return frame(TYPE.settings, 0, 0, payload);
}

function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

// Cuts what comes in into frames.
class FrameReader {
  #rest = Buffer.alloc(0);

  *push(chunk) {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (this.#rest.length >= HEAD_BYTES) {
      const head = this.#rest;
      const length = head.readUIntBE(0, 3);
      // An answer in HTTP/1 looks like a frame of five megabytes.
      if (length > MAX_FRAME_BYTES) throw new Error("it does not speak HTTP/2");
      if (head.length < HEAD_BYTES + length) return;
      this.#rest = head.subarray(HEAD_BYTES + length);
      const payload = head.subarray(HEAD_BYTES, HEAD_BYTES + length);
      yield { type: head[3], flags: head[4], stream: head.readUInt32BE(5) & 0x7fffffff, payload };
    }
  }
}

// The payload of a DATA or HEADERS frame, without padding and priority.
function content({ type, flags, payload }) {
  const before = flags & FLAG.padded ? 1 : 0;
  const after = before ? (payload[0] ?? 0) : 0;
  const start = before + (type === TYPE.headers && flags & FLAG.priority ? 5 : 0);
  if (start + after > payload.length) throw new Error("it sent a frame that is all padding");
  return payload.subarray(start, payload.length - after);
}

// --- header fields ---------------------------------------------------------------------------------------------

const STATUS_FIELDS = ["200", "204", "206", "304", "400", "404", "500"]; // of the static table, from 8 on
const FIRST_STATUS = 8;
const STATIC_FIELDS = 61;

// Each code of the Huffman table with up to 15 bits, by its length: the codes are in this order. Longer ones are of
// characters that no name and no value of ours has; `\` has the first one of 19 bits.
const HUFFMAN = [
  [5, "012aceiost"],
  [6, " %-./3456789=A_bdfghlmnpru"],
  [7, ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz"],
  [8, "&*,;XZ"],
  [10, '!"()?'],
  [11, "'+|"],
  [12, "#>"],
  [13, "\0$@[]~"],
  [14, "^}"],
  [15, "<`{"],
  [19, "\\"],
];

// Writes header fields as they are: no table, no Huffman code.
function fieldBlock(fields) {
  const texts = Object.entries(fields).flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]);
  return Buffer.concat(texts);
}

function text(value) {
  const bytes = Buffer.from(value);
  const length = [Math.min(bytes.length, 127)];
  if (bytes.length >= 127) {
    let rest = bytes.length - 127;
    for (; rest > 127; rest >>= 7) length.push((rest & 127) | 128);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}

// Reads header fields from someone who was told that there is no table for what was sent before. Those of the static
// table are left out, but `:status`.
function readFields(block) {
  const fields = new Map();
  let at = 0;
  const integer = (bits) => {
    const most = (1 << bits) - 1;
    let value = block[at++] & most;
    if (value < most) return value;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = block[at++];
      if (byte === undefined) break;
      value += (byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Error("it sent a header field that has no end");
  };
  const string = () => {
    if (at >= block.length) throw new Error("it sent a header field that has no end");
    const isHuffman = (block[at] & 128) !== 0;
    const end = integer(7) + at;
    if (end > block.length) throw new Error("it sent a header field that has no end");
    const bytes = block.subarray(at, end);
    at = end;
    return isHuffman ? unpacked(bytes) : bytes.toString("latin1");
  };
  const name = (bits) => {
    const index = integer(bits);
    if (index === 0) return string();
    if (index > STATIC_FIELDS) throw new Error("it sent a header field by a table that it was told not to use");
    return STATUS_FIELDS[index - FIRST_STATUS] === undefined ? `#${index}` : ":status";
  };
  while (at < block.length) {
    const first = block[at];
    if (first & 128) {
      const index = integer(7);
      if (index === 0 || index > STATIC_FIELDS) throw new Error("it sent a header field by a table that it was told not to use");
      const status = STATUS_FIELDS[index - FIRST_STATUS];
      if (status !== undefined) fields.set(":status", status);
    } else if ((first & 224) === 32) {
      integer(5); // the size of the table: none
    } else {
      const key = name(first & 64 ? 6 : 4);
      fields.set(key, string());
    }
  }
  return fields;
}

function unpacked(bytes) {
  let characters = "";
  let code = 0;
  let length = 0;
  let first = 0; // the first code of this length
  let lengthBefore = 0;
  let row = 0;
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    code = (code << 1) | ((bytes[bit >> 3] >> (7 - (bit & 7))) & 1);
    length++;
    const [bits, all] = HUFFMAN[row] ?? [0, ""];
    if (length !== bits) continue;
    first <<= length - lengthBefore;
    const character = all[code - first];
    if (character === undefined) {
      first += all.length;
      lengthBefore = length;
      if (++row === HUFFMAN.length) return `${characters}\ufffd`;
    } else {
      characters += character;
      code = length = first = lengthBefore = row = 0;
    }
  }
  return characters;
}

return { TYPE, FLAG, SETTING, PREFACE, MAX_FRAME_BYTES, frame, settings, uint32, FrameReader, content, fieldBlock, readFields };
})();

// --- proxy ---

const proxy = () => {
// The way through a proxy, where the environment names one: grpc_proxy, https_proxy or http_proxy, and no_proxy.
// Never to this machine: no proxy leads back to it.
const { connect } = process.getBuiltinModule("node:net");
const { hostname: ownName, networkInterfaces } = process.getBuiltinModule("node:os");

// Opens a connection to a host by way of the proxy, or straight to it where that is wanted.
async function tunnel(host, port) {
  const { grpc_proxy, https_proxy, http_proxy, no_grpc_proxy, no_proxy } = process.env;
  const proxy = grpc_proxy || https_proxy || http_proxy;
  const without = (no_grpc_proxy || no_proxy || "").split(",").map((each) => each.trim()).filter(Boolean);
  if (!proxy || isOwn(host) || without.some((each) => each === "*" || host.endsWith(each))) return connect({ host, port });
  const { hostname, port: at, username, password } = new URL(proxy);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(at || 80) });
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username ? `Proxy-Authorization: Basic ${Buffer.from(login).toString("base64")}\r\n` : "";
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  return new Promise((resolve, reject) => {
    let answer = "";
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`the proxy ${hostname} closed the connection`)));
    socket.on("readable", function read() {
      // Byte by byte: what follows the answer's head is the other side's.
      for (let byte = socket.read(1); byte !== null; byte = socket.read(1)) {
        answer += byte.toString("latin1");
        if (!answer.endsWith("\r\n\r\n") && answer.length < 16_384) continue;
        socket.off("readable", read);
        if (/^HTTP\/1\.[01] 2\d\d/.test(answer)) return resolve(socket);
        socket.destroy();
        return reject(new Error(`the proxy ${hostname} answered: ${answer.split("\r\n")[0]}`));
      }
    });
  });
}

function isOwn(host) {
  if (host === "localhost" || host === ownName() || host === "::1" || /^127\./.test(host)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === host));
}

return { tunnel };
};

// --- endpoint ---

const endpoint = () => {
// A server for one method of gRPC, in the clear: the arena calls it and streams in both directions.
const { createServer } = process.getBuiltinModule("node:http2");

// Listens on HOST:PORT or unix:/path; gives the port. `refusal` is asked with what a caller sent as its authorization;
// `begin` gets what sends messages to a caller, and gives what takes messages from it.
function listen(address, path, refusal, begin) {
  const server = createServer({ settings: { initialWindowSize: 1 << 20 } });
  server.on("session", (session) => {
    const pings = setInterval(() => session.ping(() => {}), KEEPALIVE_MS);
    session.on("close", () => clearInterval(pings));
    session.on("error", () => {}); // its streams end, and the arena dials again
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {}); // it is gone, with all that was said on it
    const status = wrong(headers, path) ?? refusal(headers.authorization ?? "");
    if (status) stream.respond({ ...HEAD, ...fields(status) }, { endStream: true });
    else void converse(stream, begin);
  });
  const [, host, port] = /^(.*):(\d+)$/.exec(address) ?? [];
  const where = address.startsWith("unix:") ? { path: address.replace(/^unix:(\/\/)?/, "") } : { host: host?.replace(/^\[|\]$/g, ""), port: Number(port) };
  return new Promise((resolve, reject) => {
    if (!("path" in where) && port === undefined) return reject(new Error(`--listen ${address}: must be HOST:PORT`));
    server.on("error", reject);
    server.listen(where, () => resolve((server.address()).port ?? 0));
  });
}

const HEAD = { ":status": 200, "content-type": "application/grpc" };

function wrong(headers, path) {
  if (headers[":path"] !== path) return { code: CODE.unimplemented, details: `${headers[":path"]}: there is only ${path}` };
  if (!headers["content-type"]?.startsWith("application/grpc")) return { code: CODE.internal, details: "content-type: must be application/grpc" };
  return null;
}

function fields({ code, details }) {
  return { "grpc-status": String(code), ...(details && { "grpc-message": encodeURIComponent(details).replaceAll("%20", " ") }) };
}

async function converse(stream, begin) {
  let status = { code: CODE.ok, details: "" };
  stream.respond(HEAD, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(fields(status)));
  const take = begin((message) => stream.writable && stream.write(prefixed(message)));
  const reader = new MessageReader();
  try {
    // What is not read yet counts for HTTP/2's windows: the arena waits while the bot thinks.
    for await (const part of stream) for (const message of reader.push(part)) await take(message);
  } catch (error) {
    if (error instanceof CallError) status = { code: error.code, details: error.message };
  }
  if (stream.writable) stream.end();
}

return { listen };
};

// --- grpc ---

const { CODE, KEEPALIVE_MS, CallError, prefixed, MessageReader, statusOf, call, Call } = (() => {
// gRPC over HTTP/2: how messages lie in a stream, and the one call that a bot makes: streams in both directions.
const { connect: connectTo, isIP } = process.getBuiltinModule("node:net");

const CODE = { ok: 0, cancelled: 1, unknown: 2, permissionDenied: 7, resourceExhausted: 8, unimplemented: 12, internal: 13, unavailable: 14, unauthenticated: 16 };
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 20_000;
const LINGER_MS = 1000;
const MAX_MESSAGE_BYTES = 16 << 20;
const MAX_FIELD_BYTES = 64 << 10;
const PREFIX_BYTES = 5;
const WINDOW_BYTES = 1 << 20; // what the other side may send before messages are taken
const FIRST_WINDOW_BYTES = 65_535;
const STREAM = 1; // the only one of its connection
const RESETS = { 0: CODE.unknown, 7: CODE.unavailable, 8: CODE.cancelled, 11: CODE.resourceExhausted, 12: CODE.permissionDenied };
const HTTP_CODES = { 400: CODE.internal, 401: CODE.unauthenticated, 403: CODE.permissionDenied, 404: CODE.unimplemented, 429: CODE.unavailable, 502: CODE.unavailable, 503: CODE.unavailable, 504: CODE.unavailable };

// Ends a call with a status.
class CallError extends Error {
           code;

  constructor(code, details) {
    super(details);
    this.code = code;
  }
}

// A message as it lies in a stream: not compressed, its length, its bytes.
function prefixed(message) {
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  bytes[0] = 0;
  bytes.writeUInt32BE(message.length, 1);
  message.copy(bytes, PREFIX_BYTES);
  return bytes;
}

// Puts messages together from the parts in which they come.
class MessageReader {
  #parts = [];
  #bytes = 0;
  #due = PREFIX_BYTES;

  *push(part) {
    this.#parts.push(part);
    this.#bytes += part.length;
    while (this.#bytes >= this.#due) {
      const all = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
      this.#parts = [all];
      const length = all.readUInt32BE(1);
      if (all[0] !== 0) throw new CallError(CODE.internal, "it sent a compressed message, which was not agreed");
      if (length > MAX_MESSAGE_BYTES) throw new CallError(CODE.resourceExhausted, `it sent a message of ${length} bytes, at most ${MAX_MESSAGE_BYTES} are taken`);
      this.#due = PREFIX_BYTES + length;
      if (all.length < this.#due) return;
      yield all.subarray(PREFIX_BYTES, this.#due);
      this.#parts = [all.subarray(this.#due)];
      this.#bytes -= this.#due;
      this.#due = PREFIX_BYTES;
    }
  }
}

// Reads a status from the fields at a stream's end.
function statusOf(fields) {
  const code = fields.get("grpc-status");
  const http = fields.get(":status") ?? "200";
  if (code === undefined) return http === "200" ? { code: CODE.unknown, details: "it ended the stream without a status" } : httpStatus(http);
  return { code: Number(code), details: unescaped(fields.get("grpc-message") ?? "") };
}

function httpStatus(http) {
  return { code: HTTP_CODES[http] ?? CODE.unknown, details: `it answered with the HTTP status ${http}` };
}

function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Begins a call to an address: unix:/path, http://host:port (in the clear), https://host:port, or host:port (TLS but on
// this machine).
function call(address, path, metadata, take) {
  const [, scheme, target = address] = /^(?:(https?):\/\/)?(.*)$/.exec(address) ?? [];
  const here = /^(unix:|localhost:|127\.|\[::1\])/.test(target);
  const clear = scheme === "http" || (scheme === undefined && (here || process.env.ARENA_TLS === "off"));
  const begun = new Call(take);
  connected(target, clear).then(
    (socket) => begun.begin(socket, clear ? "http" : "https", target.startsWith("unix:") ? "localhost" : target, path, metadata),
    (error) => begun.fail(CODE.unavailable, words(error)),
  );
  return begun;
}

async function connected(target, clear) {
  if (target.startsWith("unix:")) return connectTo(target.replace(/^unix:(\/\/)?/, ""));
  const [, name = "", port = "443"] = /^(.*?)(?::(\d+))?$/.exec(target) ?? [];
  const host = name.replace(/^\[|\]$/g, "");
  const proxied = Object.keys(process.env).some((each) => /^(grpc|https?)_proxy$/.test(each));
  const socket = proxied ? await (proxy()).tunnel(host, Number(port)) : connectTo({ host, port: Number(port) });
  if (clear) return socket;
  const { connect: secure } = await import("node:tls");
  const roots = process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH;
  const ca = roots ? process.getBuiltinModule("node:fs").readFileSync(roots) : undefined;
  const inside = secure({ socket, servername: isIP(host) ? "" : host, host, ALPNProtocols: ["h2"], ca });
  socket.on("error", (error) => inside.destroy(error));
  inside.on("secureConnect", () => inside.alpnProtocol === "h2" || inside.destroy(new Error("it does not speak HTTP/2")));
  return inside;
}

// A host with several addresses gives an error for each.
function words(error) {
  return error.message || error.errors?.[0]?.message || String(error.code ?? error);
}

// A call on a connection of its own.
class Call {
           status;
  #resolve = () => {};
  #socket = null;
  #frames = new FrameReader();
  #messages = new MessageReader();
  #take;
  #done = false;
  #greeted = false; // whether the other side's settings have come
  #answered = false; // whether the response has begun
  #fields = null; // header fields whose block goes on
  #out = [];
  #connectionWindow = FIRST_WINDOW_BYTES;
  #streamWindow = FIRST_WINDOW_BYTES;
  #firstStreamWindow = FIRST_WINDOW_BYTES;
  #maxFrame = MAX_FRAME_BYTES;
  #taking = 0; // messages that are not yet dealt with
  #owed = 0; // bytes that the other side may send again when they are
  #awaited = null;
  #pings = null;

  // `take` is called for each message; until all promises that it gave are kept, the other side may only fill a window.
  constructor(take) {
    this.#take = take;
    this.status = new Promise((resolve) => (this.#resolve = resolve));
    this.#await(CONNECT_TIMEOUT_MS, "it did not answer in time");
  }

  // Begins the call, once the connection is there. What was sent before goes along.
  begin(socket, scheme, authority, path, metadata) {
    if (this.#done) return void socket.destroy();
    this.#socket = socket;
    socket.setNoDelay?.(true);
    socket.on("error", (error) => this.fail(CODE.unavailable, words(error)));
    socket.on("close", () => this.fail(CODE.unavailable, "the connection was closed"));
    socket.on("data", (chunk) => this.#guarded(() => this.#read(chunk)));
    const fields = { ":method": "POST", ":scheme": scheme, ":path": path, ":authority": authority, te: "trailers", "content-type": "application/grpc", "user-agent": "arena.ts", ...metadata };
    socket.write(
      Buffer.concat([
        PREFACE,
        settings({ [SETTING.headerTableSize]: 0, [SETTING.enablePush]: 0, [SETTING.initialWindowSize]: WINDOW_BYTES }),
        frame(TYPE.windowUpdate, 0, 0, uint32(WINDOW_BYTES - FIRST_WINDOW_BYTES)),
        frame(TYPE.headers, FLAG.endHeaders, STREAM, fieldBlock(fields)),
        ...this.#sendable(),
      ]),
    );
    this.#pings = setInterval(() => this.#ping(), KEEPALIVE_MS);
  }

  send(message) {
    if (this.#done) return;
    this.#out.push(prefixed(message));
    this.#flush();
  }

  // Ends the call, if it has not ended: nothing more is sent or taken.
  fail(code, details) {
    this.#end({ code, details });
  }

  #end(status) {
    if (this.#done) return;
    this.#done = true;
    if (this.#awaited) clearTimeout(this.#awaited);
    if (this.#pings) clearInterval(this.#pings);
    if (this.#socket?.writable) this.#socket.end(frame(TYPE.goAway, 0, 0, Buffer.alloc(8)));
    setTimeout(() => this.#socket?.destroy(), LINGER_MS).unref(); // whether or not the other side heard it
    this.#resolve(status);
  }

  #guarded(act) {
    try {
      act();
    } catch (error) {
      this.fail(error instanceof CallError ? error.code : CODE.unavailable, (error).message);
    }
  }

  #await(ms, otherwise) {
    // A bot that thought for long hears what came meanwhile before it gives up.
    const giveUp = () => setImmediate(() => setImmediate(() => this.#awaited && this.fail(CODE.unavailable, otherwise)));
    this.#awaited = setTimeout(giveUp, ms);
  }

  #answer() {
    if (this.#awaited) clearTimeout(this.#awaited);
    this.#awaited = null;
  }

  #ping() {
    if (this.#awaited) return;
    this.#socket?.write(frame(TYPE.ping, 0, 0, Buffer.alloc(8)));
    this.#await(KEEPALIVE_TIMEOUT_MS, "the connection is dead: nothing answered for 20 s");
  }

  // --- what comes ---

  #read(chunk) {
    for (const each of this.#frames.push(chunk)) {
      if (this.#done) return;
      this.#hear(each);
    }
  }

  #hear(each) {
    const { type, flags, stream, payload } = each;
    if (this.#fields && type !== TYPE.continuation) throw new Error("it broke off its header fields");
    if (type === TYPE.data && stream === STREAM) this.#data(each);
    else if (type === TYPE.headers) this.#headers({ ...each, payload: content(each) });
    else if (type === TYPE.continuation) this.#headers({ ...each, flags: flags | (this.#fields?.flags ?? 0), payload: Buffer.concat([this.#fields?.payload ?? payload, payload]) });
    else if (type === TYPE.settings) this.#settings(flags, payload);
    else if (type === TYPE.ping && flags & FLAG.ack) this.#answer();
    else if (type === TYPE.ping) this.#socket?.write(frame(TYPE.ping, FLAG.ack, 0, payload));
    else if (type === TYPE.windowUpdate) this.#widen(stream, payload.readUInt32BE() & 0x7fffffff);
    else if (type === TYPE.reset && stream === STREAM) this.#reset(payload.readUInt32BE());
    else if (type === TYPE.goAway) this.#goAway(payload);
    else if (type === TYPE.push) throw new Error("it pushed what nobody asked for");
  }

  #data(each) {
    this.#owed += each.payload.length; // padding counts, too
    if (!this.#answered) throw new CallError(CODE.internal, "it sent data before its header fields");
    for (const message of this.#messages.push(content(each))) {
      this.#taking++;
      void this.#take(message).then(() => {
        this.#taking--;
        this.#credit();
      });
    }
    this.#credit();
    if (each.flags & FLAG.endStream) this.#end(statusOf(new Map()));
  }

  #credit() {
    if (this.#taking || this.#done || this.#owed < WINDOW_BYTES / 4) return;
    const more = uint32(this.#owed);
    this.#owed = 0;
    this.#socket?.write(Buffer.concat([frame(TYPE.windowUpdate, 0, 0, more), frame(TYPE.windowUpdate, 0, STREAM, more)]));
  }

  #headers(each) {
    if (each.payload.length > MAX_FIELD_BYTES) throw new Error("its header fields are too long");
    this.#fields = each.flags & FLAG.endHeaders ? null : each;
    if (this.#fields) return;
    const fields = readFields(each.payload);
    const http = fields.get(":status") ?? "200";
    if (each.flags & FLAG.endStream) this.#end(statusOf(fields));
    else if (http === "200") this.#answered = true;
    else if (!http.startsWith("1")) this.#end(httpStatus(http));
  }

  #settings(flags, payload) {
    if (flags & FLAG.ack) return;
    if (!this.#greeted) this.#answer();
    this.#greeted = true;
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2);
      const name = payload.readUInt16BE(at);
      if (name === SETTING.maxFrameSize) this.#maxFrame = value;
      if (name !== SETTING.initialWindowSize) continue;
      this.#streamWindow += value - this.#firstStreamWindow;
      this.#firstStreamWindow = value;
    }
    this.#socket?.write(frame(TYPE.settings, FLAG.ack, 0, Buffer.alloc(0)));
    this.#flush();
  }

  #reset(error) {
    this.fail(RESETS[error] ?? CODE.internal, `it reset the stream (HTTP/2 error ${error})`);
  }

  #goAway(payload) {
    const last = payload.readUInt32BE(0) & 0x7fffffff;
    if (last >= STREAM) return; // it lets this call end, as a server does that shuts down
    const said = payload.subarray(8).toString();
    this.fail(CODE.unavailable, `it takes no more calls${said && `: ${said}`}`);
  }

  // --- what goes ---

  #widen(stream, more) {
    if (stream === 0) this.#connectionWindow += more;
    else if (stream === STREAM) this.#streamWindow += more;
    this.#flush();
  }

  #flush() {
    const frames = this.#socket ? this.#sendable() : [];
    if (frames.length) this.#socket?.write(Buffer.concat(frames));
  }

  // Takes as much of what waits as the other side's windows let through.
  #sendable() {
    const frames = [];
    for (let [first] = this.#out; first; [first] = this.#out) {
      const length = Math.min(first.length, this.#maxFrame, this.#connectionWindow, this.#streamWindow);
      if (length <= 0) break;
      frames.push(frame(TYPE.data, 0, STREAM, first.subarray(0, length)));
      this.#connectionWindow -= length;
      this.#streamWindow -= length;
      if (length < first.length) this.#out[0] = first.subarray(length);
      else this.#out.shift();
    }
    return frames;
  }
}

return { CODE, KEEPALIVE_MS, CallError, prefixed, MessageReader, statusOf, call, Call };
})();

// --- arena ---

// The arena's protocol for a bot in TypeScript: gRPC and the arena's protos, with nothing but what Node brings.
//
//   run({ name, choose })     dials ARENA_REFEREE with ARENA_TOKEN, and again whenever the connection breaks;
//                             with --listen HOST:PORT it is an endpoint instead: the arena dials it
//
// The protocol is described in protos/arena/v1/bot.proto, comment by comment.

const PROTOCOL = 1;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;
const NOTED_ANSWERS = 32; // in a frame, which may have 64 KB: notes have up to 1 KB each
const STEADY_MS = 10_000; // a connection that lasted this long was a good one: the pauses begin anew

// --- playing ---------------------------------------------------------------------------------------------------

const noted = new WeakMap();

// One stream: frames of the arena in, frames of the bot out.
class Conversation {
  goodbye = null;
  #tables = new Map();
  #bot;
  #heard;

  constructor(bot, heard) {
    this.#bot = bot;
    this.#heard = heard;
  }

  hello() {
    const { name, version = "1", games = [], variants = [], seatCounts = [], matchesAtOnce = 1, say } = this.#bot;
    const offers = games.map((game) => ({ game, variants, seatCounts }));
    const hello = { protocol: PROTOCOL, name, version, games: offers, matchesAtOnce, talks: say !== undefined, sdk: "arena.ts 0.1" };
    return { messages: [{ hello }] };
  }

  // Takes in a frame; gives the frames that answer it, none if nothing in it asks for an answer.
  async reply(frame) {
    const messages = [];
    for (const message of frame.messages) {
      if (message.message === "start") {
        this.#tables.set(message.start.table, { start: message.start, history: [...message.start.history] });
      } else if (message.message === "ask") {
        messages.push(await this.#answer(message.ask));
      } else if (message.message === "end") {
        this.#tables.delete(message.end.table);
      } else if (message.message === "fault") {
        console.error(`fault: ${message.fault.kind}: ${message.fault.message}`);
      } else if (message.message === "welcome") {
        this.#heard(message.welcome.referees);
      } else if (message.message === "goodbye") {
        this.goodbye = message.goodbye;
      }
    }
    const frames = [];
    for (let at = 0; at < messages.length; at += NOTED_ANSWERS) frames.push({ messages: messages.slice(at, at + NOTED_ANSWERS) });
    return frames;
  }

  async #answer(ask) {
    const table = this.#tables.get(ask.table);
    if (table === undefined) throw new Error(`asked at table ${ask.table}, which never started`);
    table.history.push(...ask.seen);
    const decision = decide(table, ask);
    const about = { table: ask.table, decision: ask.decision };
    if (ask.talk) return { say: { ...about, line: (await this.#bot.say?.(decision)) ?? {} } };
    const chosen = await this.#bot.choose(decision);
    const action = decision.legal.indexOf(chosen);
    if (action < 0) throw new Error(`illegal answer ${chosen}: legal are ${decision.legal.join(", ")}`);
    return { answer: { ...about, action, notes: written(decision, chosen) } };
  }
}

// What was noted on a decision, as it is sent; null if nothing was, or if it breaks a limit.
function written(decision, chosen) {
  const { values = {}, numbers = {}, text = "" } = noted.get(decision) ?? {};
  const rank = ([action, value]) => (action === chosen ? Infinity : value);
  const rated = Object.entries(values).sort((one, other) => rank(other) - rank(one)).slice(0, 16);
  const candidates = rated.map(([action, value]) => ({ action, value }));
  if (!candidates.length && !Object.keys(numbers).length && !text) return null;
  const notes = { candidates, numbers, text };
  const size = encode("arena.v1.Notes", notes).length;
  if (size <= 1024) return notes; // the arena checks the other limits
  console.error(`notes in match ${decision.match}, decision ${decision.number}: dropped: they have ${size} bytes, at most 1024 are allowed`);
  return null;
}

function decide({ start, history }, ask) {
  const decision = {
    match: start.match,
    game: start.game,
    variant: start.variant,
    options: start.options,
    seat: start.seat,
    seats: start.seats,
    number: ask.decision,
    legal: ask.actions,
    talk: ask.talk,
    get view() {
      return decode(start.viewType, ask.view);
    },
    history: history.slice(),
    clock: { bankMs: ask.bankMs, limitMs: ask.limitMs },
    random: generator(start.botSeed, ask.decision),
    note: (more) => {
      const before = noted.get(decision);
      const values = { ...before?.values, ...more.values };
      noted.set(decision, { values, numbers: { ...before?.numbers, ...more.numbers }, text: more.text ?? before?.text });
    },
  };
  return decision;
}

// Returns a generator of numbers from 0 to 1 for a decision: asked again over another connection, a bot draws the same ones. It is
// sfc32, the "small fast counting" generator of PractRand, with the number of the decision as its counter.
function generator(seed, decision) {
  let a = seed.readInt32LE(0);
  let b = seed.readInt32LE(4);
  let c = seed.readInt32LE(8);
  let counter = decision;
  const next = () => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 15; round++) next();
  return next;
}

// Takes a frame in and sends what answers it, as soon as the frames before it are answered.
function converse(conversation, send) {
  send(conversation.hello());
  let last = Promise.resolve();
  return (frame) => {
    last = last.then(async () => (await conversation.reply(frame)).forEach(send));
    last.catch(crash);
    return last;
  };
}

function crash(error) {
  console.error(error);
  process.exit(1);
}

// --- being reached ---------------------------------------------------------------------------------------------

// Runs a bot's program.
function run(bot) {
  const { listen, secret: shown } = given();
  const secret = clean(shown, "--secret (ARENA_BOT_SECRET)");
  const referee = process.env.ARENA_REFEREE?.trim();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
  if (listen) serve(bot, listen, secret).catch(crash);
  else if (referee) dialIn(bot, referee).catch(crash);
  else {
    console.error("nobody to play for; try `arena match GAME bot.ts greedy`, give --listen HOST:PORT, or set ARENA_REFEREE and ARENA_TOKEN");
    process.exit(2);
  }
}

// Returns a token or secret without the blanks and line ends around it. One that could not be in a header ends the program; it is not shown.
function clean(text, name) {
  const secret = text.trim();
  if (/^[!-~]*$/.test(secret)) return secret;
  console.error(`${name}: has a blank, a line break or a letter beyond ASCII in the middle, as no token has; copy it again (it is not shown here)`);
  process.exit(1);
}

// Reads the command line; loads what reads one only if there is one: a bot that starts should answer soon.
function given() {
  const secret = process.env.ARENA_BOT_SECRET ?? "";
  if (process.argv.length <= 2) return { secret };
  const { parseArgs } = process.getBuiltinModule("node:util");
  return parseArgs({ options: { listen: { type: "string" }, secret: { type: "string", default: secret } } }).values;
}

async function dialIn(bot, first) {
  const lines = new Map();
  const open = (address) => {
    if (!lines.has(address)) lines.set(address, keep(bot, address, address === first, open).finally(() => lines.delete(address)));
  };
  open(first);
  while (lines.size) await Promise.race(lines.values());
}

// Keeps a stream to a referee: connects again, with growing pauses, until it says goodbye for good.
async function keep(bot, address, first, open) {
  const metadata = { authorization: `Bearer ${clean(process.env.ARENA_TOKEN ?? "", "ARENA_TOKEN")}` };
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const began = Date.now();
    const conversation = new Conversation(bot, (referees) => referees.forEach(open));
    let heard = Promise.resolve();
    const stream = call(address, "/arena.v1.BotService/Connect", metadata, (message) => {
      heard = take(decode("arena.v1.ConnectResponse", message));
      return heard;
    });
    const take = converse(conversation, (frame) => stream.send(encode("arena.v1.ConnectRequest", frame)));
    const status = await stream.status;
    await heard; // a goodbye may have come with the last frame
    if (conversation.goodbye && !conversation.goodbye.comeBack) return;
    if (first && status.code === CODE.unauthenticated) throw new Error(`the arena refused the connection: ${status.details}`);
    if (Date.now() - began > STEADY_MS) pause = FIRST_PAUSE_MS;
    const wait = pause * (0.5 + Math.random() / 2);
    console.error(`${address}: ${conversation.goodbye?.reason || status.details || "the stream ended"}; connecting again in ${(wait / 1000).toFixed(1)} s`);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

// Waits for the arena. In the clear: something in front has to do TLS where other machines can reach it.
async function serve(bot, address, secret) {
  const { listen } = endpoint();
  const { timingSafeEqual } = await import("node:crypto");
  const due = Buffer.from(`Bearer ${secret}`);
  const refusal = (authorization) => {
    const given = Buffer.from(authorization);
    if (!secret || (given.length === due.length && timingSafeEqual(given, due))) return null;
    return { code: CODE.unauthenticated, details: "authorization: must be `Bearer <the bot's secret>`" };
  };
  const port = await listen(address, "/arena.v1.EndpointService/Serve", refusal, (send) => {
    const take = converse(new Conversation(bot, () => {}), (frame) => send(encode("arena.v1.ServeResponse", frame)));
    return (message) => take(decode("arena.v1.ServeRequest", message));
  });
  console.log(`listening on ${address.replace(/:\d+$/, `:${port}`)}`);
}

export { run };
