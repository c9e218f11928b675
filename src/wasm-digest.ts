// What receipts are made of, faster than in portable JavaScript: blake2b256 in WebAssembly, which is forty times as fast
// (hashing took a fifth of an answer's time), and hex by Node. The app in the browser keeps JavaScript, because its content
// security policy allows no WebAssembly.
import { createBLAKE2b } from "hash-wasm";
import { setBlake2b256, setKeyedBlake2b256 } from "./core/encoding/digest.ts";
import { setToHex } from "./core/encoding/hex.ts";

let loading: Promise<void> | undefined;

export function installWasmDigest(): Promise<void> {
  loading ??= install();
  return loading;
}

async function install(): Promise<void> {
  // JavaScript would append digit by digit, and whoever reads such a string first has to join its pieces.
  setToHex((bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex"));
  const plain = await createBLAKE2b(256);
  setBlake2b256((bytes) => plain.init().update(bytes).digest("binary"));
  // The library takes the key once, and reads it again at each `init`. So another key is written into the same bytes.
  const key = new Uint8Array(32);
  const keyed = await createBLAKE2b(256, key);
  setKeyedBlake2b256((given, bytes) => {
    key.set(given);
    return keyed.init().update(bytes).digest("binary");
  });
}
