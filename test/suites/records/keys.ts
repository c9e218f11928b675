import { expect, test } from "vitest";
import type { KeyRecord, SessionRecord } from "#ports.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString();

const keyOf = (keyId: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  keyId,
  name: `name of ${keyId}`,
  role: "agent:planner",
  captures: ["diet", "__proto__"],
  createdAt: at(0),
  createdBy: "ada",
  ...more,
});

const sessionOf = (sessionHash: string, more: Partial<SessionRecord> = {}): SessionRecord => ({
  sessionHash,
  keyId: "key_1",
  keyHash: "h1",
  createdAt: at(0),
  endsAt: at(60),
  ...more,
});

export function keySuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("a key is found with its hash, across a restart, and an unknown one is not", async () => {
    const [plain, expiring] = [keyOf("key_1"), keyOf("key_2", { expiresAt: at(9), captures: [] })];
    await store.records.keys.add(plain, "h1");
    await store.records.keys.add(expiring, "h2");
    const { keys } = await store.restart();
    const found = await Promise.all(["key_1", "key_2", "key_3", "key_1"].map((keyId) => keys.find(keyId)));
    const tenant = { number: expect.any(Number), id: "under-test", quotas: {} };
    const first = { ...plain, keyHash: "h1", tenant };
    expect(found).toEqual([first, { ...expiring, keyHash: "h2", tenant }, undefined, first]);
  });

  test("an id is taken once", async () => {
    await store.records.keys.add(keyOf("key_1"), "h1");
    await expect(store.records.keys.add(keyOf("key_1"), "h2")).rejects.toMatchObject({ code: "records-unavailable" });
    expect(await store.records.keys.find("key_1")).toMatchObject({ keyHash: "h1" });
  });

  test("pages list every key once, newest first, without hashes", async () => {
    const { keys } = store.records;
    for (const n of [1, 2, 3, 4, 5]) await keys.add(keyOf(`key_${n}`), `h${n}`);
    const first = await keys.page({ limit: 3 });
    expect(first.keys).toEqual([5, 4, 3].map((n) => keyOf(`key_${n}`)));
    const second = await keys.page({ limit: 3, before: first.next as number });
    expect(second).toEqual({ keys: [2, 1].map((n) => keyOf(`key_${n}`)) });
    expect(await keys.page({ limit: 5 })).not.toHaveProperty("next");
  });

  test("a rotation keeps the old hash until the time that was said, and forgets an earlier one", async () => {
    const { keys } = store.records;
    await keys.add(keyOf("key_1"), "h1");
    expect(await keys.rotate("key_1", "h2", at(5))).toEqual(keyOf("key_1", { previousEndsAt: at(5) }));
    expect(await keys.find("key_1")).toMatchObject({ keyHash: "h2", previousHash: "h1", previousEndsAt: at(5) });
    expect(await keys.rotate("key_1", "h3")).toEqual(keyOf("key_1"));
    const { tenant, ...found } = (await keys.find("key_1")) ?? {};
    expect(found).toEqual({ ...keyOf("key_1"), keyHash: "h3" });
    expect(tenant).toMatchObject({ id: "under-test" });
    expect(await keys.rotate("key_2", "h")).toBeUndefined();
  });

  test("a revoked key stays revoked since the first time, and is not rotated", async () => {
    const { keys } = store.records;
    await keys.add(keyOf("key_1"), "h1");
    expect(await keys.revoke("key_1", at(1))).toEqual(keyOf("key_1", { revokedAt: at(1) }));
    expect(await keys.revoke("key_1", at(2))).toEqual(keyOf("key_1", { revokedAt: at(1) }));
    expect(await keys.rotate("key_1", "h2")).toBeUndefined();
    expect(await keys.find("key_1")).toMatchObject({ keyHash: "h1", revokedAt: at(1) });
    expect(await keys.revoke("key_2", at(1))).toBeUndefined();
  });

  test("a key that another replica revoked is found revoked at once", async () => {
    const other = await store.openAgain();
    await store.records.keys.add(keyOf("key_1"), "h1");
    expect(await other.keys.find("key_1")).not.toHaveProperty("revokedAt");
    await store.records.keys.revoke("key_1", at(1));
    expect(await other.keys.find("key_1")).toMatchObject({ revokedAt: at(1) });
  });

  test("a use is recorded unless a recent one is", async () => {
    const { keys } = store.records;
    await keys.add(keyOf("key_1"), "h1");
    const lastUse = async () => (await keys.find("key_1"))?.lastUsedAt;
    await keys.used("key_1", at(5), at(4));
    expect(await lastUse()).toBe(at(5));
    await keys.used("key_1", at(6), at(4));
    expect(await lastUse()).toBe(at(5));
    await keys.used("key_1", at(7), at(5));
    expect(await lastUse()).toBe(at(7));
    await keys.used("key_2", at(7), at(5));
  });

  test("an admin's key is known to have been made, also when it was revoked", async () => {
    const { keys } = store.records;
    await keys.add(keyOf("key_1", { role: "admin:diet" }), "h1");
    expect(await keys.hasAdmin()).toBe(false);
    await keys.add(keyOf("key_2", { role: "admin", captures: [] }), "h2");
    await keys.revoke("key_2", at(1));
    expect(await keys.hasAdmin()).toBe(true);
  });

  test("a session is found until it is removed, and belongs to a key", async () => {
    const { keys, sessions } = store.records;
    await keys.add(keyOf("key_1"), "h1");
    const limits = { now: at(0), most: 10 };
    await sessions.add(sessionOf("s1"), limits);
    expect(await sessions.find("s1")).toEqual(sessionOf("s1"));
    await sessions.remove("s1");
    expect(await sessions.find("s1")).toBeUndefined();
    const stray = sessions.add(sessionOf("s2", { keyId: "key_9" }), limits);
    await expect(stray).rejects.toMatchObject({ code: "records-unavailable" });
  });

  test("a new session displaces those that ended, and the oldest of a key with too many", async () => {
    const { keys, sessions } = store.records;
    for (const n of [1, 2]) await keys.add(keyOf(`key_${n}`), `h${n}`);
    const limits = { now: at(0), most: 2 };
    await sessions.add(sessionOf("other", { keyId: "key_2" }), limits);
    await sessions.add(sessionOf("ended", { keyId: "key_2", endsAt: at(1) }), limits);
    for (const n of [1, 2, 3]) await sessions.add(sessionOf(`s${n}`, { createdAt: at(n) }), { ...limits, now: at(n) });
    const found = await Promise.all(["other", "ended", "s1", "s2", "s3"].map((hash) => sessions.find(hash)));
    expect(found.map((session) => session?.sessionHash)).toEqual(["other", undefined, undefined, "s2", "s3"]);
  });

  test("of the credentials in use, those are told that ended", async () => {
    const { keys, sessions } = store.records;
    await keys.add(keyOf("key_good"), "good");
    await keys.add(keyOf("key_revoked"), "revoked");
    await keys.revoke("key_revoked", at(1));
    await keys.add(keyOf("key_expired", { expiresAt: at(5) }), "expired");
    await keys.add(keyOf("key_rotated"), "older");
    await keys.rotate("key_rotated", "old", at(30));
    await keys.rotate("key_rotated", "new", at(30));
    for (const [hash, endsAt] of [
      ["open", at(60)],
      ["over", at(5)],
    ] as const)
      await sessions.add(sessionOf(hash, { keyId: "key_good", keyHash: "good", endsAt }), { now: at(0), most: 9 });
    const used = [
      { keyId: "key_good", keyHash: "good" },
      { keyId: "key_good", keyHash: "wrong" },
      { keyId: "key_revoked", keyHash: "revoked" },
      { keyId: "key_expired", keyHash: "expired" },
      { keyId: "key_rotated", keyHash: "new" },
      { keyId: "key_rotated", keyHash: "old" },
      { keyId: "key_rotated", keyHash: "older" },
      { keyId: "key_unknown", keyHash: "x" },
      { keyId: "key_good", keyHash: "good", sessionHash: "open" },
      { keyId: "key_good", keyHash: "good", sessionHash: "over" },
      { keyId: "key_good", keyHash: "good", sessionHash: "never" },
    ];
    expect([...(await keys.endedAmong(used, at(5)))].sort((a, b) => a - b)).toEqual([1, 2, 3, 6, 7, 9, 10]);
    expect(await keys.endedAmong(used.slice(4, 6), at(30))).toEqual([1]);
    expect(await keys.endedAmong([], at(5))).toEqual([]);
  });
}
