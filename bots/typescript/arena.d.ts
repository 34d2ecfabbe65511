// The types of arena.js: a bot, its decisions, and what it may say and note.

// A bot. An exception in any of its functions ends the process: the match is lost as a crash.
export interface Bot {
  name: string;
  version?: string;
  games?: string[]; // the ids of the games it plays; empty means whatever it is asked to play
  variants?: string[]; // the variants of these games that it plays; empty means all
  seatCounts?: number[]; // the numbers of seats that it plays with; empty means all
  matchesAtOnce?: number; // how many matches may have an open question; each of their clocks runs
  choose(decision: Decision): string | Promise<string>;
  say?(decision: Decision): Line | Promise<Line>; // only a bot that has this is asked to talk
}

// A decision that is yours.
export interface Decision {
  match: string;
  game: string;
  variant: string;
  options: Record<string, number>;
  seat: number;
  seats: number;
  number: number; // as faults and `arena bot replay --at` name it
  legal: string[]; // empty if this is a question for talk
  talk: TalkLimits | null;
  view: any; // the game's view message, with its fields in camelCase
  history: Step[];
  clock: { bankMs: number; limitMs: number };
  note(notes: Notes): void; // what you think, for yourself: shown beside the board once the match is open to all
  random(): number; // from 0 to 1; draw from nothing else, and your matches can be played again exactly
}

// Notes over a limit are dropped, and stderr says so; the answer counts all the same. Nothing is noted on talk.
export interface Notes {
  values?: Record<string, number>; // actions and what you think of them; 16 are kept, the chosen one and the highest
  numbers?: Record<string, number>; // 8 at most, plotted over the match
  text?: string; // a line of at most 200 characters
}

export interface Line {
  text?: string;
  claims?: { kind: string; seat: number; vote: string; when: string }[];
}

export interface TalkLimits {
  maxTextBytes: number;
  maxClaims: number;
  kinds: string[];
  votes: string[];
  whens: string[];
}

export interface Step {
  step: "chance" | "played" | "dummy" | "said";
  chance?: { name: string; outcome: string[] };
  played?: { seat: number; action: string; together?: number };
  dummy?: string;
  said?: { seat: number; line: Line; round: number };
}

// Runs a bot's program.
export function run(bot: Bot): void;
