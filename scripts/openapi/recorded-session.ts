// The session that the examples of openapi.json are from: one service that was just seeded, and every route once.
import { EVENT_STREAM_TYPE, NDJSON_TYPE } from "#contract/media-types.ts";
import { ensureFirstKey } from "#service/identity/keys.ts";
import { startFreshService } from "../fresh-service.ts";
import type { RecordedExamples } from "./examples.ts";
import { createRecorder } from "./recorder.ts";

const QUESTION = { agentId: "advisor", query: "How much does the car insurance cost?" };
const FACT = {
  namespace: "diet",
  content: "Loves mango sticky rice.",
  sourceAgent: "assistant",
  key: "favourite-dessert",
};
const NAMED = { name: "diet", key: FACT.key };
/** Before it are those of the seed. */
const FIRST_EVENT = "16";
const RUN = '{"namespace":"fitness","content":"Ran ten kilometres in 52 minutes.","sourceAgent":"companion"}\n';

export async function recordSession(): Promise<RecordedExamples> {
  const service = await startFreshService({ AUTH: "keys", ALLOW_RESET: "true", ENCRYPTION_KEY: "5".repeat(64) });
  try {
    const admin = await ensureFirstKey(service.tenant, "admin");
    const recorder = createRecorder(service.url, admin?.key ?? "");
    await tell(recorder);
    const { tenantAdministration } = service.tenant;
    const operator = await tenantAdministration.createDeploymentKey(
      { name: "operator", role: "operator" },
      "first start",
    );
    await operate(recorder, { authorization: `Bearer ${operator.key}` });
    await failures(recorder);
    return recorder.recorded();
  } finally {
    await service.stop();
  }
}

type Recorder = ReturnType<typeof createRecorder>;

async function tell({ call, read, readAs, listen }: Recorder): Promise<void> {
  const exported = await read("exportRecords", { query: { namespace: "fitness" } });
  await read("importRecords", { body: exported });
  const { receipt, opening } = await call("chat", { body: QUESTION });
  const { answerId } = receipt;
  await readAs(EVENT_STREAM_TYPE, "chat", { body: QUESTION });
  await call("setAccess", { body: { agentId: "companion", namespace: "health", allowed: false } });
  const run = { query: "Is a run before work a good idea?" };
  await call("companion", { body: run });
  await readAs(EVENT_STREAM_TYPE, "companion", { body: run });
  await call("recall", { body: { agentId: "assistant", query: "When does the flight to Lisbon leave?", limit: 2 } });

  await call("explain", { body: { agentId: "planner", query: "When does the flight to Lisbon leave?", limit: 2 } });
  await call("learn", {
    body: {
      agentId: "assistant",
      messages: [{ role: "user", content: "I'm flying to Lisbon tomorrow at 07:40.", at: "2026-05-11T09:00:00Z" }],
      namespaces: ["travel"],
    },
  });

  const said = "I live in Porto. I have a dog.";
  const review = { messages: [{ role: "user", content: said }], namespaces: ["fitness"], conversationId: "chat-17" };
  await call("learn", { body: { agentId: "assistant", ...review, mode: "review" } });
  const { proposals } = await call("listProposals", { query: { limit: 2 } });
  const [dog, porto] = proposals.map(({ proposalId }) => ({ proposalId }));
  const body = { content: "The user lives in Porto, in the north of Portugal." };
  await call("acceptProposal", { ...(porto && { params: porto }), body });
  await call("declineProposal", { ...(dog && { params: dog }), body: {} });

  const { memory } = await call("capture", { body: FACT });
  const params = { memoryId: memory.memoryId };
  await call("listMemories", { query: { limit: 2, namespace: "diet" } });
  await read("importMemories", { body: RUN });
  await call("getMemory", { params });
  await call("updateMemory", { params, body: { pinned: true } });
  await call("getByKey", { params: NAMED, query: { sourceAgent: "assistant" } });
  await call("listUses", { params: { memoryId: receipt.usedMemories[0]?.memoryId ?? "" } });
  await call("putNamespace", { params: { name: "diet" }, body: { description: "What to cook.", encrypted: false } });
  await call("getNamespace", { params: { name: "diet" } });
  await call("listNamespaces", { query: { limit: 2 } });
  await call("getPolicy");
  const rules = [
    { agentId: "advisor", namespace: "travel", allowed: true },
    { agentId: "planner", namespace: "diet", allowed: false },
    { agentId: "planner", namespace: "health", allowed: null },
  ];
  await call("setAccessBatch", { body: { rules } });
  await call("listPolicyChanges", { query: { limit: 1 } });

  await call("listReceipts", { query: { limit: 1, agentId: "advisor" } });
  await call("listBlocked", { params: { answerId } });
  await call("getReceiptProof", { params: { answerId } });
  await read("getReceiptProofFile", { params: { answerId } });
  await call("getLog");
  await call("listLogEntries", { query: { limit: 2 } });
  await call("getLogConsistency", { query: { from: 1, to: 3 } });
  await call("anchorReceipt", { body: { answerId } });
  const { receiptId, txDigest } = await call("anchorOnChain", { body: { answerId } });
  await call("getReceipt", { params: { answerId } });
  await call("findAnchors", { params: { id: txDigest } });
  await call("verify", { params: { receiptId } });
  await call("verifyWithOpening", { params: { receiptId }, body: { opening } });
  await call("getLedger");
  await call("getTrustRoot");
  await call("ledgerObject", { params: { objectId: receiptId } });
  await call("ledgerTransaction", { params: { digest: txDigest } });
  await call("ledgerTransactions", { query: { limit: 1 } });

  await call("listDecisions", { query: { limit: 1, agentId: "companion" } });
  await readAs(NDJSON_TYPE, "listDecisions", { query: { agentId: "companion" } });
  await listen("listenToEvents", { headers: { "last-event-id": FIRST_EVENT } }, 4);
  await call("getOverview");
  await call("getReports");
  await call("getService");
  await read("getMetrics", {}, (text) => text.split("\n").slice(0, 2).join("\n"));

  const made = await call("createKey", { body: { name: "planner", role: "agent:planner", captures: ["travel"] } });
  const { keyId } = made.record;
  await call("rotateKey", { params: { keyId }, body: { graceSeconds: 60 } });
  await call("listKeys", { query: { limit: 1 } });
  await call("signIn", { body: { key: made.key } });
  await call("getSession");
  await call("signOut");
  await call("revokeKey", { params: { keyId } });

  const hook = { url: "https://example.com/portcullis", kinds: ["receipt-issued", "policy-changed"] };
  const { webhookId } = (await call("createWebhook", { body: hook })).webhook;
  await call("listWebhooks");
  await call("listDeliveries", { params: { webhookId } });
  await call("removeWebhook", { params: { webhookId } });

  await call("forgetByKey", { params: NAMED, query: { sourceAgent: "assistant", reason: "No longer true." } });
  await call("getTombstone", { params });
  const again = await call("capture", { body: FACT });
  await call("forgetMemory", { params: { memoryId: again.memory.memoryId }, query: { reason: "No longer true." } });
  await call("forgetMemories", { body: { namespace: "fitness", before: "2100-01-01T00:00:00Z" } });
  await call("resetDemo", { body: {} });
}

async function operate({ call, refused }: Recorder, headers: Readonly<Record<string, string>>): Promise<void> {
  const params = { tenantId: "acme" };
  const ofTemplate = { params: { template: "shop" }, headers };
  const rules = [{ agentId: "support", namespace: "orders", allowed: true }];
  await call("putTemplate", { ...ofTemplate, body: { rules, quotas: { memories: 1_000 } } });
  await call("createTenant", { body: { id: "acme", template: "shop" }, headers });
  await call("listTemplates", { headers });
  await call("getTemplate", ofTemplate);
  await call("applyTemplate", { body: { template: "shop" }, headers });
  await call("deleteTemplate", ofTemplate);
  await call("putTenant", { params, body: {}, headers });
  await call("createTenantKey", { params, body: { name: "first admin" }, headers });
  await call("getTenant", { params, headers });
  await call("listTenants", { query: { limit: 10 }, headers });
  await call("updateTenant", { params, body: { suspended: true, quotas: { memories: 10_000 } }, headers });
  await call("deleteTenant", { params, headers });
  await refused("tenant-deleted", "putTenant", { params, body: {}, headers });
  await refused("tenant-exists", "createTenant", { body: { id: "acme" }, headers });
}

/** Problems that a request can get from a service that is well. */
async function failures({ refused, call }: Recorder): Promise<void> {
  await refused("invalid-request", "chat", { body: { agentId: "assistant" } });
  await refused("malformed-json", "chat");
  await refused("nesting-too-deep", "chat", { body: JSON.parse("[".repeat(40) + "]".repeat(40)) });
  await refused("unauthenticated", "getPolicy", { headers: { authorization: "Bearer nobody" } });
  await refused("cross-origin", "resetDemo", { headers: { origin: "https://elsewhere.test" } });
  await refused("not-found", "getMemory", { params: { memoryId: "mem_none" } });
  await refused("confusable-name", "capture", { body: { ...FACT, namespace: "dіet" } });
  await refused("body-too-large", "chat", { body: { ...QUESTION, query: "?".repeat(70_000) } });
  await refused("unsupported-media-type", "chat", { body: QUESTION, headers: { "content-type": "text/plain" } });
  const { key } = await call("createKey", { body: { name: "auditor", role: "auditor" } });
  await refused("forbidden", "resetDemo", { headers: { authorization: `Bearer ${key}` } });
  const once = { body: QUESTION, headers: { "idempotency-key": "question-1" } };
  await call("chat", once);
  await refused("idempotency-key-reused", "chat", { ...once, body: { ...QUESTION, query: "Another question?" } });
  await refused("export-incomplete", "importRecords", { body: "\n" });
}
