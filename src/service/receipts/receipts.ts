// Receipts: the record that one becomes, and reading them back.
import { countFitting } from "#core/collections/count-fitting.ts";
import { orUndefined } from "#core/defined.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { PortcullisError } from "#core/errors.ts";
import { divide } from "#core/gate/gate.ts";
import type { Policy } from "#core/gate/policy.ts";
import { forbidden } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { DisclosedName } from "#core/receipt/opening.ts";
import type {
  AnswerReceipt,
  ForeignReceipt,
  RecordedReceipt as OnRecordReceipt,
  Opening,
  ViewedReceipt,
} from "#core/receipt/receipt.ts";
import { recordedForm, withoutSnippets, withSnippets } from "#core/receipt/sealed-form.ts";
import type { BegunRecord, IssuedReceipt, Ledger, ReceiptFilter, RecordedReceipt, RecordStore } from "#ports.ts";
import { firstIdAt } from "#service/ids.ts";
import { type StoredUntil, storedUntil } from "#service/memories/memory-blobs.ts";
import type { Quoted } from "#service/policy/fenced-read.ts";
import { scanWithBudget, weightOf } from "#service/scan-budget.ts";
import type { Tenant } from "#service/tenant.ts";

/** With the columns that it is searched by. `blocked` are all namespaces, `recorded` its recorded form if that is known. */
export function begunRecordOf(
  receipt: OnRecordReceipt,
  blocked: readonly string[],
  recorded = recordedForm(receipt),
): Omit<BegunRecord, "seed"> {
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
    body: canonicalJson(recorded),
  };
}

/** The same of a complete receipt, with what it is counted by. */
export function issuedReceiptOf(
  receipt: AnswerReceipt,
  blocked: readonly string[],
  recorded?: ViewedReceipt,
): Omit<IssuedReceipt, "seed"> {
  return { ...begunRecordOf(receipt, blocked, recorded), ...receiptCounts(receipt) };
}

export const receiptCounts = ({ usedMemories }: AnswerReceipt) => ({
  used: usedMemories.length,
  verified: usedMemories.filter(({ verified }) => verified).length,
  intact: usedMemories.filter(({ intact }) => intact).length,
});
export interface ReceiptEntry extends Omit<RecordedReceipt, "body" | "seed" | "question" | "anchor"> {
  /** Without the snippets of memories that are forgotten. */
  readonly receipt: ViewedReceipt;
  readonly anchor: (NonNullable<RecordedReceipt["anchor"]> & StoredUntil) | null;
  /** Absent when a memory of it is forgotten, or where it cannot be decrypted. */
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
  tenant: Pick<Tenant, "records">,
  { from, to, ...given }: ReceiptQuery,
  page: { readonly limit: number; readonly before?: string | undefined; readonly signal?: AbortSignal },
): Promise<{ receipts: readonly ReceiptEntry[]; next: string | undefined }> {
  // Answer ids begin with the time of their receipt, so that a range of times is one of ids.
  const filter = { ...given, since: from && firstIdAt("ans", from) };
  const ends = [page.before, to && firstIdAt("ans", to)].filter((end) => end !== undefined);
  const before = ends.sort()[0];
  const { found, next } = await scanWithBudget({ ...page, before }, async (step) => {
    const { receipts, next } = await tenant.records.receipts.page({ ...filter, ...step });
    const entries = (await toEntries(tenant, receipts)).map(({ opening: _, ...entry }) => entry);
    const found = entries.slice(0, countFitting(entries.map(weightOf), step.bytes));
    return { found, next: found.length < entries.length ? found.at(-1)?.receipt.answerId : next };
  });
  return { receipts: found, next };
}

/** An agent's own receipt, or anybody's for the others. To an agent, another's receipt does not exist. */
export async function getReceipt(tenant: Pick<Tenant, "records">, answerId: string, principal: Principal) {
  const found = await tenant.records.receipts.find(answerId);
  const [entry] = found === undefined ? [] : await toEntries(tenant, [found]);
  const isReadable = entry !== undefined && (principal.role !== "agent" || entry.receipt.agentId === principal.agentId);
  if (!isReadable) throw new PortcullisError("not-found", "This service has no receipt with this id.");
  return entry;
}

/** The entry, with the time until which its proof can be fetched. */
export async function withStoredUntil(
  tenant: Pick<Tenant, "records" | "blobs">,
  entry: ReceiptEntry,
): Promise<ReceiptEntry> {
  const { anchor, receipt } = entry;
  if (anchor === null) return entry;
  return { ...entry, anchor: { ...anchor, ...(await storedUntil(tenant, anchor.blobId, receipt)) } };
}

/** With the snippets of the memories that are still on record. The opening would open the others. */
export async function toEntries(
  { records }: Pick<Tenant, "records">,
  found: readonly RecordedReceipt[],
): Promise<ReceiptEntry[]> {
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

/** Whether this service issued the receipt, word for word. The commitments on record bind its snippets. */
export async function isIssuedHere({ records }: Pick<Tenant, "records">, receipt: ForeignReceipt): Promise<boolean> {
  const recorded = orUndefined(() => canonicalJson(recordedForm(receipt as AnswerReceipt)));
  return recorded !== undefined && records.receipts.isIssued(receipt.answerId, recorded);
}

// All namespaces that were blocked for an answer. A receipt lists the first of them only.

export const NAMES_PAGE = 1_000;

export async function blockedNamespaces(
  tenant: Pick<Tenant, "records">,
  answerId: string,
  principal: Principal,
): Promise<{ count: number; digest: string; pages: AsyncIterable<readonly string[]> | readonly [readonly string[]] }> {
  const { receipt } = await getReceipt(tenant, answerId, principal);
  const { blockedNamespaces: listed, blockedCount, blockedDigest } = receipt;
  if (blockedCount === undefined || blockedDigest === undefined)
    return { count: listed.length, digest: digestOf(listed), pages: [listed] };
  return { count: blockedCount, digest: blockedDigest, pages: namePages(tenant, blockedDigest) };
}

/** The names of a list on record. The last page is the one that is not full. */
export async function* namePages({ records }: { readonly records: Pick<RecordStore, "receipts"> }, digest: string) {
  let names: readonly string[] = [];
  do {
    names = await records.receipts.listedNames({ digest, limit: NAMES_PAGE, after: names.at(-1) });
    yield names;
  } while (names.length === NAMES_PAGE);
}

// What of a receipt a caller may read. Snippets are text of memories: an auditor gets none, and an agent those of the
// namespaces that it may use now. An opening, or a kept question, would tell an auditor what was asked. All else stays.

export interface ReceiptView extends ReceiptEntry {
  /** Opens the pseudonyms that the ledger has for the receipt. Only beside the opening. */
  readonly names?: DisclosedName[];
}

/** For whoever gets the opening: the salts of the names under which the receipt is on the ledger, if it has pseudonyms. */
export async function withNames(ledger: Pick<Ledger, "naming">, view: ReceiptView): Promise<ReceiptView> {
  if (view.opening === undefined || view.chain.length === 0) return view;
  const { saltOf } = await ledger.naming();
  if (saltOf === undefined) return view;
  const names = new Set([view.receipt.agentId, ...view.chain.flatMap(({ claimed }) => claimed)]);
  return { ...view, names: [...names].map((name) => ({ name, salt: Buffer.from(saltOf(name)).toString("hex") })) };
}

/** `policy` is the agent's. */
export function viewReceipt(entry: ReceiptEntry, principal: Principal, policy: Policy): ReceiptView {
  switch (principal.role) {
    case "admin":
      return entry;
    case "auditor": {
      const { opening: _, question: __, ...rest } = entry;
      return withSnippetsOf(rest, new Set());
    }
    case "agent": {
      const used = entry.receipt.usedMemories.map(({ namespace }) => namespace);
      return withSnippetsOf(entry, new Set(divide(principal.agentId, used, policy).allowed));
    }
    default:
      throw forbidden("This role may not read receipts.");
  }
}

/** The memories whose text the view quotes. A question is its reader's own, but may quote what is being forgotten. */
export function quotedMemories({ receipt, question }: ReceiptView): Quoted[] {
  return receipt.usedMemories.flatMap(({ namespace, memoryId, snippet }) => {
    if (snippet !== undefined) return { namespace, memoryId };
    return question === undefined ? [] : { namespace, memoryId, isPublic: true };
  });
}

function withSnippetsOf(entry: ReceiptEntry, namespaces: ReadonlySet<string>): ReceiptView {
  const isWithheld = ({ namespace }: { readonly namespace: string }) => !namespaces.has(namespace);
  if (!entry.receipt.usedMemories.some(isWithheld)) return entry;
  // The opening would open what is withheld.
  const { opening: _, ...rest } = entry;
  return { ...rest, receipt: withoutSnippets(entry.receipt, isWithheld) };
}
