// blake2b256 in WebAssembly. It is forty times as fast as in JavaScript, where hashing took a fifth of an answer's time.
// The app in the browser keeps JavaScript, because its content security policy allows no WebAssembly.
import { createBLAKE2b } from "hash-wasm";
import { setBlake2b256, setKeyedBlake2b256 } from "./core/encoding/digest.ts";

let loading: Promise<void> | undefined;

export function installWasmDigest(): Promise<void> {
  loading ??= install();
  return loading;
}

async function install(): Promise<void> {
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
