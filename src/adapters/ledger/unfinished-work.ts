import type { RecordStore, UnfinishedWork } from "#ports.ts";

/** What a tenant has unfinished. Opens no ledger. */
export async function unfinishedIn({ chainAnchors }: Pick<RecordStore, "chainAnchors">): Promise<UnfinishedWork> {
  const [pending, open] = await Promise.all([chainAnchors.pending(), chainAnchors.openTransactions()]);
  return { requests: pending.map(({ id }) => id), transactions: open.map(({ txDigest }) => txDigest) };
}
