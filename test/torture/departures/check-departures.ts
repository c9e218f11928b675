// Compares what left the service with what is on its record.
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import type { DepartureLog } from "./log-departures.ts";

export interface RecordedReceipts {
  /** Of complete receipts and of those that are not. */
  readonly prompts: Set<string>;
  readonly complete: Set<string>;
  opened: number;
  issued: number;
  brokenOff: number;
}

/** Opens the records beside the service. */
export async function checkDepartures(
  database: string,
  { history, prompts, heard, receipts }: DepartureLog,
): Promise<{ readonly recorded: RecordedReceipts; readonly violations: readonly string[] }> {
  const deps = await composeParts(readConfig({ DATABASE_URL: database }));
  const violations: string[] = [];
  try {
    const recorded = await deps.records.audit(async ({ rows }) => {
      const found: RecordedReceipts = { prompts: new Set(), complete: new Set(), opened: 0, issued: 0, brokenOff: 0 };
      for (const kind of ["receipt", "opened"] as const) {
        for await (const { answerId, body, reason } of rows(kind)) {
          found.prompts.add(JSON.parse(body ?? "{}").evidence?.promptDigest);
          if (kind === "receipt") found.complete.add(answerId);
          if (reason !== null) found.brokenOff += 1;
          else found[kind === "receipt" ? "issued" : "opened"] += 1;
        }
      }
      return found;
    });
    await fsck(deps, { onDifference: ({ about, id, detail }) => violations.push(`fsck: ${about} ${id}: ${detail}`) });
    for (const [question, digests] of prompts) {
      if (![...digests].every((digest) => recorded.prompts.has(digest)))
        violations.push(`the model received a prompt for "${question}" that has no receipt`);
    }
    for (const question of heard) {
      const digests = prompts.get(question) ?? new Set();
      if (![...digests].some((digest) => recorded.prompts.has(digest)))
        violations.push(`a client got a part of the answer to "${question}", which has no receipt`);
    }
    for (const answerId of receipts) {
      if (!recorded.complete.has(answerId))
        violations.push(`a client was given receipt ${answerId}, which is not on record`);
    }
    for (const { what, agentId, namespace, late } of history.leaks())
      violations.push(`${what} of ${agentId} with ${namespace}, ${late} after its revoke was acknowledged`);
    return { recorded, violations };
  } finally {
    await deps.ledger.close();
    await deps.records.close();
  }
}
