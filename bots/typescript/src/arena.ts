// The arena's protocol for a bot in TypeScript: gRPC and the arena's protos, with nothing but what Node brings.
//
//   run({ name, choose })     dials ARENA_REFEREE with ARENA_TOKEN, and again whenever the connection breaks;
//                             with --listen HOST:PORT it is an endpoint instead: the arena dials it
//
// The protocol is described in protos/arena/v1/bot.proto, comment by comment.
import { call, CODE, type Status } from "./grpc.ts";
import { decode, encode } from "./wire.ts";
import type { Bot, Decision, Notes, Step } from "../arena.d.ts";

const PROTOCOL = 1;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;
const NOTED_ANSWERS = 32; // in a frame, which may have 64 KB: notes have up to 1 KB each
const STEADY_MS = 10_000; // a connection that lasted this long was a good one: the pauses begin anew

// --- playing ---------------------------------------------------------------------------------------------------

const noted = new WeakMap<Decision, Notes>();

interface Table {
  start: any;
  history: Step[];
}

// One stream: frames of the arena in, frames of the bot out.
class Conversation {
  goodbye: { reason: string; comeBack: boolean } | null = null;
  #tables = new Map<number, Table>();
  #bot: Bot;
  #heard: (referees: string[]) => void;

  constructor(bot: Bot, heard: (referees: string[]) => void) {
    this.#bot = bot;
    this.#heard = heard;
  }

  hello(): object {
    const { name, version = "1", games = [], variants = [], seatCounts = [], matchesAtOnce = 1, say } = this.#bot;
    const offers = games.map((game) => ({ game, variants, seatCounts }));
    const hello = { protocol: PROTOCOL, name, version, games: offers, matchesAtOnce, talks: say !== undefined, sdk: "arena.ts 0.1" };
    return { messages: [{ hello }] };
  }

  // Takes in a frame; gives the frames that answer it, none if nothing in it asks for an answer.
  async reply(frame: any): Promise<object[]> {
    const messages: object[] = [];
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

  async #answer(ask: any): Promise<object> {
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
function written(decision: Decision, chosen: string): object | null {
  const { values = {}, numbers = {}, text = "" } = noted.get(decision) ?? {};
  const rank = ([action, value]: [string, number]) => (action === chosen ? Infinity : value);
  const rated = Object.entries(values).sort((one, other) => rank(other) - rank(one)).slice(0, 16);
  const candidates = rated.map(([action, value]) => ({ action, value }));
  if (!candidates.length && !Object.keys(numbers).length && !text) return null;
  const notes = { candidates, numbers, text };
  const size = encode("arena.v1.Notes", notes).length;
  if (size <= 1024) return notes; // the arena checks the other limits
  console.error(`notes in match ${decision.match}, decision ${decision.number}: dropped: they have ${size} bytes, at most 1024 are allowed`);
  return null;
}

function decide({ start, history }: Table, ask: any): Decision {
  const decision: Decision = {
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
function generator(seed: Buffer, decision: number): () => number {
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
function converse(conversation: Conversation, send: (frame: object) => void): (frame: object) => Promise<void> {
  send(conversation.hello());
  let last = Promise.resolve();
  return (frame) => {
    last = last.then(async () => (await conversation.reply(frame)).forEach(send));
    last.catch(crash);
    return last;
  };
}

function crash(error: unknown): never {
  console.error(error);
  process.exit(1);
}

// --- being reached ---------------------------------------------------------------------------------------------

// Runs a bot's program.
export function run(bot: Bot): void {
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
function clean(text: string, name: string): string {
  const secret = text.trim();
  if (/^[!-~]*$/.test(secret)) return secret;
  console.error(`${name}: has a blank, a line break or a letter beyond ASCII in the middle, as no token has; copy it again (it is not shown here)`);
  process.exit(1);
}

// Reads the command line; loads what reads one only if there is one: a bot that starts should answer soon.
function given(): { listen?: string; secret: string } {
  const secret = process.env.ARENA_BOT_SECRET ?? "";
  if (process.argv.length <= 2) return { secret };
  const { parseArgs } = process.getBuiltinModule("node:util");
  return parseArgs({ options: { listen: { type: "string" }, secret: { type: "string", default: secret } } }).values;
}

async function dialIn(bot: Bot, first: string): Promise<void> {
  const lines = new Map<string, Promise<void>>();
  const open = (address: string) => {
    if (!lines.has(address)) lines.set(address, keep(bot, address, address === first, open).finally(() => lines.delete(address)));
  };
  open(first);
  while (lines.size) await Promise.race(lines.values());
}

// Keeps a stream to a referee: connects again, with growing pauses, until it says goodbye for good.
async function keep(bot: Bot, address: string, first: boolean, open: (address: string) => void): Promise<void> {
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
    const status: Status = await stream.status;
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
async function serve(bot: Bot, address: string, secret: string): Promise<void> {
  const { listen } = await import("./endpoint.ts");
  const { timingSafeEqual } = await import("node:crypto");
  const due = Buffer.from(`Bearer ${secret}`);
  const refusal = (authorization: string): Status | null => {
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
