import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadOrCreateKeypair, sharedKeypair } from "#adapters/ledger/local/keypair.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portcullis-key-"));
  path = join(folder, "data", "ledger.key");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the key is created once, readable by its owner alone, in the format of the Sui command line", () => {
  const first = loadOrCreateKeypair(path);
  expect(loadOrCreateKeypair(path).toSuiAddress()).toBe(first.toSuiAddress());
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const [entry, ...more] = JSON.parse(readFileSync(path, "utf8"));
  expect(more).toEqual([]);
  expect([...Buffer.from(entry, "base64")].slice(0, 1)).toEqual([0]);
  expect(Buffer.from(entry, "base64")).toHaveLength(33);
  expect(readdirSync(join(folder, "data"))).toEqual(["ledger.key"]);
});

test("a file that others can read is refused", () => {
  loadOrCreateKeypair(path);
  chmodSync(path, 0o640);
  expect(() => loadOrCreateKeypair(path)).toThrow(/can be read by others.*chmod 600/);
});

test("a file that is not a keystore is refused, and is not changed", () => {
  loadOrCreateKeypair(path);
  writeFileSync(path, "[]");
  expect(() => loadOrCreateKeypair(path)).toThrow();
  expect(readFileSync(path, "utf8")).toBe("[]");
});

test("a path that cannot be written is an error that names it", () => {
  writeFileSync(join(folder, "data"), "a file");
  expect(() => loadOrCreateKeypair(path)).toThrow(/key cannot be stored at/);
});

test("a shared key is the same for all processes that share the records, and another one elsewhere", async () => {
  const writeOnceValue = () => {
    let first: Uint8Array | undefined;
    return async (secret: Uint8Array) => {
      first ??= secret;
      return first;
    };
  };
  const [shared, other] = [writeOnceValue(), writeOnceValue()];
  const keypairs = await Promise.all([shared, shared, other].map(sharedKeypair));
  const [a, b, c] = keypairs.map((keypair) => keypair.toSuiAddress());
  expect(a).toBe(b);
  expect(a).not.toBe(c);
});
