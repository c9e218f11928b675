// Checks a restarted service: its records against the journal, its records with fsck, and its answers against its records.
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import { createClient } from "#contract/client/client.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type { RecordStore } from "#ports.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { compareRecords, type Seen } from "./compare-records.ts";
import type { Journal } from "./journal.ts";

export interface ServiceUnderTest {
  readonly address: string;
  /** The database. */
  readonly url: string;
  readonly journal: Journal;
  readonly seen: Seen;
}

interface CheckResult {
  /** Anchors that the service had to finish first. */
  readonly finished: number;
  readonly violations: readonly string[];
}

const LONGEST_WAIT_MS = 180_000;

/** Opens the records beside the running service. */
export async function checkService({ address, url, journal, seen }: ServiceUnderTest): Promise<CheckResult> {
  const tenant = await composeParts(readConfig({ DATABASE_URL: url }));
  try {
    const finished = await untilNothingIsPending(tenant.records);
    const violations = await tenant.records.audit((audit) => compareRecords(audit, journal, seen));
    const hasKeyFile = url.startsWith("postgres") ? {} : { hasKeyFile: existsSync(`${url}.ledger-key`) };
    await fsck(tenant, {
      ...hasKeyFile,
      onDifference: ({ about, id, detail }) => violations.push(`fsck: ${about} ${id}: ${detail}`),
    });
    violations.push(...(await compareAnswers(address, tenant.records, seen)));
    return { finished, violations };
  } finally {
    await tenant.ledger.close();
    await tenant.records.close();
  }
}

/** Waits until the service has finished every anchor. Answers with how many were pending. */
async function untilNothingIsPending(records: RecordStore): Promise<number> {
  const before = (await records.chainAnchors.pending()).length;
  await until("The service does not finish its pending anchors.", async () => {
    const [pending, open] = [await records.chainAnchors.pending(), await records.chainAnchors.openTransactions()];
    return pending.length + open.length === 0;
  });
  return before;
}

/** The service shows the policy and the memories that are on record, and every blob can be read. What is forgotten is not. */
async function compareAnswers(address: string, records: RecordStore, seen: Seen): Promise<string[]> {
  const client = createClient({ baseUrl: address, fetch: fetchWithoutKeepAlive });
  const violations: string[] = [];
  const { policy, version } = await records.policy.current();
  if (canonicalJson(await client.getPolicy()) !== canonicalJson({ policy, version }))
    violations.push("the service shows another policy than the one on record");
  const [began, { memories }] = [new Date().toISOString(), await client.listMemories()];
  const shown = new Set(memories.map(({ memoryId }) => memoryId));
  for (const { memoryId = "", expires, expiresAt } of seen.memories.values()) {
    if (!expires && !shown.has(memoryId)) violations.push(`memory ${memoryId} is not shown`);
    if (expiresAt !== undefined && expiresAt <= began && shown.has(memoryId))
      violations.push(`memory ${memoryId} has expired, and is shown`);
  }
  const lasting = [...seen.memories.values(), ...seen.history.values()].filter(({ expires }) => !expires);
  const isReadable = async (blobId: string) => {
    const response = await fetchWithoutKeepAlive(`${address}/v1/blobs/${blobId}`);
    await response.arrayBuffer();
    return response.ok;
  };
  for (const blobId of [...lasting.map(({ storeRef = "" }) => storeRef), ...seen.anchors.keys()])
    if (!(await isReadable(blobId))) violations.push(`blob ${blobId} cannot be read`);
  for (const [memoryId, { storeRef = "" }] of seen.forgotten) {
    const tombstone = await client.getTombstone({ memoryId }).catch(() => undefined);
    if (tombstone?.tombstone.memoryId !== memoryId) violations.push(`forgotten memory ${memoryId} has no tombstone`);
    if (shown.has(memoryId)) violations.push(`forgotten memory ${memoryId} is shown`);
    if (await isReadable(storeRef)) violations.push(`the blob of forgotten memory ${memoryId} can be read`);
  }
  return violations;
}

/** Waits until the condition holds. Rejects with the complaint when it never does. */
export async function until(complaint: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(complaint);
    await delay(50);
  }
}
