// What somebody without a key can read of the local ledger: anchors, and nothing of the policy.
import { bcs } from "@mysten/sui/bcs";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { deriveDynamicFieldID } from "@mysten/sui/utils";
import { describe, expect, test } from "vitest";
import { AccessKey, Gate } from "#adapters/ledger/gate-module.ts";
import { type KeyedService, keyedServiceForTest } from "#test/support/keyed-service.ts";
import { problemIn, send } from "#test/support/send.ts";
import { verifyInBrowser } from "#web/pages/verify/verify-in-browser.ts";

/** Names that only the policy knows. */
const CANARIES = ["canary-agent-xyzzy", "canary-namespace-xyzzy"] as const;
const [SECRET_AGENT, SECRET_NAMESPACE] = CANARIES;

const UNLIMITED = { LIMIT_READS_PER_MINUTE: "0", LIMIT_VERIFICATIONS_PER_MINUTE: "0" };

interface Anchored extends KeyedService {
  readonly receiptId: string;
  readonly txDigest: string;
  readonly gateId: string;
  /** A transaction that told the gate of the secret, and the entry that it made. */
  readonly policyDigest: string;
  readonly entryId: string;
}

/** Two anchors, and changes of the policy that travel to the gate with the first one, and between them. */
async function anchoredForTest(): Promise<Anchored> {
  const service = await keyedServiceForTest({ environment: { SEED: "none", ...UNLIMITED } });
  const { admin, tenant } = service;
  await admin.capture({ namespace: "diet", content: "No peanuts.", sourceAgent: "assistant" });
  await admin.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
  const change = (allowed: boolean) => admin.setAccess({ agentId: SECRET_AGENT, namespace: SECRET_NAMESPACE, allowed });
  const answer = async () => {
    const { receipt } = await admin.chat({ agentId: "assistant", query: "What about peanuts?" });
    return receipt.answerId;
  };
  await change(true);
  const first = await answer();
  await change(false);
  await admin.anchorOnChain({ answerId: first });
  await change(true);
  await tenant.ledger.sync();
  await change(false);
  const { receiptId, txDigest } = await admin.anchorOnChain({ answerId: await answer() });
  const { gateId } = await admin.getTrustRoot();
  const { transactions } = await admin.ledgerTransactions({ limit: 100 });
  const policyDigest = transactions.find(({ functions }) => functions.set_access !== undefined)?.digest ?? "";
  return { ...service, receiptId, txDigest, gateId, policyDigest, entryId: await secretEntryId(service, gateId) };
}

/** Whoever guesses the names can derive the id of their entry. */
async function secretEntryId({ admin }: KeyedService, gateId: string): Promise<string> {
  const { content, type } = await admin.ledgerObject({ objectId: gateId });
  const { access } = Gate.parse(Buffer.from(content, "base64"));
  const key = AccessKey.serialize({ agent: SECRET_AGENT, namespace: SECRET_NAMESPACE }).toBytes();
  return deriveDynamicFieldID(access.id, type.replace(/Gate$/, "AccessKey"), key);
}

/** All that an answer says, what it holds as BCS included. */
function textOf(body: string): string {
  const parts = [body];
  for (const [base64 = ""] of body.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)) {
    const bytes = Buffer.from(base64, "base64");
    parts.push(bytes.toString("latin1"));
    for (const read of [
      () => bcs.TransactionEffects.parse(bytes),
      () => TransactionDataBuilder.fromBytes(bytes).snapshot(),
    ])
      try {
        parts.push(JSON.stringify(read()));
      } catch {
        // It is something else.
      }
  }
  return parts.join("\n");
}

/** Follows every id in every answer. Returns the texts by path. */
async function crawl({ url }: KeyedService, start: readonly string[]): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const queue = [...start];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(path)) continue;
    const { status, text } = await send(`${url}${path}`);
    seen.set(path, status === 200 ? textOf(text) : "");
    for (const [id] of (seen.get(path) ?? "").matchAll(/0x[0-9a-f]{64}/g))
      queue.push(`/api/ledger/objects/${id}`, `/ledger/object/${id}`, `/api/verify/${id}`, `/verify/${id}`);
    for (const [digest] of (seen.get(path) ?? "").matchAll(/\b[1-9A-HJ-NP-Za-km-z]{43,44}\b/g))
      queue.push(`/api/ledger/transactions/${digest}`, `/ledger/tx/${digest}`, `/v1/blobs/${digest}`);
  }
  return seen;
}

/** An answer without what differs from one request to the next. */
const wordsOf = (text: string, id: string) => text.replaceAll(id, "").replace(/"requestId":"[^"]+"/, "");

describe("With identities, somebody without a key", () => {
  test("finds nothing of the policy, whichever ids they follow from a receipt", async () => {
    const service = await anchoredForTest();
    const { receiptId, gateId, txDigest } = service;
    const seen = await crawl(service, [
      `/verify/${receiptId}`,
      `/api/verify/${receiptId}`,
      "/.well-known/portcullis.json",
      "/api/ledger",
      "/api/ledger/transactions",
    ]);
    for (const path of [`/api/ledger/objects/${gateId}`, `/api/ledger/transactions/${txDigest}`])
      expect(seen.get(path)).not.toBe("");
    for (const [path, text] of seen) for (const canary of CANARIES) expect(text, path).not.toContain(canary);
  });

  test("learns no more of an entry or a transaction of the policy than of one that does not exist", async () => {
    const service = await anchoredForTest();
    const { url, policyDigest, entryId, adminKey } = service;
    for (const [path, hidden, unknown] of [
      ["/api/ledger/objects/", entryId, `0x${"7".repeat(64)}`],
      ["/api/ledger/transactions/", policyDigest, "7".repeat(44)],
      ["/ledger/object/", entryId, `0x${"7".repeat(64)}`],
      ["/ledger/tx/", policyDigest, "7".repeat(44)],
    ] as const) {
      const asAdmin = await send(`${url}${path}${hidden}`, { headers: { authorization: `Bearer ${adminKey}` } });
      expect(asAdmin.text).toContain(SECRET_NAMESPACE);
      const refused = await send(`${url}${path}${hidden}`);
      expect(refused.status).toBe(404);
      expect(refused.text).not.toContain(SECRET_NAMESPACE);
      const absent = await send(`${url}${path}${unknown}`);
      expect(wordsOf(refused.text, hidden)).toBe(wordsOf(absent.text, unknown));
    }
  });

  test("reads a receipt, its gate and the transaction that minted it, and can verify it in a browser", async () => {
    const service = await anchoredForTest();
    const { receiptId, txDigest, as, url } = service;
    const stranger = as();
    const { calls, events } = await stranger.ledgerTransaction({ digest: txDigest });
    expect(calls.map((call) => call.function)).toEqual(["anchor_receipt"]);
    expect(events.map(({ name }) => name)).toEqual(["ReceiptAnchored"]);
    const { progress } = await verifyInBrowser(
      receiptId,
      {
        packageId: async () => (await stranger.getLedger()).packageId,
        object: async (objectId) => {
          const { owner, content, bcs: whole, ...object } = await stranger.ledgerObject({ objectId });
          const kind = (owner as { readonly $kind: string }).$kind === "Shared" ? "shared" : "immutable";
          return { ...object, owner: kind, content: Buffer.from(content, "base64"), bcs: Buffer.from(whole, "base64") };
        },
        blob: async (blobId) => new Uint8Array(await (await fetch(`${url}/v1/blobs/${blobId}`)).arrayBuffer()),
      },
      { signal: new AbortController().signal },
    );
    expect(progress.verdict).toBe("verified");
    expect((await stranger.verify({ receiptId }, {})).verdict).toBe("verified");
  });
});

describe("With identities, the whole ledger", () => {
  test("is for admins and auditors; an agent and the admin of a namespace read anchors", async () => {
    const { keyFor, policyDigest, entryId, receiptId } = await anchoredForTest();
    const readsPolicy = async (role: string) => {
      const { client } = await keyFor(role);
      await client.ledgerObject({ objectId: receiptId });
      const asked = [client.ledgerTransaction({ digest: policyDigest }), client.ledgerObject({ objectId: entryId })];
      return (await Promise.allSettled(asked)).map(({ status }) => status === "fulfilled");
    };
    expect(await readsPolicy("admin")).toEqual([true, true]);
    expect(await readsPolicy("auditor")).toEqual([true, true]);
    expect(await readsPolicy("agent:assistant")).toEqual([false, false]);
    expect(await readsPolicy("admin:diet")).toEqual([false, false]);
  });

  test("tells a caller with a wrong key that the key is wrong, also on a page", async () => {
    const { url, receiptId } = await anchoredForTest();
    const answer = await send(`${url}/ledger/object/${receiptId}`, { headers: { authorization: "Bearer wrong" } });
    expect(answer.status).toBe(401);
    expect(problemIn(answer).code).toBe("unauthenticated");
  });
});
