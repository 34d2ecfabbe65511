// gRPC over HTTP/2: how messages lie in a stream, and the one call that a bot makes: streams in both directions.
import { connect as connectTo, isIP, type Socket } from "node:net";
import { content, fieldBlock, FLAG, frame, FrameReader, MAX_FRAME_BYTES, PREFACE, readFields, SETTING, settings, TYPE, uint32, type Frame } from "./http2.ts";

export interface Status {
  code: number;
  details: string;
}

export const CODE = { ok: 0, cancelled: 1, unknown: 2, permissionDenied: 7, resourceExhausted: 8, unimplemented: 12, internal: 13, unavailable: 14, unauthenticated: 16 };
export const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 20_000;
const LINGER_MS = 1000;
const MAX_MESSAGE_BYTES = 16 << 20;
const MAX_FIELD_BYTES = 64 << 10;
const PREFIX_BYTES = 5;
const WINDOW_BYTES = 1 << 20; // what the other side may send before messages are taken
const FIRST_WINDOW_BYTES = 65_535;
const STREAM = 1; // the only one of its connection
const RESETS: Record<number, number> = { 0: CODE.unknown, 7: CODE.unavailable, 8: CODE.cancelled, 11: CODE.resourceExhausted, 12: CODE.permissionDenied };
const HTTP_CODES: Record<string, number> = { 400: CODE.internal, 401: CODE.unauthenticated, 403: CODE.permissionDenied, 404: CODE.unimplemented, 429: CODE.unavailable, 502: CODE.unavailable, 503: CODE.unavailable, 504: CODE.unavailable };

// Ends a call with a status.
export class CallError extends Error {
  readonly code: number;

  constructor(code: number, details: string) {
    super(details);
    this.code = code;
  }
}

// A message as it lies in a stream: not compressed, its length, its bytes.
export function prefixed(message: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  bytes[0] = 0;
  bytes.writeUInt32BE(message.length, 1);
  message.copy(bytes, PREFIX_BYTES);
  return bytes;
}

// Puts messages together from the parts in which they come.
export class MessageReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  #due = PREFIX_BYTES;

  *push(part: Buffer): Generator<Buffer> {
    this.#parts.push(part);
    this.#bytes += part.length;
    while (this.#bytes >= this.#due) {
      const all = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
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
export function statusOf(fields: Map<string, string>): Status {
  const code = fields.get("grpc-status");
  const http = fields.get(":status") ?? "200";
  if (code === undefined) return http === "200" ? { code: CODE.unknown, details: "it ended the stream without a status" } : httpStatus(http);
  return { code: Number(code), details: unescaped(fields.get("grpc-message") ?? "") };
}

function httpStatus(http: string): Status {
  return { code: HTTP_CODES[http] ?? CODE.unknown, details: `it answered with the HTTP status ${http}` };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Begins a call to an address: unix:/path, http://host:port (in the clear), https://host:port, or host:port (TLS but on
// this machine).
export function call(address: string, path: string, metadata: Record<string, string>, take: (message: Buffer) => Promise<void>): Call {
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

async function connected(target: string, clear: boolean): Promise<Socket> {
  if (target.startsWith("unix:")) return connectTo(target.replace(/^unix:(\/\/)?/, ""));
  const [, name = "", port = "443"] = /^(.*?)(?::(\d+))?$/.exec(target) ?? [];
  const host = name.replace(/^\[|\]$/g, "");
  const proxied = Object.keys(process.env).some((each) => /^(grpc|https?)_proxy$/.test(each));
  const socket = proxied ? await (await import("./proxy.ts")).tunnel(host, Number(port)) : connectTo({ host, port: Number(port) });
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
function words(error: any): string {
  return error.message || error.errors?.[0]?.message || String(error.code ?? error);
}

// A call on a connection of its own.
export class Call {
  readonly status: Promise<Status>;
  #resolve: (status: Status) => void = () => {};
  #socket: Socket | null = null;
  #frames = new FrameReader();
  #messages = new MessageReader();
  #take: (message: Buffer) => Promise<void>;
  #done = false;
  #greeted = false; // whether the other side's settings have come
  #answered = false; // whether the response has begun
  #fields: Frame | null = null; // header fields whose block goes on
  #out: Buffer[] = [];
  #connectionWindow = FIRST_WINDOW_BYTES;
  #streamWindow = FIRST_WINDOW_BYTES;
  #firstStreamWindow = FIRST_WINDOW_BYTES;
  #maxFrame = MAX_FRAME_BYTES;
  #taking = 0; // messages that are not yet dealt with
  #owed = 0; // bytes that the other side may send again when they are
  #awaited: NodeJS.Timeout | null = null;
  #pings: NodeJS.Timeout | null = null;

  // `take` is called for each message; until all promises that it gave are kept, the other side may only fill a window.
  constructor(take: (message: Buffer) => Promise<void>) {
    this.#take = take;
    this.status = new Promise((resolve) => (this.#resolve = resolve));
    this.#await(CONNECT_TIMEOUT_MS, "it did not answer in time");
  }

  // Begins the call, once the connection is there. What was sent before goes along.
  begin(socket: Socket, scheme: string, authority: string, path: string, metadata: Record<string, string>): void {
    if (this.#done) return void socket.destroy();
    this.#socket = socket;
    socket.setNoDelay?.(true);
    socket.on("error", (error) => this.fail(CODE.unavailable, words(error)));
    socket.on("close", () => this.fail(CODE.unavailable, "the connection was closed"));
    socket.on("data", (chunk: Buffer) => this.#guarded(() => this.#read(chunk)));
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

  send(message: Buffer): void {
    if (this.#done) return;
    this.#out.push(prefixed(message));
    this.#flush();
  }

  // Ends the call, if it has not ended: nothing more is sent or taken.
  fail(code: number, details: string): void {
    this.#end({ code, details });
  }

  #end(status: Status): void {
    if (this.#done) return;
    this.#done = true;
    if (this.#awaited) clearTimeout(this.#awaited);
    if (this.#pings) clearInterval(this.#pings);
    if (this.#socket?.writable) this.#socket.end(frame(TYPE.goAway, 0, 0, Buffer.alloc(8)));
    setTimeout(() => this.#socket?.destroy(), LINGER_MS).unref(); // whether or not the other side heard it
    this.#resolve(status);
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.fail(error instanceof CallError ? error.code : CODE.unavailable, (error as Error).message);
    }
  }

  #await(ms: number, otherwise: string): void {
    // A bot that thought for long hears what came meanwhile before it gives up.
    const giveUp = () => setImmediate(() => setImmediate(() => this.#awaited && this.fail(CODE.unavailable, otherwise)));
    this.#awaited = setTimeout(giveUp, ms);
  }

  #answer(): void {
    if (this.#awaited) clearTimeout(this.#awaited);
    this.#awaited = null;
  }

  #ping(): void {
    if (this.#awaited) return;
    this.#socket?.write(frame(TYPE.ping, 0, 0, Buffer.alloc(8)));
    this.#await(KEEPALIVE_TIMEOUT_MS, "the connection is dead: nothing answered for 20 s");
  }

  // --- what comes ---

  #read(chunk: Buffer): void {
    for (const each of this.#frames.push(chunk)) {
      if (this.#done) return;
      this.#hear(each);
    }
  }

  #hear(each: Frame): void {
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

  #data(each: Frame): void {
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

  #credit(): void {
    if (this.#taking || this.#done || this.#owed < WINDOW_BYTES / 4) return;
    const more = uint32(this.#owed);
    this.#owed = 0;
    this.#socket?.write(Buffer.concat([frame(TYPE.windowUpdate, 0, 0, more), frame(TYPE.windowUpdate, 0, STREAM, more)]));
  }

  #headers(each: Frame): void {
    if (each.payload.length > MAX_FIELD_BYTES) throw new Error("its header fields are too long");
    this.#fields = each.flags & FLAG.endHeaders ? null : each;
    if (this.#fields) return;
    const fields = readFields(each.payload);
    const http = fields.get(":status") ?? "200";
    if (each.flags & FLAG.endStream) this.#end(statusOf(fields));
    else if (http === "200") this.#answered = true;
    else if (!http.startsWith("1")) this.#end(httpStatus(http));
  }

  #settings(flags: number, payload: Buffer): void {
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

  #reset(error: number): void {
    this.fail(RESETS[error] ?? CODE.internal, `it reset the stream (HTTP/2 error ${error})`);
  }

  #goAway(payload: Buffer): void {
    const last = payload.readUInt32BE(0) & 0x7fffffff;
    if (last >= STREAM) return; // it lets this call end, as a server does that shuts down
    const said = payload.subarray(8).toString();
    this.fail(CODE.unavailable, `it takes no more calls${said && `: ${said}`}`);
  }

  // --- what goes ---

  #widen(stream: number, more: number): void {
    if (stream === 0) this.#connectionWindow += more;
    else if (stream === STREAM) this.#streamWindow += more;
    this.#flush();
  }

  #flush(): void {
    const frames = this.#socket ? this.#sendable() : [];
    if (frames.length) this.#socket?.write(Buffer.concat(frames));
  }

  // Takes as much of what waits as the other side's windows let through.
  #sendable(): Buffer[] {
    const frames: Buffer[] = [];
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
