// A tenant with memories, one of them superseded, a rule and a receipt; and all rows of a tenant.
import type { RecordRows, RecordStore } from "#ports.ts";
import { newMemory, receipt } from "./samples.ts";

const STAMP = { by: "tester", at: "2026-01-02T03:04:05.678Z" };

/** The texts differ by tenant, and all names are the same. */
export async function fill(records: RecordStore, text: string): Promise<void> {
  const lasting = { key: "fact", expiresAt: "2027-01-01T00:00:00.000Z" };
  await records.memories.add(newMemory(`${text} 0`, lasting));
  const memory = await records.memories.add(newMemory(`${text} 1`, lasting));
  await records.policy.set({ agentId: "x", namespace: memory.namespace, allowed: true }, STAMP);
  const question = { text: `${text}?`, encrypted: false };
  await records.receipts.add(receipt(text.length, { memoryIds: [memory.memoryId], question }));
}

/** All rows that an audit reads. */
export async function rowsOf(records: RecordStore): Promise<unknown> {
  const kinds: readonly (keyof RecordRows)[] = [
    ...(["counters", "memory", "superseded", "forgotten", "pin", "encryptionChange", "namespace"] as const),
    ...(["sourceAgent", "rule", "change", "policyChain", "blocked", "receipt", "begun", "hour"] as const),
    ...(["anchor", "onLedger", "request", "strayLease"] as const),
  ];
  return records.audit(async ({ rows }) => {
    const found: unknown[] = [];
    for (const kind of kinds) for await (const row of rows(kind)) found.push([kind, row]);
    return found;
  });
}
