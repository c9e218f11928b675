// Removes old receipts and decisions, in short steps, after they are in the archive. At least once: what a crash leaves
// between the two is archived again by the next run. Readers tell repeats by answerId and sequence.
import { setTimeout as delay } from "node:timers/promises";
import type { Archive, OldReceipt, RecordedDecision, RecordStore } from "#ports.ts";
import { namePages } from "#service/receipts/receipts.ts";

/** A step of this size takes a few milliseconds of the event loop. */
const RECEIPTS_AT_ONCE = 100;
const DECISIONS_AT_ONCE = 200;
/** Several times as long as a service that finds the file busy waits between its tries. */
export const LONGEST_PAUSE_MS = 30;

export interface PruneOptions {
  readonly before: string;
  readonly now: Date;
  /** Absent: what is removed is lost. */
  readonly archive?: Archive | undefined;
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (pruned: Pruned) => void;
}

export type Pruned = Readonly<Record<"receipts" | "decisions" | "lists", number>>;

type Records = Pick<RecordStore, "receipts" | "retention" | "locks">;

/** Replicas prune one at a time. A command beside a service on SQLite archives twice, and removes once. */
export const pruneRecords = (records: Records, options: PruneOptions): Promise<Pruned> =>
  records.locks.exclusively("pruning", () => prune(records, options));

async function prune({ receipts, retention }: Records, options: PruneOptions): Promise<Pruned> {
  const { before, now, archive, isDryRun = false, signal, onProgress } = options;
  const pruned = { receipts: 0, decisions: 0, lists: 0 };
  const archived = { receipts: new Set<string>(), decisions: new Set<string>() };
  let stepBegan = performance.now();

  async function step(count: Partial<Pruned>): Promise<void> {
    pruned.receipts += count.receipts ?? 0;
    pruned.decisions += count.decisions ?? 0;
    pruned.lists += count.lists ?? 0;
    onProgress?.(pruned);
    // No process that writes to an SQLite file has its turn. So a pause follows each step, in which a service writes.
    await delay(Math.min(performance.now() - stepBegan, LONGEST_PAUSE_MS));
    stepBegan = performance.now();
  }

  /** The lists that the records name go first, each once in a run. */
  async function archiveLines(
    kind: keyof typeof archived,
    digests: readonly (string | null | undefined)[],
    lines: readonly string[],
  ): Promise<void> {
    if (archive === undefined) return;
    const lists: string[] = [];
    for (const digest of digests) {
      if (typeof digest !== "string" || archived[kind].has(digest)) continue;
      archived[kind].add(digest);
      const names: string[] = [];
      for await (const page of namePages({ records: { receipts } }, digest)) names.push(...page);
      lists.push(JSON.stringify({ kind: "names", digest, names }));
    }
    await archive.append(kind, [...lists, ...lines]);
  }

  for (const kind of ["complete", "incomplete"] as const) {
    let after: string | undefined = "";
    while (after !== undefined && !signal?.aborted) {
      const page = await retention.oldReceipts({ kind, before, after, scan: RECEIPTS_AT_ONCE });
      const old = page.receipts;
      let removed = old.length;
      if (!isDryRun && old.length > 0) {
        const digests = old.map(({ blockedDigest }) => blockedDigest);
        await archiveLines("receipts", digests, old.map(lineOf));
        removed = await retention.remove({ answerIds: old.map(({ answerId }) => answerId) });
      }
      await step({ receipts: removed });
      after = page.next;
    }
  }
  if (isDryRun) {
    // Only as many as one page can say: nothing is removed, so there is no next one.
    const old = await retention.oldDecisions({ before, limit: MOST_COUNTED });
    return { ...pruned, decisions: old.length };
  }
  while (!signal?.aborted) {
    const old = await retention.oldDecisions({ before, limit: DECISIONS_AT_ONCE });
    if (old.length === 0) break;
    const digests = old.flatMap(({ allowed, blocked }) => [allowed?.digest, blocked?.digest]);
    await archiveLines("decisions", digests, old.map(decisionLine));
    await step({ decisions: await retention.remove({ sequences: old.map(({ sequence }) => sequence) }) });
  }
  for (let lists = 1; lists > 0 && !signal?.aborted; ) {
    lists = await retention.removeUnusedLists(now);
    await step({ lists });
  }
  return pruned;
}

/** The receipt stands there as it was issued, byte for byte. */
function lineOf({ answerId, createdAt, reason, blockedDigest, body }: OldReceipt): string {
  const head = JSON.stringify({ kind: "receipt", answerId, createdAt, reason, blockedDigest });
  return `${head.slice(0, -1)},"receipt":${body}}`;
}

const decisionLine = (decision: RecordedDecision): string => JSON.stringify({ kind: "decision", ...decision });

const MOST_COUNTED = 100_000;
