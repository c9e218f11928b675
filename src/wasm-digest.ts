// What receipts are made of, faster than in portable JavaScript: blake2b256 in WebAssembly, which is forty times as fast
// (hashing took a fifth of an answer's time), and hex by Node. The app in the browser keeps JavaScript, because its content
// security policy allows no WebAssembly.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setBlake2b256, setKeyedBlake2b256, setToHex } from "./core/encoding/digest.ts";
import { setSha256 } from "./core/log/sha256.ts";

let loading: Promise<void> | undefined;

export function installWasmDigest(): Promise<void> {
  loading ??= install();
  return loading;
}

const DIGEST_BYTES = 32;
const KEY_BYTES = 32;
// The memory of blake2b.wasm (scripts/blake2b.ts): the state, the words that it begins as, and then what we take in.
const STATE = 0;
const STATE_BYTES = 64;
const INITIAL = STATE + STATE_BYTES;
const BLOCK_BYTES = 128;
const INPUT = INITIAL + STATE_BYTES;

async function install(): Promise<void> {
  // A text costs a third of a buffer that Node allocates outside of its heap.
  setSha256((bytes) => {
    const text = hash("sha256", bytes, "binary");
    const digest = new Uint8Array(DIGEST_BYTES);
    for (let i = 0; i < DIGEST_BYTES; i++) digest[i] = text.charCodeAt(i);
    return digest;
  });
  // JavaScript would append digit by digit, and whoever reads such a string first has to join its pieces.
  setToHex((bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex"));

  const { instance } = await WebAssembly.instantiate(readFileSync(new URL("./blake2b.wasm", import.meta.url)));
  const { memory, compress } = instance.exports;
  const bytes = new Uint8Array(memory.buffer);
  const mostInput = bytes.length - INPUT;

  /** Takes the input into the state, after `before` bytes that are in it already, and returns the digest. */
  function digest(input: Uint8Array, before: number): Uint8Array {
    let start = 0;
    for (; input.length - start > mostInput; start += mostInput) {
      bytes.set(input.subarray(start, start + mostInput), INPUT);
      compressAll(mostInput, before + start);
    }
    const rest = start === 0 ? input : input.subarray(start);
    bytes.set(rest, INPUT);
    // The last block is compressed as such, even if it is full or the input is empty.
    const last = Math.max(0, Math.ceil(rest.length / BLOCK_BYTES) - 1) * BLOCK_BYTES;
    bytes.fill(0, INPUT + rest.length, INPUT + last + BLOCK_BYTES);
    compressAll(last, before + start);
    compress(INPUT + last, before + input.length, -1);
    return bytes.slice(STATE, STATE + DIGEST_BYTES);
  }

  function compressAll(length: number, before: number): void {
    for (let i = 0; i < length; i += BLOCK_BYTES) compress(INPUT + i, before + i + BLOCK_BYTES, 0);
  }

  /** Its first word has the lengths of digest and key, and the 1 of a hash that is no tree, twice (RFC 7693, section 2.5). */
  function initialState(keyBytes: number): Uint8Array {
    const state = bytes.slice(INITIAL, INITIAL + STATE_BYTES);
    for (const [i, byte] of [DIGEST_BYTES, keyBytes, 1, 1].entries()) state[i] = (state[i] as number) ^ byte;
    return state;
  }

  const plain = initialState(0);
  setBlake2b256((input) => {
    bytes.set(plain, STATE);
    return digest(input, 0);
  });

  const keyed = initialState(KEY_BYTES);
  // The key is a block of its own, before the input.
  setKeyedBlake2b256((key) => {
    const block = new Uint8Array(BLOCK_BYTES);
    block.set(key);
    bytes.set(keyed, STATE);
    bytes.set(block, INPUT);
    compress(INPUT, BLOCK_BYTES, 0);
    const afterKey = bytes.slice(STATE, STATE + STATE_BYTES);
    return (input) => {
      const isEmpty = input.length === 0;
      bytes.set(isEmpty ? keyed : afterKey, STATE);
      return isEmpty ? digest(block, 0) : digest(input, BLOCK_BYTES);
    };
  });
}

interface Compression {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Takes the 128 bytes at `block` into the state. `count`: all bytes up to their end. `last`: -1 if they are, else 0. */
  compress(block: number, count: number, last: number): void;
}

/** TypeScript knows it from the browser's types alone. */
declare const WebAssembly: {
  instantiate(module: Uint8Array): Promise<{ readonly instance: { readonly exports: Compression } }>;
};
