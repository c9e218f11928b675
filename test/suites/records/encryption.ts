import { describe, expect, test } from "vitest";
import { decryptedRecords } from "#adapters/encryption/decrypted-records.ts";
import { encryptionKeyOf } from "#adapters/encryption/encryption-secret.ts";
import { memoryCipher } from "#adapters/encryption/memory-cipher.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryCipher, MemoryOnRecord, RecordStore } from "#ports.ts";
import { allPages } from "#test/support/all-pages.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { memory, memoryPasses, newMemory, receipt, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const KEY = new Uint8Array(32).fill(1);
const NEXT = new Uint8Array(32).fill(2);

const cipherOf = (records: RecordStore, ...keys: readonly Uint8Array[]) =>
  memoryCipher({ keys, records, keptCharacters: 0 });

async function encrypted(cipher: MemoryCipher, plain: Memory): Promise<MemoryOnRecord> {
  const { text, encryption } = await cipher.encrypt(plain, plain);
  return { ...plain, content: text, encryption, contentDigest: `digest of ${text}` };
}

const seen = ({ content, contentDigest: _, ...rest }: Memory): object => ({ ...rest, content, encrypted: true });
const withoutDigest = ({ contentDigest: _, ...rest }: MemoryOnRecord): object => rest;

export function encryptSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const encryptIt = (name: string, isEncrypted = true) =>
    store.records.namespaces.put({ name, encrypted: isEncrypted }, STAMP);

  describe("above the cipher", () => {
    test("an encrypted memory is read as an open one, however it is read, and below it is ciphertext", async () => {
      const cipher = await cipherOf(store.records, KEY);
      const decrypted = decryptedRecords(store.records, cipher);
      await encryptIt("n");
      const plain = newMemory("A secret about peanuts", { key: "k" });
      const { memoryId } = plain;
      const expected = seen(plain);
      expect(withoutDigest(await decrypted.memories.add(await encrypted(cipher, plain)))).toEqual(expected);
      const position = { namespace: "n", sourceAgent: "s", key: "k" };
      const [{ sequence } = { sequence: 0 }] = (await readChanges(store.records.changeFeed)).changes;
      const { memories: page } = await decrypted.memories.page({ limit: 10 });
      for (const found of [
        await decrypted.memories.find(memoryId),
        (await decrypted.memories.findAll([memoryId])).get(memoryId),
        await decrypted.memories.findByKey(position),
        (await decrypted.memories.at([sequence])).get(sequence),
        page[0],
      ])
        expect(found && withoutDigest(found)).toEqual(expected);
      const outcome = await decrypted.memories.setPinned({ memoryId, pinned: true, limit: 1 }, STAMP);
      expect(outcome).toMatchObject({ kind: "set", memory: { ...expected, pinned: true } });
      const { changes } = await readChanges(decrypted.changeFeed);
      expect(changes[0]).toMatchObject({ kind: "captured", content: plain.content, encrypted: "decrypted" });
      const raw = await store.records.memories.find(memoryId);
      expect(JSON.stringify(raw)).not.toContain("peanuts");
      expect(JSON.stringify(await readChanges(store.records.changeFeed))).not.toContain("peanuts");
    });

    test("the same fact is found again, also after a rotation", async () => {
      const decrypted = decryptedRecords(store.records, await cipherOf(store.records, KEY));
      const first = newMemory("again");
      await decrypted.memories.add(await encrypted(await cipherOf(store.records, KEY), first));
      for (const keys of [[KEY], [NEXT, KEY]]) {
        const cipher = await cipherOf(store.records, ...keys);
        const again = await decryptedRecords(store.records, cipher).memories.add(
          await encrypted(cipher, newMemory("again")),
        );
        expect(again.memoryId).toBe(first.memoryId);
        expect(again.content).toBe("again");
      }
    });

    test("without the key an encrypted memory is left out, and its namespace is locked", async () => {
      const cipher = await cipherOf(store.records, KEY);
      await encryptIt("n");
      const [hidden, open] = [newMemory("hidden"), newMemory("open", { namespace: "m" })];
      await store.records.memories.add(await encrypted(cipher, hidden));
      await store.records.memories.add(open);
      for (const keys of [[], [NEXT]]) {
        const { memories, changeFeed } = decryptedRecords(store.records, await cipherOf(store.records, ...keys));
        expect(await memories.find(hidden.memoryId)).toBeUndefined();
        expect([...(await memories.findAll([hidden.memoryId, open.memoryId])).keys()]).toEqual([open.memoryId]);
        expect((await memories.page({ limit: 10 })).memories).toEqual([open]);
        for (const contains of ["alg", "ciphertext", "hidden"])
          expect((await memories.page({ limit: 10, contains })).memories).toEqual([]);
        const { heads } = await changeFeed.since({ position: 0, policyVersion: -1 });
        expect(heads.map(({ namespace, isLocked }) => [namespace, isLocked])).toEqual([
          ["m", undefined],
          ["n", true],
        ]);
        expect((await readChanges(changeFeed)).changes[0]).toMatchObject({ content: "", encrypted: "unreadable" });
        expect(await memories.setPinned({ memoryId: hidden.memoryId, pinned: true, limit: 1 }, STAMP)).toEqual({
          kind: "not-found",
        });
      }
    });

    test("a search looks at the text of encrypted memories, never at their ciphertext, whatever the pages", async () => {
      const cipher = await cipherOf(store.records, KEY);
      const decrypted = decryptedRecords(store.records, cipher);
      const all: Memory[] = [];
      for (let i = 0; i < 40; i++) {
        const plain = memory(i, { content: ["Peanut", "peanut allergy", "alg or iv", "dinner"][i % 4] as string });
        const each = { ...plain, content: `${plain.content} ${i}` };
        all.unshift(each);
        await decrypted.memories.add(i % 3 === 0 ? each : await encrypted(cipher, each));
      }
      for (const contains of ["PEANUT", "alg", "zzz", "1"])
        for (const page of [{ limit: 1 }, { limit: 3, scan: 7 }, { limit: 50 }, { limit: 10, bytes: 300 }]) {
          const found = await allPages(async ({ cursor }) => {
            const from = cursor === undefined ? {} : { before: Number(cursor) };
            const { memories, next } = await decrypted.memories.page({ contains, ...page, ...from });
            expect(memories.length).toBeLessThanOrEqual(page.limit);
            return { found: memories, nextCursor: next === undefined ? undefined : String(next) };
          });
          const expected = all.filter((each) => memoryPasses(each, { contains }));
          expect(found.map(({ memoryId }) => memoryId)).toEqual(expected.map(({ memoryId }) => memoryId));
        }
    });

    test("a receipt's seed that was encrypted is decrypted with the key, and absent without it", async () => {
      const cipher = await cipherOf(store.records, KEY);
      const { seed, ...issued } = receipt(1);
      const { answerId } = issued;
      await store.records.receipts.add({ ...issued, seed: await cipher.encryptSeed(answerId, seed) });
      await store.records.receipts.add(receipt(2));
      const seedsWith = async (...keys: readonly Uint8Array[]) => {
        const { receipts } = decryptedRecords(store.records, await cipherOf(store.records, ...keys));
        const page = await receipts.page({ limit: 10 });
        return [(await receipts.find(answerId))?.seed, ...page.receipts.map(({ seed }) => seed)];
      };
      expect(await seedsWith(KEY)).toEqual([seed, seed, seed]);
      expect(await seedsWith()).toEqual([undefined, seed, undefined]);
      expect((await store.records.receipts.find(answerId))?.seed).not.toContain(seed);
    });
  });

  test("keys are wrapped anew where they are as they were read, of superseded memories too", async () => {
    const { records } = store;
    const cipher = await cipherOf(records, KEY);
    const [one, two] = [newMemory("one", { key: "k" }), newMemory("two", { key: "k" })];
    await records.memories.add(await encrypted(cipher, one));
    await records.memories.add(await encrypted(cipher, two));
    await records.memories.add(newMemory("open"));
    const [former, next] = [encryptionKeyOf(KEY), encryptionKeyOf(NEXT)];
    expect(await records.encryption.counts()).toEqual(new Map([[former.keyId, 2]]));
    expect(await records.encryption.keyIds()).toEqual([former.keyId]);
    const both = await cipherOf(records, NEXT, KEY);
    const other = await records.memories.add(await encrypted(both, newMemory("three", { namespace: "a" })));
    await records.memories.add(await encrypted(both, newMemory("four", { namespace: "z" })));
    expect(await records.encryption.keyIds()).toEqual([former.keyId, next.keyId].sort());
    const namespaces = { namespaces: ["a", "z"] };
    const memoryIds = (await records.memories.page({ limit: 9, ...namespaces })).memories.map((each) => each.memoryId);
    expect(memoryIds).toContain(other.memoryId);
    await records.memories.forget({ memoryIds, cause: "forgotten" }, STAMP);
    expect(await records.encryption.keyIds()).toEqual([former.keyId]);
    const rows = await records.encryption.wrappedByOthers({ keyId: next.keyId, limit: 10 });
    expect(rows.map(({ memoryId }) => memoryId)).toEqual([one.memoryId, two.memoryId].sort());
    const changes = [];
    for (const { memoryId, encryption } of rows) {
      const to = await both.rewrap(memoryId, encryption);
      if (to !== undefined) changes.push({ memoryId, from: encryption, to });
    }
    expect(await records.encryption.rewrap(changes)).toBe(2);
    expect(await records.encryption.rewrap(changes)).toBe(0);
    expect(await records.encryption.counts()).toEqual(new Map([[next.keyId, 2]]));
    expect(await records.encryption.wrappedByOthers({ keyId: next.keyId, limit: 10 })).toEqual([]);
    const decrypted = decryptedRecords(records, await cipherOf(records, NEXT)).memories;
    expect((await decrypted.find(one.memoryId))?.content).toBe("one");
    expect((await decrypted.find(two.memoryId))?.content).toBe("two");
    const [first] = [one.memoryId, two.memoryId].sort() as [string];
    expect(await records.encryption.wrappedByOthers({ keyId: "", after: first, limit: 10 })).toHaveLength(1);
  });

  test("the secret of the hashes is kept for each key, until it is removed", async () => {
    const { encryption } = store.records;
    await encryption.addSecret("a", Uint8Array.of(1));
    await encryption.addSecret("a", Uint8Array.of(2));
    await encryption.addSecret("b", Uint8Array.of(3));
    expect([...(await encryption.secrets())].map(([id, bytes]) => [id, ...bytes]).sort()).toEqual([
      ["a", 1],
      ["b", 3],
    ]);
    await encryption.removeSecret("a");
    expect([...(await encryption.secrets()).keys()]).toEqual(["b"]);
  });

  test("open memories of an encrypted namespace are replaced with their pins, keys and times, and forgotten", async () => {
    const { records } = store;
    const { encryption } = records;
    const cipher = await cipherOf(records, KEY);
    const [old, one, two] = [newMemory("old", { key: "k" }), newMemory("one", { key: "k" }), newMemory("two")];
    for (const each of [old, one, two, newMemory("elsewhere", { namespace: "m" })]) await records.memories.add(each);
    await records.memories.setPinned({ memoryId: one.memoryId, pinned: true, limit: 9 }, STAMP);
    expect(await encryption.unencryptedNamespaces()).toEqual([]);
    await encryptIt("n");
    expect(await encryption.unencryptedNamespaces()).toEqual(["n"]);
    const open = await encryption.openIn("n", 10);
    expect(open.map(({ memoryId }) => memoryId)).toEqual([one.memoryId, two.memoryId]);
    expect(await encryption.openIn("n", 1)).toHaveLength(1);
    expect(await encryption.openHistoryIn("n", 10)).toEqual([old.memoryId]);
    const replacements = [];
    for (const { supersedes: _, pinned: __, ...each } of open) {
      const again = await encrypted(cipher, { ...each, memoryId: `${each.memoryId}-encrypted` });
      replacements.push({ memoryId: each.memoryId, encrypted: again });
    }
    const forgotten = await encryption.replace(replacements, STAMP);
    expect(forgotten.map(({ tombstone }) => [tombstone.memoryId, tombstone.cause])).toEqual([
      [one.memoryId, "encrypted"],
      [two.memoryId, "encrypted"],
    ]);
    expect(await encryption.replace(replacements, STAMP)).toEqual([]);
    expect(await records.memories.current(open.map(({ memoryId }) => memoryId))).toEqual(new Set());
    const { memories } = decryptedRecords(records, cipher);
    const recorded = await memories.find(`${one.memoryId}-encrypted`);
    expect(recorded).toMatchObject({
      content: "one",
      key: "k",
      pinned: true,
      createdAt: one.createdAt,
      encrypted: true,
    });
    expect(recorded?.supersedes).toBeUndefined();
    expect(await encryption.unencryptedNamespaces()).toEqual(["n"]);
    await records.memories.forget({ memoryIds: [old.memoryId], cause: "encrypted" }, STAMP);
    expect(await encryption.unencryptedNamespaces()).toEqual([]);
    expect((await records.memories.counts()).byNamespace).toEqual(
      new Map([
        ["m", 1],
        ["n", 2],
      ]),
    );
  });
}
