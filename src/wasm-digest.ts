// What receipts are made of, faster than in portable JavaScript: blake2b256 in WebAssembly, which is forty times as fast
// (hashing took a fifth of an answer's time), and hex by Node. The app in the browser keeps JavaScript, because its content
// security policy allows no WebAssembly.
import { createCompression, IV, STATE } from "./blake2b-wasm.ts";
import { setBlake2b256, setKeyedBlake2b256 } from "./core/encoding/digest.ts";
import { setToHex } from "./core/encoding/hex.ts";

let loading: Promise<void> | undefined;

export function installWasmDigest(): Promise<void> {
  loading ??= install();
  return loading;
}

const DIGEST_BYTES = 32;
const KEY_BYTES = 32;
const STATE_BYTES = 64;
const BLOCK_BYTES = 128;
/** Where the input is in the memory. */
const INPUT = BLOCK_BYTES;

async function install(): Promise<void> {
  // JavaScript would append digit by digit, and whoever reads such a string first has to join its pieces.
  setToHex((bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex"));

  const { memory, compress } = await createCompression();
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

  const plain = initialState(0);
  setBlake2b256((input) => {
    bytes.set(plain, STATE);
    return digest(input, 0);
  });

  const keyed = initialState(KEY_BYTES);
  // The key is a block of its own, before the input.
  setKeyedBlake2b256((key, input) => {
    bytes.set(keyed, STATE);
    if (input.length === 0) return digest(padded(key), 0);
    bytes.set(key, INPUT);
    bytes.fill(0, INPUT + KEY_BYTES, INPUT + BLOCK_BYTES);
    compress(INPUT, BLOCK_BYTES, 0);
    return digest(input, BLOCK_BYTES);
  });
}

/** Its first word has the lengths of digest and key, and the 1 of a hash that is no tree, twice (RFC 7693, section 2.5). */
function initialState(keyBytes: number): Uint8Array {
  const state = new Uint8Array(STATE_BYTES);
  const words = new DataView(state.buffer);
  for (const [i, word] of IV.entries()) words.setBigUint64(8 * i, word, true);
  words.setBigUint64(0, IV[0] ^ BigInt(0x01010000 | (keyBytes << 8) | DIGEST_BYTES), true);
  return state;
}

function padded(key: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key);
  return block;
}
