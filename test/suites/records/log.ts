// The transparency log: what is recorded has an entry in the same commit, and entries are placed in one tree.
import { describe, expect, onTestFinished, test } from "vitest";
import { CHAIN_START, entryOfDisclosed, nextChain } from "#core/log/entry.ts";
import { leafHash } from "#core/log/merkle-tree.ts";
import { hashesOf } from "#core/log/tiles.ts";
import type { DeploymentRecords, RecordStore, TenantLog, TenantRecord } from "#ports.ts";
import { definedRoot } from "#test/support/defined-root.ts";
import { AT, newMemory, receipt, STAMP } from "./samples.ts";

type Open = () => Promise<DeploymentRecords>;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

async function integrateAll({ transparencyLog }: DeploymentRecords, most = 7): Promise<void> {
  while ((await transparencyLog.integrate(most)).mayGoOn);
}

async function entriesOf(log: TenantLog) {
  const found = [];
  for (let page = await log.entries({ after: 0, limit: 50 }); page.length > 0; ) {
    found.push(...page);
    page = await log.entries({ after: found.at(-1)?.number ?? 0, limit: 50 });
  }
  return found;
}

const bodiesOf = async (log: TenantLog) => (await entriesOf(log)).map(({ body }) => JSON.parse(body));

/** The entries as the tree has them. */
async function treeOf({ transparencyLog }: DeploymentRecords): Promise<Uint8Array[]> {
  const entries: Uint8Array[] = [];
  for (let number = 0; ; number += 1) {
    const tile = await transparencyLog.tile({ level: 0, number });
    if (tile === undefined) return entries;
    entries.push(...hashesOf(tile));
  }
}

/** That the tree has exactly these tenants' entries, each once, and that chains, numbers and root are what they must be. */
async function expectWhole(deployment: DeploymentRecords, logs: readonly TenantLog[]): Promise<void> {
  const tree = await treeOf(deployment);
  const { size, root } = await deployment.transparencyLog.head();
  expect(tree.length).toBe(size);
  if (size > 0) expect(root).toBe(hex(definedRoot(tree.map(leafHash))));
  const places: number[] = [];
  for (const log of logs) {
    const entries = await entriesOf(log);
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, i) => i + 1));
    const indexes = entries.map(({ index }) => index);
    expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
    const times = entries.map(({ body }) => JSON.parse(body).at);
    expect(times).toEqual(times.toSorted());
    let chain = CHAIN_START;
    for (const entry of entries) {
      expect(hex(tree[entry.index] as Uint8Array)).toBe(hex(entryOfDisclosed(entry)));
      chain = nextChain(chain, entryOfDisclosed(entry));
    }
    expect(await log.end()).toEqual({ number: entries.length, chain: hex(chain), size });
    places.push(...indexes);
  }
  expect(places.toSorted((a, b) => a - b)).toEqual(tree.map((_, i) => i));
}

const restored = (i: number) => {
  const { answerId, agentId, createdAt, namespaces, memoryIds, model, body, seed } = receipt(i);
  const counts = { used: 0, verified: 0, intact: 0, signatureDigest: "51" };
  return { answerId, agentId, createdAt, namespaces, memoryIds, model, body, seed, counts };
};

/** `prepare` gives a way to open one database, several times as several replicas do. */
export function logSuite(name: string, prepare: () => Promise<Open>): void {
  describe(`the transparency log in ${name}`, () => {
    async function twoTenants() {
      const open = await prepare();
      const deployment = await open();
      onTestFinished(() => deployment.close());
      const created = await Promise.all(["a", "b"].map((id) => deployment.tenants.create(id, AT)));
      const [a, b] = created.map((tenant) => deployment.recordsOf(tenant as TenantRecord)) as [
        RecordStore,
        RecordStore,
      ];
      return { open, deployment, a, b, logs: [deployment.log, deployment.deploymentLog, a.log, b.log] };
    }

    test("everything that changes what can be proved has an entry, in the order of commits", async () => {
      const { deployment, a, logs } = await twoTenants();
      const { receipts, memories, policy, keys } = a;
      await policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
      const first = newMemory("first", { key: "k" });
      await memories.add(first);
      await memories.add(newMemory("second", { key: "k" }));
      await memories.forget({ memoryIds: [first.memoryId], cause: "forgotten" }, STAMP);
      await receipts.begin(receipt(1));
      await receipts.add(receipt(1));
      await receipts.add(receipt(2, { wasBegun: false }));
      await receipts.begin(receipt(3));
      await receipts.breakOff({ answerId: receipt(3).answerId, agentId: "a", at: AT, reason: "failed" });
      await receipts.breakOff({ answerId: receipt(2).answerId, agentId: "a", at: AT, reason: "failed" });
      await receipts.begin(receipt(4));
      expect(await receipts.abandon("~")).toBe(1);
      const key = { keyId: "key", name: "k", role: "agent", captures: [], createdAt: AT, createdBy: "x" } as const;
      await keys.add(key, "hash");
      await keys.rotate("key", "other", undefined);
      await keys.revoke("key", AT);
      await keys.revoke("key", "2027-01-02T03:04:05.678Z");
      await a.reset([newMemory("seed")], {}, STAMP);
      await integrateAll(deployment);
      const bodies = await bodiesOf(a.log);
      expect(bodies.map(({ kind, state }) => (state === undefined ? kind : `${kind} ${state}`))).toEqual([
        "tenant created",
        "policy",
        "captured",
        "superseded",
        "captured",
        "forgotten",
        "opened",
        "issued",
        "opened",
        "issued",
        "opened",
        "broken-off",
        "opened",
        "broken-off",
        "api-key begun",
        "api-key rotated",
        "api-key ended",
        "policy",
        "reset",
        "captured",
      ]);
      const [opened, issued] = bodies.filter(({ kind }) => kind === "opened" || kind === "issued");
      expect(opened).toEqual({
        at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        kind: "opened",
        number: opened.number,
        policyVersion: 0,
        inForce: 1,
        slot: expect.stringMatching(/^[\w-]{43}$/),
      });
      expect(issued).toMatchObject({ kind: "issued", slot: opened.slot, receipt: "5ea1", signature: "51" });
      const [, , captured, superseded, , forgotten] = bodies;
      expect([superseded.memory, forgotten.memory]).toEqual([captured.memory, captured.memory]);
      expect(JSON.stringify(bodies)).not.toContain(first.memoryId);
      expect((await a.log.ofAnswer(receipt(1).answerId)).map(({ body }) => JSON.parse(body).kind)).toEqual([
        "opened",
        "issued",
      ]);
      await expectWhole(deployment, logs);
    });

    test("what is not committed leaves no entry, and no gap", async () => {
      const { deployment, a, logs } = await twoTenants();
      await a.receipts.begin(receipt(1));
      await a.receipts.add(receipt(1));
      await expect(a.receipts.add(receipt(1))).rejects.toThrow();
      await Promise.allSettled([
        a.receipts.begin(receipt(2)),
        a.receipts.begin(receipt(2)),
        a.receipts.begin(receipt(3)),
      ]);
      await integrateAll(deployment);
      const kinds = (await bodiesOf(a.log)).map(({ kind }) => kind);
      expect(kinds).toEqual(["tenant", "opened", "issued", "opened", "opened"]);
      await expectWhole(deployment, logs);
    });

    test("signing keys are in the deployment's own chain", async () => {
      const { deployment, logs } = await twoTenants();
      const key = { keyId: "k", publicKey: Buffer.alloc(32, 1), privateKey: Buffer.alloc(32, 2), createdAt: AT };
      await deployment.signingKeys.add(key);
      expect(await deployment.signingKeys.end("k", AT)).toBe(true);
      expect(await deployment.signingKeys.end("k", AT)).toBe(false);
      await integrateAll(deployment);
      expect(await bodiesOf(deployment.deploymentLog)).toMatchObject([
        { kind: "signing-key", publicKey: "01".repeat(32), state: "begun" },
        { kind: "signing-key", publicKey: "01".repeat(32), state: "ended" },
      ]);
      await expectWhole(deployment, logs);
    });

    test("each digest of verify.html has one entry, however many replicas start with it, and how often", async () => {
      const { open, deployment, logs } = await twoTenants();
      const replica = await open();
      if (replica !== deployment) onTestFinished(() => replica.close());
      const digests = ["aa", "bb"].map((byte) => byte.repeat(32));
      for (const sha256 of [...digests, ...digests])
        await Promise.all(
          [deployment, replica, deployment].map(({ transparencyLog }) => transparencyLog.nameVerifier(sha256)),
        );
      await integrateAll(deployment);
      expect(await bodiesOf(deployment.deploymentLog)).toMatchObject(
        digests.map((sha256) => ({ kind: "verifier", sha256 })),
      );
      await expectWhole(deployment, logs);
    });

    test("receipts and keys of another service have entries that say so", async () => {
      const { deployment, a, logs } = await twoTenants();
      const { counts: _, ...begun } = restored(2);
      for (let i = 0; i < 2; i += 1) expect(await a.transfer.restoreReceipts([restored(1), begun])).toBe(2 * (1 - i));
      const key = { keyId: "k", publicKey: Buffer.alloc(32, 1), createdAt: AT, endedAt: AT };
      for (let i = 0; i < 2; i += 1) await deployment.transfer.restoreKeys([key], "deployment");
      // One that was open when it was exported was not opened here, and has no end here.
      expect(await a.receipts.abandon("~")).toBe(1);
      await integrateAll(deployment);
      expect(await bodiesOf(a.log)).toMatchObject([{ kind: "tenant" }, { kind: "imported", signature: "51" }]);
      const [own] = await a.log.ofAnswer(receipt(1).answerId);
      expect(JSON.parse(own?.body ?? "{}")).toMatchObject({
        kind: "imported",
        slot: expect.stringMatching(/^[\w-]{43}$/),
      });
      expect(await bodiesOf(deployment.deploymentLog)).toMatchObject([
        { kind: "signing-key", publicKey: "01".repeat(32), state: "ended" },
      ]);
      const more = Array.from({ length: 120 }, (_, i) => ({
        ...key,
        keyId: `k${i}`,
        publicKey: Buffer.alloc(32, i + 2),
      }));
      await deployment.transfer.restoreKeys(more, "deployment");
      await integrateAll(deployment);
      const known = await deployment.deploymentLog.ofKind("signing-key");
      expect(known).toEqual((await entriesOf(deployment.deploymentLog)).slice(-64));
      await expectWhole(deployment, logs);
    });

    test("what one commit records is read in pages of any size, and found by each answer in it", async () => {
      const { deployment, a, logs } = await twoTenants();
      const imported = Array.from({ length: 120 }, (_, i) => restored(i));
      expect(await a.transfer.restoreReceipts(imported)).toBe(120);
      await integrateAll(deployment);
      const all = await entriesOf(a.log);
      expect(all.length).toBe(1 + 120);
      for (const [after, limit] of [
        [0, 1],
        [0, 120],
        [1, 50],
        [49, 3],
        [60, 61],
        [101, 50],
        [121, 5],
      ] as const)
        expect(await a.log.entries({ after, limit })).toEqual(all.slice(after, after + limit));
      for (const i of [0, 49, 50, 119]) expect(await a.log.ofAnswer(receipt(i).answerId)).toEqual([all[i + 1]]);
      await expectWhole(deployment, logs);
    });

    test("placing says how many entries it placed, and if it was as many as it may, that more may wait", async () => {
      const { deployment, a } = await twoTenants();
      await integrateAll(deployment);
      for (let i = 0; i < 3; i++) await a.receipts.begin(receipt(i));
      const { transparencyLog } = deployment;
      expect(await transparencyLog.integrate(2)).toMatchObject({ placed: 2, mayGoOn: true });
      expect(await transparencyLog.integrate(2)).toMatchObject({ placed: 1, mayGoOn: false });
      expect(await transparencyLog.integrate(2)).toMatchObject({ placed: 0, mayGoOn: false });
      // What one commit recorded is in rows of 50 entries.
      await a.transfer.restoreReceipts(Array.from({ length: 120 }, (_, i) => restored(i + 10)));
      expect(await transparencyLog.integrate(50)).toMatchObject({ placed: 50, mayGoOn: true });
      expect(await transparencyLog.integrate(51)).toMatchObject({ placed: 70, mayGoOn: true });
      expect(await transparencyLog.integrate(51)).toMatchObject({ placed: 0, mayGoOn: false });
    });

    test("several replicas that place entries while others write make one tree without gaps", async () => {
      const { open, deployment, a, b, logs } = await twoTenants();
      const replica = await open();
      if (replica !== deployment) onTestFinished(() => replica.close());
      const heads = new Map<number, string>();
      let isDone = false;
      const integrating = [deployment, replica, replica].map(async ({ transparencyLog }, i) => {
        while (!isDone || (await transparencyLog.integrate(3 + 40 * i)).placed > 0) {
          await transparencyLog.integrate(3 + 40 * i);
          const { size, root } = await transparencyLog.head();
          expect(heads.get(size) ?? root).toBe(root);
          heads.set(size, root);
        }
      });
      const writing = [a, b, deployment].flatMap((records, place) =>
        Array.from({ length: 60 }, async (_, i) => {
          const answer = receipt(1_000 * place + i);
          await records.receipts.begin(answer);
          await records.receipts.add(answer);
          if (i % 10 === 0) await records.policy.set({ agentId: `x${i}`, namespace: "n", allowed: true }, STAMP);
        }),
      );
      await Promise.all(writing);
      isDone = true;
      await Promise.all(integrating);
      await integrateAll(deployment);
      await expectWhole(deployment, logs);
      expect((await deployment.transparencyLog.head()).size).toBe(2 + 3 * (2 * 60 + 6));
      for (const log of logs) {
        let version = 0;
        for (const body of await bodiesOf(log)) {
          if (body.kind === "policy") {
            expect(body.version).toBe(version + 1);
            version = body.version;
          }
          if (body.kind === "opened") expect(body.inForce).toBe(version);
        }
      }
    });

    test("a checkpoint is only ever replaced by one of a greater tree that is on record", async () => {
      const { deployment, a } = await twoTenants();
      const { transparencyLog } = deployment;
      await integrateAll(deployment);
      const { size } = await transparencyLog.head();
      await transparencyLog.addNote(size, "first");
      await transparencyLog.addNote(size, "second");
      await transparencyLog.addNote(size + 1, "not on record");
      expect(await transparencyLog.head()).toMatchObject({ signedSize: size, note: "first" });
      await a.receipts.begin(receipt(1));
      await integrateAll(deployment);
      await transparencyLog.addNote(size + 1, "third");
      await transparencyLog.addNote(size, "old");
      expect(await transparencyLog.head()).toMatchObject({ size: size + 1, signedSize: size + 1, note: "third" });
    });

    test("a deleted tenant leaves its entries in the tree, and nothing that tells what they say", async () => {
      const { deployment, a, b, logs } = await twoTenants();
      for (const i of [1, 2]) await b.receipts.begin(receipt(i));
      await a.receipts.begin(receipt(3));
      const tenant = (await deployment.tenants.find("b")) as TenantRecord;
      await deployment.tenantDeletions.begin("b", AT);
      while ((await deployment.tenantDeletions.step(tenant, AT)) !== "ended");
      await integrateAll(deployment);
      const { size, root } = await deployment.transparencyLog.head();
      const tree = await treeOf(deployment);
      expect(root).toBe(hex(definedRoot(tree.map(leafHash))));
      const left = (await Promise.all(logs.map(entriesOf))).flat();
      expect(left.map(({ index }) => index)).not.toHaveLength(0);
      // Created, two opened, deleted.
      expect(left.length).toBe(size - 4);
      expect(await b.log.end()).toMatchObject({ number: 0 });
    });

    test("what is recorded in a tenant while it is deleted is in the tree all the same", async () => {
      const { deployment, b } = await twoTenants();
      const times = Array.from({ length: 40 }, (_, i) => `2026-01-02T03:00:${String(i).padStart(2, "0")}.000Z`);
      for (const [i, createdAt] of times.entries()) await b.receipts.begin({ ...receipt(i), createdAt });
      const tenant = (await deployment.tenants.find("b")) as TenantRecord;
      await deployment.tenantDeletions.begin("b", AT);
      await integrateAll(deployment);
      const { size } = await deployment.transparencyLog.head();
      let ended = 0;
      const ending = (async () => {
        for (const time of [...times.slice(1), "~"]) ended += await b.receipts.abandon(time).catch(() => 0);
      })();
      while ((await deployment.tenantDeletions.step(tenant, AT)) !== "ended");
      await ending;
      while ((await deployment.tenantDeletions.step(tenant, AT)) !== "ended");
      await integrateAll(deployment);
      expect((await deployment.transparencyLog.head()).size).toBe(size + ended);
    });
  });
}
