// SHA-256 (FIPS 180-4) in a few lines: loading node:crypto for it takes a third of Node's own start.

const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let each = 2; found.length < count; each++) if (found.every((prime) => each % prime)) found.push(each);
  return found;
};
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32) | 0;

const FIRST = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

const w = new Int32Array(64);

export function sha256(message: Buffer): Buffer {
  const padded = Buffer.alloc((message.length + 9 + 63) & ~63);
  message.copy(padded);
  padded[message.length] = 128;
  padded.writeUInt32BE(Math.floor(message.length / 2 ** 29), padded.length - 8);
  padded.writeUInt32BE((message.length << 3) >>> 0, padded.length - 4);
  const state = FIRST.slice();
  for (let block = 0; block < padded.length; block += 64) digest(state, padded, block);
  const hash = Buffer.alloc(32);
  state.forEach((word, at) => hash.writeInt32BE(word, 4 * at));
  return hash;
}

function digest(state: Int32Array, bytes: Buffer, block: number): void {
  for (let at = 0; at < 16; at++) w[at] = bytes.readInt32BE(block + 4 * at);
  for (let at = 16; at < 64; at++) {
    const early = w[at - 15]!;
    const late = w[at - 2]!;
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const other = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    w[at] = (w[at - 16]! + one + w[at - 7]! + other) | 0;
  }
  let a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!, e = state[4]!, f = state[5]!, g = state[6]!, h = state[7]!;
  for (let at = 0; at < 64; at++) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[at]! + w[at]!) | 0;
    const other = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}
