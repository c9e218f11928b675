// Receipts: the record that one becomes, and reading them back.

import { countFitting } from "#core/count-fitting.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { orUndefined } from "#core/or-undefined.ts";
import { recordedForm, withSnippets } from "#core/receipt/disclosure/recorded-form.ts";
import type { Commitments } from "#core/receipt/disclosure/sealed-form.ts";
import {
  type AnswerReceipt,
  type ForeignReceipt,
  type FormerReceipt,
  type RecordedReceipt as OnRecordReceipt,
  type Opening,
  snippetOf,
  type ViewedReceipt,
} from "#core/receipt/receipt.ts";
import type { IssuedReceipt, OpenedRecord, ReceiptFilter, RecordedReceipt } from "#ports.ts";
import { type StoredUntil, storedUntil } from "#service/anchoring/stored-until.ts";
import type { Deps } from "#service/deps.ts";
import { firstIdAt } from "#service/ids.ts";
import { scanWithBudget, weightOf } from "#service/scan-budget.ts";

/**
 * The receipt with the columns that it is searched by. `blocked` are all blocked namespaces, and `commitments` those that
 * are known already.
 */
export function openedRecordOf(
  receipt: OnRecordReceipt,
  blocked: readonly string[],
  commitments?: Commitments,
): Omit<OpenedRecord, "seed"> {
  const { answerId, agentId, createdAt, usedMemories, blockedDigest: digest } = receipt;
  const used = usedMemories.map(({ namespace }) => namespace);
  return {
    answerId,
    agentId,
    createdAt,
    namespaces: [...new Set(digest === undefined ? [...used, ...blocked] : used)],
    ...(digest !== undefined && { blockedList: { digest, names: blocked } }),
    memoryIds: [...new Set(usedMemories.map(({ memoryId }) => memoryId))],
    usedNamespaces: [...new Set(used)],
    model: receipt.evidence?.model ?? null,
    body: canonicalJson(recordedForm(receipt, commitments)),
  };
}

/** The same of a complete receipt, with what it is counted by. */
export function issuedReceiptOf(
  receipt: AnswerReceipt | FormerReceipt,
  blocked: readonly string[],
  commitments?: Commitments,
): Omit<IssuedReceipt, "seed"> {
  const { usedMemories } = receipt;
  return {
    ...openedRecordOf(receipt, blocked, commitments),
    used: usedMemories.length,
    verified: usedMemories.filter(({ verified }) => verified).length,
    intact: usedMemories.filter(({ intact }) => intact).length,
  };
}

/** A receipt and its anchors. */
export interface ReceiptEntry extends Omit<RecordedReceipt, "body" | "seed" | "question" | "anchor"> {
  /** Without the snippets of memories that are forgotten. */
  readonly receipt: ViewedReceipt;
  readonly anchor: (NonNullable<RecordedReceipt["anchor"]> & StoredUntil) | null;
  /** Absent for receipts of the former format, and when a memory of it is forgotten. */
  readonly opening?: Opening;
  /** Where it is kept, and all memories are on record. */
  readonly question?: string;
}

export interface ReceiptQuery extends Omit<ReceiptFilter, "since"> {
  /** Inclusive. */
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly to?: string | undefined;
}

/** Newest first. With filters, and when receipts are long, a page may be short although it is not the last. */
export async function listReceipts(
  deps: Deps,
  { from, to, ...given }: ReceiptQuery,
  page: { readonly limit: number; readonly before?: string | undefined; readonly signal?: AbortSignal },
): Promise<{ receipts: readonly ReceiptEntry[]; next: string | undefined }> {
  // Answer ids begin with the time of their receipt, so that a range of times is one of ids.
  const filter = { ...given, ...(from !== undefined && { since: firstIdAt("ans", from) }) };
  const ends = [page.before, to && firstIdAt("ans", to)].filter((end) => end !== undefined);
  const before = ends.sort()[0];
  const { found, next } = await scanWithBudget({ ...page, before }, async (step) => {
    const { receipts, next } = await deps.records.receipts.page({ ...filter, ...step });
    const entries = (await toEntries(deps, receipts)).map(({ opening: _, ...entry }) => entry);
    const found = entries.slice(0, countFitting(entries.map(weightOf), step.bytes));
    return { found, next: found.length < entries.length ? found.at(-1)?.receipt.answerId : next };
  });
  return { receipts: found, next };
}

/** An agent's own receipt, or anybody's for the others. To an agent, another's receipt does not exist. */
export async function getReceipt(deps: Deps, answerId: string, principal: Principal): Promise<ReceiptEntry> {
  const found = await deps.records.receipts.find(answerId);
  const [entry] = found === undefined ? [] : await toEntries(deps, [found]);
  const isReadable = entry !== undefined && (principal.role !== "agent" || entry.receipt.agentId === principal.agentId);
  if (!isReadable) throw new PortcullisError("not-found", "This service has no receipt with this id.");
  return entry;
}

/** The entry, with the time until which its proof can be fetched. */
export async function withStoredUntil(deps: Deps, entry: ReceiptEntry): Promise<ReceiptEntry> {
  const { anchor, receipt } = entry;
  if (anchor === null) return entry;
  return { ...entry, anchor: { ...anchor, ...(await storedUntil(deps, anchor.blobId, receipt)) } };
}

/** With the snippets of the memories that are still on record. The opening would open the others. */
export async function toEntries({ records }: Deps, found: readonly RecordedReceipt[]): Promise<ReceiptEntry[]> {
  const receipts = found.map(({ body, ...rest }) => ({ ...rest, withheld: JSON.parse(body) as ViewedReceipt }));
  const ids = new Set(receipts.flatMap(({ withheld }) => withheld.usedMemories.map(({ memoryId }) => memoryId)));
  const memories = await records.memories.findAll([...ids]);
  const contents = new Map([...memories].map(([memoryId, { content }]) => [memoryId, content]));
  return receipts.map(({ withheld, seed, question, ...rest }) => {
    const receipt = withSnippets(withheld, contents, seed === undefined ? undefined : Buffer.from(seed, "hex"));
    const isWhole = receipt.usedMemories.every(({ snippet }) => snippet !== undefined);
    const asked = question === undefined || !isWhole ? {} : { question: question.text };
    return { receipt, ...(seed !== undefined && isWhole && { opening: { v: 2, seed } }), ...asked, ...rest };
  });
}

/**
 * Whether this service issued the receipt, word for word. The commitments on record bind its snippets. Those of the former
 * format are compared with the memories.
 */
export async function isIssuedHere({ records }: Pick<Deps, "records">, receipt: ForeignReceipt): Promise<boolean> {
  const recorded = orUndefined(() => canonicalJson(recordedForm(receipt as AnswerReceipt)));
  if (recorded === undefined || !(await records.receipts.isIssued(receipt.answerId, recorded))) return false;
  const { evidence, usedMemories } = receipt as AnswerReceipt;
  if ("salts" in evidence) return true;
  const memories = await records.memories.findAll(usedMemories.map(({ memoryId }) => memoryId));
  return usedMemories.every(({ memoryId, snippet }) => {
    const memory = memories.get(memoryId);
    return memory !== undefined && snippetOf(memory.content) === snippet;
  });
}
