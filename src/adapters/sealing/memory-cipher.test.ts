import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { readSealedBlob } from "#core/sealed-blob.ts";
import type { MemoryCipher, SealedMemory } from "#ports.ts";
import { memoryCipher } from "./memory-cipher.ts";
import { sealKeyOf } from "./seal-key.ts";

const KEY = new Uint8Array(32).fill(1);
const NEXT = new Uint8Array(32).fill(2);
const fact = { namespace: "health", content: "Severe peanut allergy.", sourceAgent: "companion" };

let secrets: Map<string, Uint8Array>;
beforeEach(() => {
  secrets = new Map();
});

function cipherWith(...keys: readonly Uint8Array[]): Promise<MemoryCipher> {
  const seals = {
    secrets: async () => new Map(secrets),
    addSecret: async (keyId: string, wrapped: Uint8Array) => void secrets.set(keyId, wrapped),
  };
  const locks = { exclusively: <T>(_: string, job: () => Promise<T>) => job() };
  // It keeps nothing, so that every opening decrypts.
  return memoryCipher({ keys, records: { seals, locks }, keptCharacters: 0 });
}

async function sealedAs(cipher: MemoryCipher, memoryId: string, sealedFact = fact): Promise<SealedMemory> {
  const { text, seal } = await cipher.seal(sealedFact, { memoryId });
  const { namespace, sourceAgent } = sealedFact;
  return { memoryId, namespace, sourceAgent, content: text, seal };
}

test("what was sealed opens again, whatever its text", async () => {
  const cipher = await cipherWith(KEY);
  const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(texts, async (content) => {
      const memory = await sealedAs(cipher, "mem_1", { ...fact, content });
      expect(await cipher.open(memory)).toEqual({ ...fact, content });
    }),
    { numRuns: 50 },
  );
});

test("a blob tells neither namespace nor source agent, and its length tells the text's only in steps of 64 bytes", async () => {
  const cipher = await cipherWith(KEY);
  const lengths = new Set<number>();
  for (let length = 1; length <= 130; length++) {
    const { content } = await sealedAs(cipher, "mem_1", { ...fact, content: "x".repeat(length) });
    expect(content).not.toMatch(/health|companion/);
    expect(Object.keys(JSON.parse(content))).toEqual(["alg", "ciphertext", "iv", "v"]);
    lengths.add(Buffer.from(readSealedBlob(content)?.ciphertext ?? "", "base64url").length);
  }
  expect([...lengths]).toEqual([64 + 16, 128 + 16, 192 + 16]);
});

describe("a sealed memory does not open", () => {
  test("when any bit of its blob or of its wrapped key differs", async () => {
    const cipher = await cipherWith(KEY);
    const memory = await sealedAs(cipher, "mem_1");
    const blob = JSON.parse(memory.content);
    const altered: SealedMemory[] = [];
    for (const field of ["ciphertext", "iv"] as const)
      for (const value of bitsFlipped(blob[field]))
        altered.push({ ...memory, content: JSON.stringify({ ...blob, [field]: value }) });
    for (const wrappedKey of bitsFlipped(memory.seal.wrappedKey))
      altered.push({ ...memory, seal: { ...memory.seal, wrappedKey } });
    expect(altered.length).toBeGreaterThan(150);
    for (const each of altered) expect(await cipher.open(each)).toBeUndefined();
    expect(await cipher.open(memory)).toEqual(fact);
  });

  test("under another id, in another namespace, or as another agent's", async () => {
    const cipher = await cipherWith(KEY);
    const memory = await sealedAs(cipher, "mem_1");
    expect(await cipher.open({ ...memory, memoryId: "mem_2" })).toBeUndefined();
    expect(await cipher.open({ ...memory, namespace: "diet" })).toBeUndefined();
    expect(await cipher.open({ ...memory, sourceAgent: "planner" })).toBeUndefined();
  });

  test("with the key or the blob of another memory", async () => {
    const cipher = await cipherWith(KEY);
    const [a, b] = [await sealedAs(cipher, "mem_1"), await sealedAs(cipher, "mem_2")];
    expect(await cipher.open({ ...a, seal: b.seal })).toBeUndefined();
    expect(await cipher.open({ ...a, content: b.content })).toBeUndefined();
    expect(await cipher.open({ ...a, content: b.content, seal: b.seal })).toBeUndefined();
  });

  test("when its blob is not exactly a sealed one", async () => {
    const cipher = await cipherWith(KEY);
    const memory = await sealedAs(cipher, "mem_1");
    const blob = JSON.parse(memory.content);
    const others = ["", "null", "{}", `${memory.content} `, JSON.stringify({ ...blob, v: 2 })];
    others.push(JSON.stringify({ ...blob, alg: "none" }), JSON.stringify({ ...blob, w: 1 }));
    for (const content of others) expect(await cipher.open({ ...memory, content })).toBeUndefined();
  });

  test("without its key", async () => {
    const memory = await sealedAs(await cipherWith(KEY), "mem_1");
    for (const [cipher, status] of [
      [await cipherWith(), "no-key"],
      [await cipherWith(NEXT), "other-key"],
    ] as const) {
      expect(cipher.status()).toBe(status);
      expect(await cipher.open(memory)).toBeUndefined();
      await expect(cipher.seal(fact, { memoryId: "mem_2" })).rejects.toMatchObject({ code: "seal-key-missing" });
    }
  });
});

describe("the hash of a fact", () => {
  test("is the same for the same fact and key alone", async () => {
    const cipher = await cipherWith(KEY);
    const hashOf = async (of = fact, key?: string) =>
      (await cipher.seal(of, { memoryId: "mem_1", ...(key !== undefined && { key }) })).seal.factHash;
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
    const before = await sealedAs(await cipherWith(KEY), "mem_1");
    await sealedAs(await cipherWith(NEXT, KEY), "mem_2");
    const after = await sealedAs(await cipherWith(NEXT), "mem_3");
    expect(after.seal.factHash).toBe(before.seal.factHash);
    secrets.clear();
    expect((await sealedAs(await cipherWith(KEY), "mem_1")).seal.factHash).not.toBe(before.seal.factHash);
  });
});

test("a rotated memory opens with the new key alone, and a former key only opens", async () => {
  const memory = await sealedAs(await cipherWith(KEY), "mem_1");
  const both = await cipherWith(NEXT, KEY);
  expect(await both.open(memory)).toEqual(fact);
  const seal = await both.rewrap("mem_1", memory.seal);
  expect(seal?.keyId).toBe(sealKeyOf(NEXT).keyId);
  if (seal === undefined) return;
  const alone = await cipherWith(NEXT);
  expect(await alone.open({ ...memory, seal })).toEqual(fact);
  expect(await alone.open(memory)).toBeUndefined();
  expect(await alone.rewrap("mem_1", memory.seal)).toBeUndefined();
  expect((await sealedAs(both, "mem_2")).seal.keyId).toBe(seal.keyId);
});

test("a seed opens for its own receipt, also after a rotation, and not without the key", async () => {
  const cipher = await cipherWith(KEY);
  const seed = "ab".repeat(32);
  const sealed = await cipher.sealSeed("ans_1", seed);
  expect(sealed).toMatch(/^sealed:/);
  expect(sealed).not.toContain(seed);
  expect(await cipher.openSeed("ans_1", sealed)).toBe(seed);
  expect(await cipher.openSeed("ans_2", sealed)).toBeUndefined();
  await (await cipherWith(NEXT, KEY)).sealSeed("ans_3", seed);
  expect(await (await cipherWith(NEXT)).openSeed("ans_1", sealed)).toBe(seed);
  expect(await (await cipherWith()).openSeed("ans_1", sealed)).toBeUndefined();
  expect(await cipher.openSeed("ans_1", seed)).toBe(seed);
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
