// Compares what left the service with what is on its record.
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import { commitmentTo, saltOf } from "#core/receipt/commitment.ts";
import { PROMPT } from "#core/receipt/sealed-form.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { sentenceOf } from "#test/torture/history.ts";
import type { DepartedPrompt, DepartureLog } from "./log-departures.ts";

export interface RecordedReceipts {
  readonly complete: Set<string>;
  begun: number;
  issued: number;
  brokenOff: number;
}

/** Opens the records beside the service. */
export async function checkDepartures(
  database: string,
  { history, prompts, heard, receipts }: DepartureLog,
): Promise<{ readonly recorded: RecordedReceipts; readonly violations: readonly string[] }> {
  const tenant = await composeParts(readConfig({ DATABASE_URL: database }));
  const violations: string[] = [];
  try {
    const recorded = await tenant.records.audit(async ({ rows }) => {
      const found: RecordedReceipts = { complete: new Set(), begun: 0, issued: 0, brokenOff: 0 };
      const unmatched = new Set([...prompts.values()].flat().filter(({ isRecorded }) => !isRecorded));
      for (const kind of ["receipt", "begun"] as const) {
        for await (const { answerId, body, seed, reason } of rows(kind)) {
          matchPrompt(JSON.parse(body ?? "{}"), seed, unmatched);
          if (kind === "receipt") found.complete.add(answerId);
          if (reason !== null) found.brokenOff += 1;
          else found[kind === "receipt" ? "issued" : "begun"] += 1;
        }
      }
      return found;
    });
    await fsck(tenant, { onDifference: ({ about, id, detail }) => violations.push(`fsck: ${about} ${id}: ${detail}`) });
    for (const [question, departed] of prompts) {
      if (!departed.every(({ isRecorded }) => isRecorded))
        violations.push(`the model received a prompt for "${question}" that has no receipt`);
    }
    for (const question of heard) {
      if (!(prompts.get(question) ?? []).some(({ isRecorded }) => isRecorded))
        violations.push(`a client got a part of the answer to "${question}", which has no receipt`);
    }
    for (const answerId of receipts) {
      if (!recorded.complete.has(answerId))
        violations.push(`a client was given receipt ${answerId}, which is not on record`);
    }
    violations.push(...history.leaks().map(sentenceOf));
    return { recorded, violations };
  } finally {
    await tenant.ledger.close();
    await tenant.records.close();
  }
}

/** Marks the prompt that this receipt is committed to. Most were marked after an earlier round, so few are tried. */
function matchPrompt(
  receipt: { readonly evidence?: { readonly commitments?: Readonly<Record<string, string>> } },
  seed: string | null,
  unmatched: Set<DepartedPrompt>,
): void {
  const commitment = receipt.evidence?.commitments?.[PROMPT];
  if (commitment === undefined || seed === null) return;
  const salt = saltOf(Buffer.from(seed, "hex"), PROMPT);
  for (const departed of unmatched) {
    if (commitmentTo(salt, departed.prompt) !== commitment) continue;
    departed.isRecorded = true;
    unmatched.delete(departed);
  }
}
