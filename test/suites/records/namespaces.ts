import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { NamespaceEntry } from "#ports.ts";
import { BEGINNING } from "#test/support/read-changes.ts";
import { newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function namespaceSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = (namespace: string) => store.records.memories.add(newMemory("fact", { namespace }));
  const listed = async (filter: { names?: string[] } = {}): Promise<readonly NamespaceEntry[]> =>
    (await store.records.namespaces.page({ limit: 100, ...filter })).namespaces;

  test("settings are recorded in place of earlier ones, and survive a restart", async () => {
    const { namespaces } = store.records;
    expect(await namespaces.find("n")).toBeUndefined();
    const full = { name: "n", description: "what it's for 😀", retentionSeconds: 3_600, encrypted: true };
    await namespaces.put(full, STAMP);
    expect(await (await store.restart()).namespaces.find("n")).toEqual({ ...full, memories: 0 });
    await store.records.namespaces.put({ name: "n", encrypted: false }, STAMP);
    await capture("n");
    expect(await store.records.namespaces.find("n")).toEqual({ name: "n", memories: 1, encrypted: false });
    expect(await store.records.namespaces.find("m")).toBeUndefined();
  });

  test("settings without `encrypted` leave it as it is, and the change feed too", async () => {
    const { namespaces, changeFeed } = store.records;
    await namespaces.put({ name: "n", description: "d" }, STAMP);
    expect(await namespaces.find("n")).toMatchObject({ encrypted: false });
    await namespaces.put({ name: "n", encrypted: true }, STAMP);
    const before = await changeFeed.since(BEGINNING);
    await namespaces.put({ name: "n", description: "other", retentionSeconds: 60 }, STAMP);
    expect(await namespaces.find("n")).toMatchObject({ encrypted: true, description: "other", retentionSeconds: 60 });
    expect((await changeFeed.since(before)).heads).toEqual([]);
  });

  test("settings stay when the last memory is forgotten, and through a reset", async () => {
    const { namespaces, memories, reset } = store.records;
    const settings = { name: "n", description: "d", encrypted: false };
    await namespaces.put(settings, STAMP);
    const { memoryId } = await capture("n");
    expect(await listed()).toEqual([{ ...settings, memories: 1 }]);
    await memories.forget({ memoryIds: [memoryId], cause: "forgotten" }, STAMP);
    expect(await listed()).toEqual([{ ...settings, memories: 0 }]);
    await capture("n");
    await reset([], policyFrom([]), STAMP);
    expect(await namespaces.find("n")).toEqual({ ...settings, memories: 0 });
    expect((await memories.counts()).byNamespace).toEqual(new Map());
  });

  test("those with memories or settings are listed in UTF-8 order, in pages, and others are not", async () => {
    const { namespaces, memories } = store.records;
    for (const namespace of ["b", "é", "a", "Z", "\u{1f642}", "\uff21"]) await capture(namespace);
    await namespaces.put({ name: "described", description: "d", encrypted: false }, STAMP);
    const { memoryId } = await capture("emptied");
    await memories.forget({ memoryIds: [memoryId], cause: "forgotten" }, STAMP);
    const expected = ["Z", "a", "b", "described", "é", "\uff21", "\u{1f642}"];
    expect((await listed()).map(({ name }) => name)).toEqual(expected);
    expect((await listed()).map((each) => each.memories)).toEqual([1, 1, 1, 0, 1, 1, 1]);
    const names: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await namespaces.page({ limit: 3, ...(after !== undefined && { after }) });
      names.push(...page.namespaces.map(({ name }) => name));
      if (page.next === undefined) break;
      expect(page.namespaces).toHaveLength(3);
      after = page.next;
    }
    expect(names).toEqual(expected);
    expect((await listed({ names: ["b", "none", "emptied", "described"] })).map(({ name }) => name)).toEqual([
      "b",
      "described",
    ]);
    expect(await listed({ names: [] })).toEqual([]);
  });

  test("a name that looks like another is refused, also when only settings have it", async () => {
    const { namespaces } = store.records;
    await namespaces.put({ name: "diet", encrypted: false }, STAMP);
    const confusable = { code: "confusable-name" };
    await expect(namespaces.put({ name: "dіet", encrypted: false }, STAMP)).rejects.toMatchObject(confusable);
    await expect(capture("dіet")).rejects.toMatchObject(confusable);
    expect(await namespaces.find("dіet")).toBeUndefined();
  });

  test("the change feed gives the head again when a namespace is encrypted, and only then", async () => {
    const { namespaces, changeFeed } = store.records;
    await capture("n");
    await capture("m");
    const first = await changeFeed.since(BEGINNING);
    expect(first.heads).toMatchObject([{ isEncrypted: false }, { isEncrypted: false }]);
    await namespaces.put({ name: "n", description: "d", encrypted: false }, STAMP);
    expect((await changeFeed.since(first)).heads).toEqual([]);
    await namespaces.put({ name: "n", description: "d", encrypted: true }, STAMP);
    const second = await changeFeed.since(first);
    expect(second.heads).toMatchObject([{ namespace: "n", memories: 1, isEncrypted: true }]);
    expect(second.position).toBeGreaterThan(first.position);
    await namespaces.put({ name: "n", description: "e", encrypted: true }, STAMP);
    expect((await changeFeed.since(second)).heads).toEqual([]);
    const { head = 0 } = second.heads[0] ?? {};
    const page = await changeFeed.changesIn({ namespace: "n", after: first.position, through: head });
    expect(page).toEqual({ changes: [], position: head });
    const { memory, agrees } = await store.records.audit(async ({ rows }) => ({
      memory: (await Array.fromAsync(rows("counters")))[0]?.memory,
      agrees: (await Array.fromAsync(rows("namespace"))).every((each) => each.memories === (each.recorded ?? 0)),
    }));
    expect(memory).toBe(second.position);
    expect(agrees).toBe(true);
  });

  test("a captured encrypted memory has its encryption wherever it is read, and in the change feed", async () => {
    const { memories, changeFeed } = store.records;
    const encryption = { keyId: "key", wrappedKey: "wrapped", factHash: "hash" };
    const encrypted = newMemory("ciphertext", { encryption });
    expect(await memories.add(encrypted)).toEqual(encrypted);
    expect(await memories.find(encrypted.memoryId)).toEqual(encrypted);
    expect((await memories.page({ limit: 9 })).memories).toEqual([encrypted]);
    // Another ciphertext of the same fact.
    const again = newMemory("other ciphertext", { encryption: { ...encryption, wrappedKey: "other" } });
    expect(await memories.add(again)).toEqual(encrypted);
    const { heads } = await changeFeed.since(BEGINNING);
    const { changes } = await changeFeed.changesIn({ namespace: "n", after: 0, through: heads[0]?.head ?? 0 });
    expect(changes).toMatchObject([
      { kind: "captured", content: "ciphertext", memoryId: encrypted.memoryId, encryption },
    ]);
    const corrected = await memories.add(newMemory("c", { supersedes: encrypted.memoryId }));
    expect(await memories.find(encrypted.memoryId)).toEqual({ ...encrypted, supersededBy: corrected.memoryId });
  });
}
