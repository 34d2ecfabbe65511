// A server for one method of gRPC, in the clear: the arena calls it and streams in both directions.
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { CallError, CODE, KEEPALIVE_MS, MessageReader, prefixed, type Status } from "./grpc.ts";

type Take = (message: Buffer) => Promise<void>;

// Listens on HOST:PORT or unix:/path; gives the port. `refusal` is asked with what a caller sent as its authorization;
// `begin` gets what sends messages to a caller, and gives what takes messages from it.
export function listen(address: string, path: string, refusal: (authorization: string) => Status | null, begin: (send: (message: Buffer) => void) => Take): Promise<number> {
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
    server.listen(where, () => resolve((server.address() as AddressInfo).port ?? 0));
  });
}

const HEAD = { ":status": 200, "content-type": "application/grpc" };

function wrong(headers: IncomingHttpHeaders & { ":path"?: string }, path: string): Status | null {
  if (headers[":path"] !== path) return { code: CODE.unimplemented, details: `${headers[":path"]}: there is only ${path}` };
  if (!headers["content-type"]?.startsWith("application/grpc")) return { code: CODE.internal, details: "content-type: must be application/grpc" };
  return null;
}

function fields({ code, details }: Status): Record<string, string> {
  return { "grpc-status": String(code), ...(details && { "grpc-message": encodeURIComponent(details).replaceAll("%20", " ") }) };
}

async function converse(stream: ServerHttp2Stream, begin: (send: (message: Buffer) => void) => Take): Promise<void> {
  let status: Status = { code: CODE.ok, details: "" };
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
