// What is public of one tenant is found by its ids, whatever another one imports or anchors under the same: who issued it
// here comes first. On both databases.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { type Client, createClient } from "#contract/client/client.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { receiptIdOf } from "#core/receipt/chain-receipt.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { sealedReceiptOf } from "#core/receipt/receipt-shape.ts";
import { recordedForm } from "#core/receipt/sealed-form.ts";
import type { ExportRecord, RecordOf } from "#core/transfer/export-format.ts";
import type { TenantRecord } from "#ports.ts";
import { restoreOnLedger } from "#service/transfer/restored.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { send } from "#test/support/send.ts";
import { type Service, startService } from "#test/support/start-service.ts";
import { exportOf, importInto, signedByStranger } from "#test/transfer/exported.ts";

const AT = "2020-01-02T03:04:05.678Z";
const WITHOUT_LIMITS = Object.fromEntries(
  ["ANSWERS", "WRITES", "READS", "SIGN_INS"].map((name) => [`LIMIT_${name}_PER_MINUTE`, "0"]),
);

const receiptRecord = (receipt: AnswerReceipt): ExportRecord => ({
  kind: "receipt",
  receipt: recordedForm(receipt),
  status: "issued",
  chain: [],
});

/** An anchor that says to be of an issued receipt, and has this body. */
async function anchorRecord(answerId: string, form: object): Promise<ExportRecord> {
  const body = canonicalJson(form);
  const bytes = new TextEncoder().encode(body);
  const { blobId } = await memoryBlobs().put(bytes);
  return { kind: "anchor", blobId, digest: digestHex(bytes), answerId, issued: true, anchoredAt: AT, body };
}

const tombstoneRecord = (memoryId: string): ExportRecord => ({
  kind: "tombstone",
  tombstone: {
    memoryId,
    namespace: "diet",
    sourceAgent: "seed",
    cause: "forgotten",
    reason: "a lie",
    forgottenBy: "thief",
    forgottenAt: AT,
  },
});

/** A receipt of the same answer that names another memory. */
const naming = (receipt: AnswerReceipt, memoryId: string, storeRef: string): AnswerReceipt => ({
  ...receipt,
  usedMemories: receipt.usedMemories.map((memory) => ({ ...memory, memoryId, storeRef })),
});

describe.for(["sqlite", "postgres"] as const)("On %s, what a tenant issued and published is found", (kind) => {
  let service: Service;
  let operator: Client;
  let drop: (() => Promise<void>) | undefined;
  let made = 0;
  const clientWith = (bearer: string) => createClient({ baseUrl: service.url, bearer });
  const anyone = () => createClient({ baseUrl: service.url });

  beforeAll(async () => {
    const database = kind === "postgres" ? await freshDatabase() : undefined;
    drop = database?.drop;
    const environment = { AUTH: "keys", SEED: "none", ...WITHOUT_LIMITS };
    service = await startService({ environment, ...(database && { database: database.url }) });
    const { tenantAdministration } = service.tenant;
    operator = clientWith(
      (await tenantAdministration.createDeploymentKey({ name: "o", role: "operator" }, "test")).key,
    );
  });
  afterAll(async () => {
    await service.stop();
    await drop?.();
  });

  async function newAdmin(tenantId: string): Promise<Client> {
    if (tenantId !== "default") await operator.createTenant({ id: tenantId });
    return clientWith((await operator.createTenantKey({ tenantId }, { name: "admin" })).key);
  }

  /** An answer with one memory, whose content differs from every other's. */
  async function answered(admin: Client) {
    made += 1;
    const content = `Barrels in cellar number ${made}: forty.`;
    const { memory } = await admin.capture({ namespace: "diet", content, sourceAgent: "seed" });
    await admin.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
    const { receipt } = await admin.chat({ agentId: "assistant", query: "How many barrels are in the cellar?" });
    expect(receipt.usedMemories.map(({ memoryId }) => memoryId)).toEqual([memory.memoryId]);
    return { memory, receipt };
  }

  /** The thief comes first, so that it has the smaller number. */
  async function thiefAndVictim(thiefId = `thief${made}`) {
    const thief = await newAdmin(thiefId);
    const victim = await newAdmin(`victim${made}`);
    return { thief, victim, ...(await answered(victim)) };
  }

  async function importRecords(admin: Client, records: readonly ExportRecord[]): Promise<void> {
    const { header } = await exportOf(admin);
    const { text, key } = signedByStranger([header, ...records].map((line) => JSON.stringify(line)));
    await importInto(admin, text, { key });
  }

  /** Anchors the victim's receipt, and expects that everybody finds all of it by each of its ids. */
  async function anchoredAndFound(victim: Client, { memory, receipt }: Awaited<ReturnType<typeof answered>>) {
    const { receiptId, txDigest, storeBlob, digestHex } = await victim.anchorOnChain({ receipt });
    const { memoryId, storeRef } = memory;
    const clients = [anyone(), victim, await newAdmin(`stranger${made}`)];
    for (const client of clients) {
      for (const id of [receipt.answerId, storeBlob, digestHex, receiptId, txDigest]) {
        const { anchors } = await client.findAnchors({ id });
        expect(
          anchors.map((each) => (each.kind === "ledger" ? each.receiptId : undefined)),
          id,
        ).toContain(receiptId);
      }
      expect(await client.verify({ receiptId })).toMatchObject({ verdict: "verified" });
      await expect(client.getTombstone({ memoryId })).rejects.toMatchObject({ status: 404 });
    }
    expect((await send(`${service.url}/v1/blobs/${storeRef}`)).status).toBe(200);
    expect((await send(`${service.url}/verify?plain=1&q=${receipt.answerId}`)).text).toContain(receiptId);
    await victim.forgetMemory({ memoryId }, { reason: "the truth" });
    for (const client of clients) expect((await client.getTombstone({ memoryId })).tombstone.reason).toBe("the truth");
    expect((await anyone().verify({ receiptId })).checks).toContainEqual(
      expect.objectContaining({ name: "memory", status: "unknown" }),
    );
  }

  test("when another has imported its receipt, anchors and tombstone before it was anchored", async () => {
    const { thief, victim, ...answer } = await thiefAndVictim();
    const { answerId } = answer.receipt;
    const forms = [answer.receipt, sealedReceiptOf(answer.receipt)];
    const anchors = await Promise.all(forms.map((form) => anchorRecord(answerId, form)));
    await importRecords(thief, [tombstoneRecord(answer.memory.memoryId), receiptRecord(answer.receipt), ...anchors]);
    expect((await thief.findAnchors({ id: answerId })).anchors).toHaveLength(2);
    await anchoredAndFound(victim, answer);
  });

  test("when the tenant that serves who has no key has imported the same", async () => {
    const { thief, victim, ...answer } = await thiefAndVictim("default");
    const anchor = await anchorRecord(answer.receipt.answerId, answer.receipt);
    await importRecords(thief, [tombstoneRecord(answer.memory.memoryId), receiptRecord(answer.receipt), anchor]);
    await anchoredAndFound(victim, answer);
  });

  test("when another has imported a memory of its id, used it for an answer, published and forgotten it", async () => {
    const { thief, victim, ...answer } = await thiefAndVictim();
    const { memory } = await thief.capture({ namespace: "diet", content: "Barrels: none.", sourceAgent: "seed" });
    const { records } = await exportOf(thief);
    await thief.forgetMemory({ memoryId: memory.memoryId });
    const { memoryId } = answer.memory;
    const copies = records.flatMap((each) =>
      each.kind === "memory" ? { ...each, memory: { ...each.memory, memoryId } } : [],
    );
    await importRecords(thief, copies);
    await thief.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
    const { receipt } = await thief.chat({ agentId: "assistant", query: "How many barrels?" });
    expect(receipt.usedMemories.map((each) => each.memoryId)).toEqual([memoryId]);
    await thief.anchorOnChain({ receipt });
    await thief.forgetMemory({ memoryId }, { reason: "a lie" });
    await anchoredAndFound(victim, answer);
  });

  test("when another has imported an anchor that names its memory, for an answer of its own or of nobody", async () => {
    const { thief, victim, ...answer } = await thiefAndVictim();
    const { receipt: own } = await answered(thief);
    const { memoryId, storeRef } = answer.memory;
    const forged = naming(own, memoryId, storeRef);
    const foreign = { ...forged, answerId: "ans_of_nobody" };
    await importRecords(thief, [
      tombstoneRecord(memoryId),
      receiptRecord(foreign),
      await anchorRecord(own.answerId, forged),
      await anchorRecord(foreign.answerId, foreign),
      await anchorRecord(own.answerId, own),
    ]);
    await anchoredAndFound(victim, answer);
  });

  test("when another has imported records of another kind under its ids, and used and published them", async () => {
    const { thief, victim, ...answer } = await thiefAndVictim();
    const { receipt, memory } = answer;
    const { blobId = "", digest = "" } = (await anchorRecord(receipt.answerId, receipt)) as {
      blobId?: string;
      digest?: string;
    };
    await thief.capture({ namespace: "diet", content: "Barrels: none.", sourceAgent: "seed" });
    const { records } = await exportOf(thief);
    const ids = [receipt.answerId, blobId, digest, memory.storeRef];
    const copies = records.flatMap((each) =>
      each.kind === "memory" ? ids.map((memoryId) => ({ ...each, memory: { ...each.memory, memoryId } })) : [],
    );
    const { signature: _, ...begun } = recordedForm(receipt);
    const { salts: __, ...evidence } = begun.evidence as AnswerReceipt["evidence"];
    const usedMemories = begun.usedMemories.map(({ verified: _, intact: __, cited: ___, ...rest }) => rest);
    const open = { ...begun, usedMemories, evidence } as unknown as AnswerReceipt;
    await importRecords(thief, [...copies, { ...receiptRecord(open), status: "begun" } as ExportRecord]);
    await importRecords(thief, [receiptRecord(receipt), await anchorRecord(receipt.answerId, receipt)]);
    await thief.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
    const used = await thief.chat({ agentId: "assistant", query: "How many barrels?" });
    await thief.anchorOnChain({ receipt: used.receipt });
    await anchoredAndFound(victim, answer);
  });

  test("when another has imported an anchor on the ledger whose transaction has its ids, and asked for the same", async () => {
    const { thief, victim, ...answer } = await thiefAndVictim();
    const { blobId, digest } = (await anchorRecord(answer.receipt.answerId, answer.receipt)) as RecordOf<"anchor">;
    const ids = [answer.receipt.answerId, blobId, digest, answer.memory.memoryId, answer.memory.storeRef];
    const foreign = (i: number) => ({
      ...{ answerId: `ans_${i}`, agentId: "assistant", usedMemories: [], blockedNamespaces: [], createdAt: AT },
    });
    const anchored = (i: number) => thief.anchorOnChain({ receipt: foreign(i) });
    const { receiptId: first } = await anchored(ids.length);
    const { tenants } = service.tenant;
    const ref = await tenants.find((await thief.getSession()).tenant ?? "");
    await tenants.useRecords(ref as TenantRecord, async (tenant) => {
      const [packageId, { gateId: gate }] = [await tenant.ledger.packageId(), await tenant.ledger.gate()];
      const { ledgerVersion = "" } = (await tenant.records.chainAnchors.find(first)) ?? {};
      for (const [i, txDigest] of ids.entries()) {
        await thief.anchorReceipt({ receipt: foreign(i) });
        const own = (await anchorRecord(`ans_${i}`, foreign(i))) as RecordOf<"anchor">;
        const asked = { digest: own.digest, claimed: [] };
        const receiptId = receiptIdOf({ packageId, gate, ...asked, policyVersion: BigInt(ledgerVersion) });
        const outcome = { receiptId, txDigest, allAuthorized: true, ledgerVersion, anchoredAt: AT };
        // An export has some of a public ledger alone.
        const said = { agentId: "assistant", blobId: own.blobId, ...asked, ...outcome };
        expect(await restoreOnLedger(tenant, { kind: "chain-anchor", ...said })).toBe("added");
        expect(await anchored(i)).toMatchObject({ receiptId, txDigest });
      }
    });
    await anchoredAndFound(victim, answer);
  });

  test("when another has anchored its receipt as a foreign one", async () => {
    const { thief, victim, ...answer } = await thiefAndVictim();
    await thief.anchorReceipt({ receipt: answer.receipt });
    await expect(thief.anchorOnChain({ receipt: answer.receipt })).rejects.toMatchObject({ status: 409 });
    const { signature: _, ...unsigned } = answer.receipt;
    await thief.anchorOnChain({ receipt: unsigned as unknown as AnswerReceipt });
    await importRecords(thief, [tombstoneRecord(answer.memory.memoryId)]);
    await anchoredAndFound(victim, answer);
  });

  test("after it was moved here, while nobody else has issued the same", async () => {
    const { thief: moved, victim: former, ...answer } = await thiefAndVictim();
    await former.anchorReceipt({ receipt: answer.receipt });
    const { records } = await exportOf(former);
    await operator.deleteTenant({ tenantId: (await former.getSession()).tenant ?? "" });
    await importRecords(moved, records);
    expect((await anyone().findAnchors({ id: answer.receipt.answerId })).anchors).toHaveLength(1);
    const { memoryId } = answer.memory;
    await moved.forgetMemory({ memoryId }, { reason: "moved" });
    expect((await anyone().getTombstone({ memoryId })).tombstone.reason).toBe("moved");
  });
});
