import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { moduleBytes } from "./blake2b.ts";

test("the module of blake2b is what the script assembles", () => {
  expect(new Uint8Array(readFileSync(new URL("../src/blake2b.wasm", import.meta.url)))).toEqual(moduleBytes());
});
