// The services' parts for tests that need no HTTP: a database in memory, the mock blobs, the built-in model, an empty
// store instead of the seed, and ids and times that do not differ from run to run.

import { tmpdir } from "node:os";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { noCipher } from "#adapters/encryption/memory-cipher.ts";
import { prometheusMetrics } from "#adapters/metrics/prometheus-metrics.ts";
import { builtInModel } from "#adapters/model/built-in/built-in-model.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { spoolFolder } from "#adapters/spool/spool-folder.ts";
import { webhookSender } from "#adapters/webhooks/webhook-sender.ts";
import type { Overrides } from "#compose.ts";
import { RECALL_LIMIT } from "#core/gate/gate.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type { DeploymentRecords, Ledger, RecordStore } from "#ports.ts";
import { createVerifier } from "#service/anchoring/verifier.ts";
import { createAttempts } from "#service/answers/attempts/attempts.ts";
import { createEventHub } from "#service/events/event-hub.ts";
import { createWebhookSecrets } from "#service/events/webhook-secrets.ts";
import { createIdempotency } from "#service/idempotency/idempotency.ts";
import { createSessionIds, openAuthenticator } from "#service/identity/authenticator.ts";
import { watchOpenStreams } from "#service/identity/open-streams.ts";
import { createTransparencyLog } from "#service/log/transparency-log.ts";
import { createImportSlots } from "#service/memories/capture.ts";
import { opaquePositions } from "#service/opaque-positions.ts";
import { createBrokenOffQueue } from "#service/receipts/issue-receipt.ts";
import { createReceiptSigner } from "#service/receipts/receipt-signer.ts";
import type { Tenant } from "#service/tenant.ts";
import { createTenantAdministration } from "#service/tenants/administration.ts";
import { recallGate } from "./recall-gate.ts";

/** For tests that anchor nothing. Its policy is ours, so answers do not ask for its version. */
const noLedger = new Proxy({} as Ledger, {
  get(_, name) {
    if (name === "policyVersion") return () => undefined;
    throw new Error(`this test has no ledger, and asked it for ${String(name)}`);
  },
});

type TestOverrides = Omit<Overrides, "records"> & { readonly records?: RecordStore };

export function testTenant(overrides: TestOverrides = {}): Tenant {
  const records = overrides.records ?? sqliteRecords({ path: ":memory:" });
  const model = overrides.model ?? builtInModel();
  const gate = recallGate(records, { limit: RECALL_LIMIT });
  let count = 0;
  const parts = {
    records,
    blobs: memoryBlobs(),
    model,
    ledger: noLedger,
    policyMirror: gate.policyMirror,
    index: gate.index,
    search: gate,
    attempts: createAttempts({ records, policy: gate.policyMirror, gate, model }),
    authenticator: openAuthenticator,
    events: createEventHub(records.events),
    positions: opaquePositions(records.writeOnce),
    tenantAdministration: createTenantAdministration({
      records: records as DeploymentRecords,
      signer: createReceiptSigner(records, () => new Date(0)),
      defaults: {},
      now: () => new Date(0),
    }),
    sessionIds: createSessionIds(records.writeOnce),
    openStreams: watchOpenStreams({ keys: records.keys, now: () => new Date() }),
    importSlots: createImportSlots()(1),
    cipher: noCipher,
    stored: records,
    spool: spoolFolder({ folder: tmpdir() }),
    brokenOff: createBrokenOffQueue(records.receipts),
    signer: createReceiptSigner(records, () => new Date(0)),
    log: createTransparencyLog(records as DeploymentRecords),
    webhookSecrets: createWebhookSecrets(records.writeOnce),
    webhookSender: webhookSender({ targets: "any" }),
    metrics: prometheusMetrics(),
    ...DEFAULT_TENANT,
    settings: {
      seed: "demo" as const,
      allowReset: true,
      anchorSealed: false,
      keepQuestions: false,
      keepConversations: false,
      recallLimit: RECALL_LIMIT,
    },
    about: { version: "0", blobs: { kind: "memory", aggregator: "" }, model: "extractive", records: "sqlite" } as const,
    now: () => new Date(0),
    newId: (prefix: string) => `${prefix}_${++count}`,
    newSeed: () => new Uint8Array(32).fill(++count),
    ...overrides,
  };
  return { verifier: createVerifier(parts), idempotency: createIdempotency(parts), ...parts };
}
