// Makes src/blake2b.wasm: the compression function of blake2b (RFC 7693, section 3.2) as a WebAssembly module, which has the
// 64-bit words that JavaScript lacks. It is assembled from the RFC's tables. The modules of libraries compress as fast, but a
// short text takes them twice as long, because they copy and cross into WebAssembly several times for each.
//   node scripts/blake2b.ts
import { writeFileSync } from "node:fs";

const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
] as const;
const ROUNDS = 12;

/** The words that each of a round's eight steps mixes: the columns of a square of 16, then its diagonals. */
const STEPS = [0, 1].flatMap((shift) =>
  [0, 1, 2, 3].map((i) => [i, 4 + ((i + shift) % 4), 8 + ((i + 2 * shift) % 4), 12 + ((i + 3 * shift) % 4)] as const),
);
type Step = (typeof STEPS)[number];

const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
] as const;

/** Where the memory of the module has the hash's state, and the words that every state begins as. */
const STATE = 0;
const INITIAL = 64;

// The parameters and variables of the function, by number.
const BLOCK = 0;
const COUNT = 1;
const LAST = 2;
const m = (i: number) => 3 + i;
const v = (i: number) => 19 + i;

const get = (variable: number) => [0x20, variable];
const set = (variable: number) => [0x21, variable];
const constant = (value: bigint) => [0x42, ...signedLeb(BigInt.asIntN(64, value))];
const load = (offset: number) => [0x29, 0, ...leb(offset)];
const store = (offset: number) => [0x37, 0, ...leb(offset)];
const POINTER_0 = [0x41, 0];
const ADD = 0x7c;
const XOR = 0x85;
const ROTATE_RIGHT = 0x8a;
const TO_I64_SIGNED = 0xac;
const TO_I64_UNSIGNED = 0xad;
const END = 0x0b;

function compressionCode(): number[] {
  const words = Array.from({ length: 8 }, (_, i) => i);
  return [
    ...Array.from({ length: 16 }, (_, i) => [...get(BLOCK), ...load(8 * i), ...set(m(i))]).flat(),
    ...words.flatMap((i) => [...POINTER_0, ...load(STATE + 8 * i), ...set(v(i))]),
    ...words.flatMap((i) => [...constant(IV[i] as bigint), ...set(v(8 + i))]),
    ...[...get(v(12)), ...get(COUNT), TO_I64_UNSIGNED, XOR, ...set(v(12))],
    ...[...get(v(14)), ...get(LAST), TO_I64_SIGNED, XOR, ...set(v(14))],
    ...Array.from({ length: ROUNDS }, (_, round) => roundCode(SIGMA[round % SIGMA.length] as readonly number[])).flat(),
    ...words.flatMap((i) => {
      const mixed = [...POINTER_0, ...load(STATE + 8 * i), ...get(v(i)), XOR, ...get(v(8 + i)), XOR];
      return [...POINTER_0, ...mixed, ...store(STATE + 8 * i)];
    }),
    END,
  ];
}

function roundCode(order: readonly number[]): number[] {
  return STEPS.flatMap((step, i) => [
    ...mixCode(step, order[2 * i] as number, 32n, 24n),
    ...mixCode(step, order[2 * i + 1] as number, 16n, 63n),
  ]);
}

/** One half of the RFC's mixing function G. */
function mixCode([a, b, c, d]: Step, word: number, first: bigint, second: bigint): number[] {
  return [
    ...[...get(v(a)), ...get(v(b)), ADD, ...get(m(word)), ADD, ...set(v(a))],
    ...[...get(v(d)), ...get(v(a)), XOR, ...constant(first), ROTATE_RIGHT, ...set(v(d))],
    ...[...get(v(c)), ...get(v(d)), ADD, ...set(v(c))],
    ...[...get(v(b)), ...get(v(c)), XOR, ...constant(second), ROTATE_RIGHT, ...set(v(b))],
  ];
}

const I32 = 0x7f;
const I64 = 0x7e;
const PAGES = 2;

export function moduleBytes(): Uint8Array {
  const variables = [1, 32, I64];
  const body = [...variables, ...compressionCode()];
  const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const types = section(1, [1, 0x60, 3, I32, I32, I32, 0]);
  const functions = section(3, [1, 0]);
  const memories = section(5, [1, 0, PAGES]);
  const exported = section(7, [2, ...name("memory"), 2, 0, ...name("compress"), 0, 0]);
  const code = section(10, [1, ...leb(body.length), ...body]);
  const initial = [...new Uint8Array(BigUint64Array.from(IV).buffer)];
  const data = section(11, [1, 0, 0x41, ...signedLeb(BigInt(INITIAL)), END, initial.length, ...initial]);
  return Uint8Array.from([...magicAndVersion, ...types, ...functions, ...memories, ...exported, ...code, ...data]);
}

const section = (id: number, content: readonly number[]) => [id, ...leb(content.length), ...content];
const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];

function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

function signedLeb(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const isDone = (rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40);
  return isDone ? [low] : [low | 0x80, ...signedLeb(rest)];
}

if (import.meta.main) writeFileSync(new URL("../src/blake2b.wasm", import.meta.url), moduleBytes());
