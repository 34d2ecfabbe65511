// HTTP/2 as a client of one stream needs it: its frames (RFC 9113) and its header fields (RFC 7541), without any I/O.
//
// Node's own `node:http2` takes as long to load as Node itself takes to start; endpoint.ts, which waits for others, has the time.

export const TYPE = { data: 0, headers: 1, reset: 3, settings: 4, push: 5, ping: 6, goAway: 7, windowUpdate: 8, continuation: 9 };
export const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 };
export const SETTING = { headerTableSize: 1, enablePush: 2, initialWindowSize: 4, maxFrameSize: 5 };
export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
export const MAX_FRAME_BYTES = 16_384; // until the other side allows more; we never do
const HEAD_BYTES = 9;

export interface Frame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  payload.copy(bytes, HEAD_BYTES);
  return bytes;
}

export function settings(values: Record<number, number>): Buffer {
  const pairs = Object.entries(values);
  const payload = Buffer.alloc(6 * pairs.length);
  pairs.forEach(([name, value], at) => payload.writeUInt32BE(value, payload.writeUInt16BE(Number(name), 6 * at)));
  return frame(TYPE.settings, 0, 0, payload);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

// Cuts what comes in into frames.
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  *push(chunk: Buffer): Generator<Frame> {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (this.#rest.length >= HEAD_BYTES) {
      const head = this.#rest;
      const length = head.readUIntBE(0, 3);
      // An answer in HTTP/1 looks like a frame of five megabytes.
      if (length > MAX_FRAME_BYTES) throw new Error("it does not speak HTTP/2");
      if (head.length < HEAD_BYTES + length) return;
      this.#rest = head.subarray(HEAD_BYTES + length);
      const payload = head.subarray(HEAD_BYTES, HEAD_BYTES + length);
      yield { type: head[3]!, flags: head[4]!, stream: head.readUInt32BE(5) & 0x7fffffff, payload };
    }
  }
}

// The payload of a DATA or HEADERS frame, without padding and priority.
export function content({ type, flags, payload }: Frame): Buffer {
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
const HUFFMAN: [bits: number, characters: string][] = [
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
export function fieldBlock(fields: Record<string, string>): Buffer {
  const texts = Object.entries(fields).flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]);
  return Buffer.concat(texts);
}

function text(value: string): Buffer {
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
export function readFields(block: Buffer): Map<string, string> {
  const fields = new Map<string, string>();
  let at = 0;
  const integer = (bits: number): number => {
    const most = (1 << bits) - 1;
    let value = block[at++]! & most;
    if (value < most) return value;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = block[at++];
      if (byte === undefined) break;
      value += (byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Error("it sent a header field that has no end");
  };
  const string = (): string => {
    if (at >= block.length) throw new Error("it sent a header field that has no end");
    const isHuffman = (block[at]! & 128) !== 0;
    const end = integer(7) + at;
    if (end > block.length) throw new Error("it sent a header field that has no end");
    const bytes = block.subarray(at, end);
    at = end;
    return isHuffman ? unpacked(bytes) : bytes.toString("latin1");
  };
  const name = (bits: number): string => {
    const index = integer(bits);
    if (index === 0) return string();
    if (index > STATIC_FIELDS) throw new Error("it sent a header field by a table that it was told not to use");
    return STATUS_FIELDS[index - FIRST_STATUS] === undefined ? `#${index}` : ":status";
  };
  while (at < block.length) {
    const first = block[at]!;
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

function unpacked(bytes: Buffer): string {
  let characters = "";
  let code = 0;
  let length = 0;
  let first = 0; // the first code of this length
  let lengthBefore = 0;
  let row = 0;
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    code = (code << 1) | ((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1);
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
