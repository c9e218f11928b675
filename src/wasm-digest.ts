// blake2b256 in WebAssembly. It is forty times as fast as in JavaScript, where hashing took a fifth of an answer's time.
// The app in the browser keeps JavaScript, because its content security policy allows no WebAssembly.
import { createBLAKE2b } from "hash-wasm";
import { setBlake2b256 } from "./core/encoding/digest.ts";

let loading: Promise<void> | undefined;

export function installWasmDigest(): Promise<void> {
  loading ??= createBLAKE2b(256).then((blake2b) =>
    setBlake2b256((bytes) => blake2b.init().update(bytes).digest("binary")),
  );
  return loading;
}
