// Protocol buffers by the tables of messages.ts: as much of proto3 as the arena's protos use.
//
// What is read has all fields, in camelCase: what was not sent is 0, "", false, no bytes, [], {}, or null for a message.
// Of a oneof, and of what is `optional`, only what was sent is there, and the oneof's name says which. Enums are names.
import { MESSAGES } from "./messages.ts";

interface Field {
  name: string;
  number: number;
  type: string;
  isEnum: boolean;
  wire: number;
  repeated: boolean;
  map: boolean;
  oneof: string; // empty if it is in none
}

const VARINT = 0;
const EIGHT_BYTES = 1;
const DELIMITED = 2;
const FOUR_BYTES = 5;
const WIRE_TYPES: Record<string, number> = { uint32: VARINT, sint32: VARINT, bool: VARINT, double: EIGHT_BYTES };
const UNSET: Record<string, unknown> = { uint32: 0, sint32: 0, bool: false, double: 0, string: "" };
const MAX_DEPTH = 64;

const tables = new Map<string, Map<number, Field>>();
const enums = new Map<string, [name: string, number: number][]>();

function parts(type: string): string[] {
  const line = MESSAGES[type];
  if (line === undefined) throw new Error(`message ${type}: this project does not know it; take messages.ts from a newer Bot Arena`);
  return line ? line.split("; ") : [];
}

function table(type: string): Map<number, Field> {
  let fields = tables.get(type);
  if (fields === undefined) tables.set(type, (fields = new Map(parts(type).map(field).map((each) => [each.number, each]))));
  return fields;
}

function field(text: string): Field {
  const [, name = "", number, sign, type = "", mark, oneof = ""] = /^(\w+) (\d+) (=?)([\w.]+)(\[\]|\{\}|\?|@(\w+))?$/.exec(text)!;
  const wire = sign ? VARINT : (WIRE_TYPES[type] ?? DELIMITED);
  return { name, number: Number(number), type, isEnum: sign === "=", wire, repeated: mark === "[]", map: mark === "{}", oneof: mark === "?" ? `_${name}` : oneof };
}

function names(type: string): [string, number][] {
  let pairs = enums.get(type);
  if (pairs === undefined) {
    pairs = parts(type).map((text) => text.split(" ")).map(([name = "", number]) => [name, Number(number)]);
    enums.set(type, pairs);
  }
  return pairs;
}

function unset({ type, isEnum, repeated, map }: Field): unknown {
  if (repeated) return [];
  if (map) return {};
  if (isEnum) return names(type)[0]![0];
  return type === "bytes" ? Buffer.alloc(0) : (UNSET[type] ?? null);
}

// --- reading ---------------------------------------------------------------------------------------------------

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get more(): boolean {
    return this.#at < this.#bytes.length;
  }

  // The lower 32 bits of a number of up to ten bytes.
  number(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#take(1)[0]!;
      if (shift < 32) value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw new Error("a message is broken: a number has more than ten bytes");
  }

  bytes(): Buffer {
    return this.#take(this.number());
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error("a message is broken: it ends within a field");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  skip(wire: number): void {
    if (wire === VARINT) this.number();
    else if (wire === EIGHT_BYTES) this.#take(8);
    else if (wire === DELIMITED) this.bytes();
    else if (wire === FOUR_BYTES) this.#take(4);
    else throw new Error(`a message is broken: there is no wire type ${wire}`);
  }

  value({ type, isEnum }: Field, depth: number): unknown {
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
export function decode(type: string, bytes: Buffer): any {
  return read(type, bytes, 0);
}

function read(type: string, bytes: Buffer, depth: number): any {
  if (depth > MAX_DEPTH) throw new Error(`a message is broken: it has more than ${MAX_DEPTH} messages in each other`);
  const fields = table(type);
  const object: Record<string, any> = {};
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

function pair(field: Field, reader: Reader, depth: number): [string, unknown] {
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
export function encode(type: string, object: Record<string, any>): Buffer {
  const out: Buffer[] = [];
  for (const field of table(type).values()) {
    const value = object[field.name];
    if (value === undefined || value === null) continue;
    if (field.map) {
      for (const [key, each] of Object.entries(value)) {
        const entry = Buffer.concat([number((1 << 3) | DELIMITED), sized(Buffer.from(key)), number((2 << 3) | field.wire), written(field, each)]);
        out.push(number((field.number << 3) | DELIMITED), sized(entry));
      }
    } else if (field.repeated && field.wire !== DELIMITED) {
      if (value.length) out.push(number((field.number << 3) | DELIMITED), sized(Buffer.concat(value.map((each: unknown) => written(field, each)))));
    } else {
      const sent = field.repeated ? value : field.oneof || !Object.is(value, unset(field)) ? [value] : [];
      for (const each of sent) out.push(number((field.number << 3) | field.wire), written(field, each));
    }
  }
  return Buffer.concat(out);
}

function written({ type, isEnum }: Field, value: any): Buffer {
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

function number(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value >>> 0; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

function sized(bytes: Buffer): Buffer {
  return Buffer.concat([number(bytes.length), bytes]);
}
