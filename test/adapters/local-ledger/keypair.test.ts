import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keptKeypair, loadOrCreateKeypair } from "#adapters/ledger/local/keypair.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portcullis-key-"));
  path = join(folder, "data", "ledger.key");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the key is made once, for its owner's eyes, in the form of the Sui command line", () => {
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

test("a file that is something else is refused, and left as it is", () => {
  loadOrCreateKeypair(path);
  writeFileSync(path, "[]");
  expect(() => loadOrCreateKeypair(path)).toThrow();
  expect(readFileSync(path, "utf8")).toBe("[]");
});

test("a place that cannot be written to is said to be so", () => {
  writeFileSync(join(folder, "data"), "a file");
  expect(() => loadOrCreateKeypair(path)).toThrow(/key cannot be kept at/);
});

test("a key that is kept for several is the same for all, and another where nothing was kept", async () => {
  const kept = () => {
    let first: Uint8Array | undefined;
    return async (secret: Uint8Array) => {
      first ??= secret;
      return first;
    };
  };
  const [shared, other] = [kept(), kept()];
  const keypairs = await Promise.all([shared, shared, other].map(keptKeypair));
  const [a, b, c] = keypairs.map((keypair) => keypair.toSuiAddress());
  expect(a).toBe(b);
  expect(a).not.toBe(c);
});
