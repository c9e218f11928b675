import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { readEncryptedBlob } from "#core/encrypted-blob.ts";
import type { EncryptedMemory, MemoryCipher } from "#ports.ts";
import { encryptionKeyOf } from "./encryption-secret.ts";
import { memoryCipher } from "./memory-cipher.ts";

const KEY = new Uint8Array(32).fill(1);
const NEXT = new Uint8Array(32).fill(2);
const fact = { namespace: "health", content: "Severe peanut allergy.", sourceAgent: "companion" };

let secrets: Map<string, Uint8Array>;
beforeEach(() => {
  secrets = new Map();
});

function cipherWith(...keys: readonly Uint8Array[]): Promise<MemoryCipher> {
  const encryption = {
    secrets: async () => new Map(secrets),
    addSecret: async (keyId: string, wrapped: Uint8Array) => void secrets.set(keyId, wrapped),
  };
  const locks = { exclusively: <T>(_: string, job: () => Promise<T>) => job() };
  // It keeps nothing, so that every opening decrypts.
  return memoryCipher({ keys, records: { encryption, locks }, keptCharacters: 0 });
}

async function encryptedAs(cipher: MemoryCipher, memoryId: string, encryptedFact = fact): Promise<EncryptedMemory> {
  const { text, encryption } = await cipher.encrypt(encryptedFact, { memoryId });
  const { namespace, sourceAgent } = encryptedFact;
  return { memoryId, namespace, sourceAgent, content: text, encryption };
}

test("what was encrypted opens again, whatever its text", async () => {
  const cipher = await cipherWith(KEY);
  const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(texts, async (content) => {
      const memory = await encryptedAs(cipher, "mem_1", { ...fact, content });
      expect(await cipher.decrypt(memory)).toEqual({ ...fact, content });
    }),
    { numRuns: 50 },
  );
});

test("a blob tells neither namespace nor source agent, and its length tells the text's only in steps of 64 bytes", async () => {
  const cipher = await cipherWith(KEY);
  const lengths = new Set<number>();
  for (let length = 1; length <= 130; length++) {
    const { content } = await encryptedAs(cipher, "mem_1", { ...fact, content: "x".repeat(length) });
    expect(content).not.toMatch(/health|companion/);
    expect(Object.keys(JSON.parse(content))).toEqual(["alg", "ciphertext", "iv", "v"]);
    lengths.add(Buffer.from(readEncryptedBlob(content)?.ciphertext ?? "", "base64url").length);
  }
  expect([...lengths]).toEqual([64 + 16, 128 + 16, 192 + 16]);
});

describe("an encrypted memory does not open", () => {
  test("when any bit of its blob or of its wrapped key differs", async () => {
    const cipher = await cipherWith(KEY);
    const memory = await encryptedAs(cipher, "mem_1");
    const blob = JSON.parse(memory.content);
    const altered: EncryptedMemory[] = [];
    for (const field of ["ciphertext", "iv"] as const)
      for (const value of bitsFlipped(blob[field]))
        altered.push({ ...memory, content: JSON.stringify({ ...blob, [field]: value }) });
    for (const wrappedKey of bitsFlipped(memory.encryption.wrappedKey))
      altered.push({ ...memory, encryption: { ...memory.encryption, wrappedKey } });
    expect(altered.length).toBeGreaterThan(150);
    for (const each of altered) expect(await cipher.decrypt(each)).toBeUndefined();
    expect(await cipher.decrypt(memory)).toEqual(fact);
  });

  test("under another id, in another namespace, or as another agent's", async () => {
    const cipher = await cipherWith(KEY);
    const memory = await encryptedAs(cipher, "mem_1");
    expect(await cipher.decrypt({ ...memory, memoryId: "mem_2" })).toBeUndefined();
    expect(await cipher.decrypt({ ...memory, namespace: "diet" })).toBeUndefined();
    expect(await cipher.decrypt({ ...memory, sourceAgent: "planner" })).toBeUndefined();
  });

  test("with the key or the blob of another memory", async () => {
    const cipher = await cipherWith(KEY);
    const [a, b] = [await encryptedAs(cipher, "mem_1"), await encryptedAs(cipher, "mem_2")];
    expect(await cipher.decrypt({ ...a, encryption: b.encryption })).toBeUndefined();
    expect(await cipher.decrypt({ ...a, content: b.content })).toBeUndefined();
    expect(await cipher.decrypt({ ...a, content: b.content, encryption: b.encryption })).toBeUndefined();
  });

  test("when its blob is not exactly an encrypted one", async () => {
    const cipher = await cipherWith(KEY);
    const memory = await encryptedAs(cipher, "mem_1");
    const blob = JSON.parse(memory.content);
    const others = ["", "null", "{}", `${memory.content} `, JSON.stringify({ ...blob, v: 2 })];
    others.push(JSON.stringify({ ...blob, alg: "none" }), JSON.stringify({ ...blob, w: 1 }));
    for (const content of others) expect(await cipher.decrypt({ ...memory, content })).toBeUndefined();
  });

  test("without its key", async () => {
    const memory = await encryptedAs(await cipherWith(KEY), "mem_1");
    for (const [cipher, status] of [
      [await cipherWith(), "no-key"],
      [await cipherWith(NEXT), "other-key"],
    ] as const) {
      expect(cipher.status()).toBe(status);
      expect(await cipher.decrypt(memory)).toBeUndefined();
      await expect(cipher.encrypt(fact, { memoryId: "mem_2" })).rejects.toMatchObject({
        code: "encryption-key-missing",
      });
    }
  });
});

describe("the hash of a fact", () => {
  test("is the same for the same fact and key alone", async () => {
    const cipher = await cipherWith(KEY);
    const hashOf = async (of = fact, key?: string) =>
      (await cipher.encrypt(of, { memoryId: "mem_1", ...(key !== undefined && { key }) })).encryption.factHash;
    const hashes = [
      await hashOf(),
      await hashOf({ ...fact, content: "x" }),
      await hashOf({ ...fact, namespace: "x" }),
      await hashOf({ ...fact, sourceAgent: "x" }),
      await hashOf(fact, "k"),
      await hashOf(fact, ""),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(await hashOf()).toBe(hashes[0]);
  });

  test("is the same after a rotation, and another one in another database", async () => {
    const before = await encryptedAs(await cipherWith(KEY), "mem_1");
    await encryptedAs(await cipherWith(NEXT, KEY), "mem_2");
    const after = await encryptedAs(await cipherWith(NEXT), "mem_3");
    expect(after.encryption.factHash).toBe(before.encryption.factHash);
    secrets.clear();
    expect((await encryptedAs(await cipherWith(KEY), "mem_1")).encryption.factHash).not.toBe(
      before.encryption.factHash,
    );
  });
});

test("a rotated memory opens with the new key alone, and a former key only opens", async () => {
  const memory = await encryptedAs(await cipherWith(KEY), "mem_1");
  const both = await cipherWith(NEXT, KEY);
  expect(await both.decrypt(memory)).toEqual(fact);
  const encryption = await both.rewrap("mem_1", memory.encryption);
  expect(encryption?.keyId).toBe(encryptionKeyOf(NEXT).keyId);
  if (encryption === undefined) return;
  const alone = await cipherWith(NEXT);
  expect(await alone.decrypt({ ...memory, encryption })).toEqual(fact);
  expect(await alone.decrypt(memory)).toBeUndefined();
  expect(await alone.rewrap("mem_1", memory.encryption)).toBeUndefined();
  expect((await encryptedAs(both, "mem_2")).encryption.keyId).toBe(encryption.keyId);
});

test("a seed opens for its own receipt, also after a rotation, and not without the key", async () => {
  const cipher = await cipherWith(KEY);
  const seed = "ab".repeat(32);
  const encrypted = await cipher.encryptSeed("ans_1", seed);
  expect(encrypted).toMatch(/^encrypted:/);
  expect(encrypted).not.toContain(seed);
  expect(await cipher.decryptSeed("ans_1", encrypted)).toBe(seed);
  expect(await cipher.decryptSeed("ans_2", encrypted)).toBeUndefined();
  await (await cipherWith(NEXT, KEY)).encryptSeed("ans_3", seed);
  expect(await (await cipherWith(NEXT)).decryptSeed("ans_1", encrypted)).toBe(seed);
  expect(await (await cipherWith()).decryptSeed("ans_1", encrypted)).toBeUndefined();
  expect(await cipher.decryptSeed("ans_1", seed)).toBe(seed);
});

/** Each byte of a base64url text with its lowest bit flipped. */
function bitsFlipped(text: string): string[] {
  const bytes = Buffer.from(text, "base64url");
  return [...bytes.keys()].map((i) => {
    const copy = Buffer.from(bytes);
    copy[i] = (copy[i] as number) ^ 1;
    return copy.toString("base64url");
  });
}
