import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { Secp256k1Keypair } from "@mysten/sui/keypairs/secp256k1";
import { Secp256r1Keypair } from "@mysten/sui/keypairs/secp256r1";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadKeypair } from "./keystore.ts";

const FLAGS = [Ed25519Keypair, Secp256k1Keypair, Secp256r1Keypair] as const;
const entryOf = (flag: number, key: Uint8Array) => Buffer.concat([Buffer.of(flag), key]).toString("base64");

describe("the keystore", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portcullis-keystore-"));
    path = join(folder, "sui.keystore");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(content: string, mode = 0o600): void {
    writeFileSync(path, content);
    chmodSync(path, mode);
  }

  test.each([0, 1, 2] as const)("loads a file of the Sui command line with a key of flag %i", (flag) => {
    const key = Buffer.alloc(32, flag + 1);
    write(JSON.stringify([entryOf(flag, key)]));
    expect(loadKeypair({ keystore: path }).toSuiAddress()).toBe(FLAGS[flag].fromSecretKey(key).toSuiAddress());
  });

  test.each(FLAGS)("loads an exported key", (Pair) => {
    const pair = Pair.fromSecretKey(Buffer.alloc(32, 7));
    expect(loadKeypair({ keystore: pair.getSecretKey() }).toSuiAddress()).toBe(pair.toSuiAddress());
  });

  test("requires SUI_ADDRESS when the file has several keys", () => {
    const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const addresses = keys.map((key) => Ed25519Keypair.fromSecretKey(key).toSuiAddress());
    write(JSON.stringify(keys.map((key) => entryOf(0, key))));
    expect(() => loadKeypair({ keystore: path })).toThrow(`Set SUI_ADDRESS`);
    expect(loadKeypair({ keystore: path, address: addresses[1] }).toSuiAddress()).toBe(addresses[1]);
    expect(() => loadKeypair({ keystore: path, address: `0x${"0".repeat(64)}` })).toThrow(addresses[0]);
  });

  test.each([0o640, 0o604, 0o644, 0o660])(
    "refuses a file that others can read (%o), with the command that mends it",
    (mode) => {
      write(JSON.stringify([entryOf(0, Buffer.alloc(32, 1))]), mode);
      expect(() => loadKeypair({ keystore: path })).toThrow(`chmod 600 ${path}`);
    },
  );

  test.each([
    ["not JSON", "suiprivkey"],
    ["no JSON array", '{"a key":"somewhere"}'],
    ["a key that is too short", JSON.stringify([entryOf(0, Buffer.alloc(31, 1))])],
    ["an unknown scheme", JSON.stringify([entryOf(9, Buffer.alloc(32, 1))])],
    ["no base64 text", JSON.stringify(["?"])],
  ])("refuses %s without quoting it", (_, content) => {
    write(content);
    try {
      loadKeypair({ keystore: path });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "configuration", cause: undefined });
      expect((error as Error).message).not.toContain(content.slice(2, 20));
    }
  });

  test("refuses an invalid exported key without quoting it, and a file that does not exist", () => {
    const broken = `${Ed25519Keypair.generate().getSecretKey().slice(0, -2)}qq`;
    expect(() => loadKeypair({ keystore: broken })).toThrow("is not a valid one");
    expect(() => loadKeypair({ keystore: broken })).not.toThrow(broken.slice(20, 40));
    expect(() => loadKeypair({ keystore: join(folder, "none") })).toThrow("no file that exists");
  });
});
