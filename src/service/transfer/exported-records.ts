// Receipts and memories of an export, newest first. Receipts are without texts; admins also get the anchored ones.
import { setImmediate as nextTurn } from "node:timers/promises";
import { defined } from "#core/defined.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import { governedBy } from "#core/identity/permissions.ts";
import { factFilterOf, readsDetails } from "#core/memories/fact-filter.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import type { ExportRecord } from "#core/transfer/export-format.ts";
import type { BlobAnchor, MemoryOnRecord, ReceiptFilter, RecordedReceipt, Superseding } from "#ports.ts";
import { listMemories } from "#service/memories/read-memories.ts";
import { NAMES_PAGE, namePages, quotedMemories, toEntries, viewReceipt } from "#service/receipts/receipts.ts";
import { STREAM_PAGE_BYTES } from "#service/scan-budget.ts";
import { type ExportPage, type ExportScope, readingTenant, writePages } from "./export-scope.ts";

const RECEIPTS = 200;

export async function exportReceipts(scope: ExportScope): Promise<void> {
  const tenant = readingTenant(scope);
  const wanted = receiptsOf(scope);
  if (wanted === undefined) return;
  const writeLists = exportedLists(scope);
  await writePages<string>(scope, async (before) => {
    const page = { ...wanted, before, limit: RECEIPTS, scan: 10 * RECEIPTS, bytes: STREAM_PAGE_BYTES };
    const { receipts, next } = await tenant.records.receipts.page(page);
    const { seeds, quoted } = await seedsOf(scope, receipts);
    const records = receipts.map((each, i) => toRecord(each, seeds[i]));
    await writeLists(records.map(({ receipt }) => receipt.blockedDigest));
    return { records, quoted, next };
  });
}

function receiptsOf(scope: ExportScope): ReceiptFilter | undefined {
  const wanted = ofAgent(scope);
  return wanted && { ...wanted, namespace: scope.filter.namespace };
}

/** Whose receipts, or decisions, are exported. Undefined when the caller reads none of those that are wanted. */
export function ofAgent({
  principal,
  filter: { sourceAgent },
}: ExportScope): { agentId?: string | undefined } | undefined {
  if (principal.role === "admin" || principal.role === "auditor") return { agentId: sourceAgent };
  const isWanted = principal.role === "agent" && (sourceAgent ?? principal.agentId) === principal.agentId;
  return isWanted ? { agentId: principal.agentId } : undefined;
}

/** A seed opens the snippets too. An agent has it while it may use all of the memories, and they are on record. */
async function seedsOf({ tenant, principal }: ExportScope, receipts: readonly RecordedReceipt[]) {
  if (principal.role === "admin") return { seeds: receipts.map(({ seed }) => seed), quoted: [] };
  if (principal.role !== "agent") return { seeds: [], quoted: [] };
  const policy = tenant.policyMirror.lastOf(principal.agentId);
  const views = (await toEntries(tenant, receipts)).map((entry) => viewReceipt(entry, principal, policy));
  const opened = views.filter(({ opening }) => opening !== undefined);
  return { seeds: views.map(({ opening }) => opening?.seed), quoted: opened.flatMap(quotedMemories) };
}

function toRecord(recorded: RecordedReceipt, seed: string | undefined): ExportRecord & { readonly kind: "receipt" } {
  const { body, status, reason, anchor, chain } = recorded;
  return {
    kind: "receipt",
    receipt: JSON.parse(body) as ViewedReceipt,
    status,
    ...defined({ reason, seed, anchor: anchor ?? undefined }),
    chain: chain.map(({ receiptId, txDigest }) => ({ receiptId, txDigest })),
  };
}

/** Each has the text of a receipt. */
const ANCHORS = 10;

/** Anchored receipts quote memories of all times, so that only admins get them here. Others fetch the public blobs. */
export async function exportAnchors(scope: ExportScope): Promise<void> {
  if (scope.principal.role !== "admin") return;
  const isFiltered = scope.filter.namespace !== undefined || scope.filter.sourceAgent !== undefined;
  if (!isFiltered) await exportAllAnchors(scope);
  await exportOfReceipts(scope, isFiltered);
}

async function exportAllAnchors(scope: ExportScope): Promise<void> {
  await writePages<string>(scope, async (after) => {
    const anchors = await scope.tenant.records.anchors.page({ limit: ANCHORS, after });
    const next = anchors.length < ANCHORS ? undefined : anchors.at(-1)?.blobId;
    return { records: anchors.map(anchorRecord), quoted: [], next };
  });
}

/** What is on the ledger of the receipts that were issued here and, with a filter, their anchors as blobs. */
async function exportOfReceipts(scope: ExportScope, withBlobs: boolean): Promise<void> {
  const { records } = scope.tenant;
  const wanted = receiptsOf(scope);
  await writePages<string>(scope, async (before) => {
    const page = { ...wanted, before, anchored: true, limit: ANCHORS, scan: 10 * ANCHORS };
    const { receipts, next } = await records.receipts.page(page);
    const found: ExportRecord[] = [];
    for (const receipt of receipts) {
      const anchor = withBlobs ? await anchorOf(scope, receipt) : undefined;
      if (anchor !== undefined) found.push(anchorRecord(anchor));
      for (const { receiptId } of receipt.chain) {
        const onLedger = await records.chainAnchors.find(receiptId);
        if (onLedger !== undefined) found.push({ kind: "chain-anchor", ...onLedger });
      }
    }
    return { records: found, quoted: [], next };
  });
}

async function anchorOf(
  { tenant: { records } }: ExportScope,
  receipt: RecordedReceipt,
): Promise<BlobAnchor | undefined> {
  if (receipt.anchor === null) return undefined;
  const text = (await records.blobTexts.find(receipt.anchor.blobId))?.text;
  if (text === undefined) return undefined;
  const { answerId } = JSON.parse(receipt.body) as ViewedReceipt;
  return { ...receipt.anchor, digest: digestOfText(text), answerId, issued: true, body: text };
}

const anchorRecord = (anchor: BlobAnchor): ExportRecord => ({ kind: "anchor", ...anchor });

/** How many digests are remembered. A list that was written long ago is written again. */
const MOST_REMEMBERED = 10_000;

/** Writes the lists of names that the records of a page refer to, each before it is first referred to. */
export function exportedLists({ tenant, writer }: ExportScope) {
  const written = new Set<string>();

  async function write(digest: string): Promise<void> {
    for await (const names of namePages(tenant, digest)) {
      await writer.records([{ kind: "names", digest, names, isLast: names.length < NAMES_PAGE }]);
      await nextTurn();
      if (writer.isClosed()) return;
    }
  }

  return async (digests: Iterable<string | null | undefined>): Promise<void> => {
    for (const digest of digests) {
      if (digest == null || written.has(digest)) continue;
      if (written.size >= MOST_REMEMBERED) written.clear();
      written.add(digest);
      await write(digest);
    }
  };
}

// The memories of an export, newest first: current ones, history, and what stays of forgotten ones.

/** A page is read without a pause. */
const MEMORIES = 100;

export const exportMemories = (scope: ExportScope): Promise<void> => exportPages(scope, false);
export const exportHistory = (scope: ExportScope): Promise<void> => exportPages(scope, true);

async function exportPages(scope: ExportScope, superseded: boolean): Promise<void> {
  const { call, principal } = scope;
  const { namespace } = scope.filter;
  const reading = readingTenant(scope);
  // A filter of details reads encrypted ones, too. They are exported as they are stored all the same.
  const tenant = readsDetails(scope.filter) ? scope.tenant : reading;
  // An auditor reads no memories.
  if (principal.role === "auditor") return;
  await writePages<number>(scope, async (before) => {
    const query = { namespace, ...factFilterOf(scope.filter), limit: MEMORIES, before, superseded };
    const { memories: found, next } = await listMemories(tenant, call, { ...query, bytes: STREAM_PAGE_BYTES });
    const stored = tenant === reading ? undefined : await reading.records.memories.findAll(found.map(idOf));
    const memories = stored === undefined ? found : found.flatMap(({ memoryId }) => stored.get(memoryId) ?? []);
    return { records: await toRecords(scope, memories), quoted: memories, next };
  });
}

async function toRecords(
  { tenant: { records } }: ExportScope,
  memories: readonly MemoryOnRecord[],
): Promise<ExportRecord[]> {
  const history = memories.filter(({ supersededBy }) => supersededBy !== undefined);
  const supersedings = history.length === 0 ? NONE : await records.transfer.supersededAt(history.map(idOf));
  return memories.map((memory) => {
    const superseded = supersedings.get(memory.memoryId);
    return { kind: "memory", memory, ...(superseded && { superseded }) };
  });
}

const NONE: ReadonlyMap<string, Superseding> = new Map();
const idOf = ({ memoryId }: MemoryOnRecord): string => memoryId;

/** Of the namespaces that the caller may read. */
export async function exportTombstones(scope: ExportScope): Promise<void> {
  const { tenant, principal, filter } = scope;
  if (principal.role === "auditor") return;
  await writePages<number>(scope, async (after): Promise<ExportPage<number>> => {
    const readable =
      principal.role === "agent" ? await allowedToAgent(scope, principal.agentId) : governedBy(principal);
    const { namespace, sourceAgent } = filter;
    const wanted = namespace === undefined ? readable : [namespace].filter((name) => readable?.includes(name) ?? true);
    const page = { limit: MEMORIES, after, namespaces: wanted, sourceAgent };
    const { tombstones, next } = await tenant.records.transfer.tombstones(page);
    return {
      records: tombstones.map((tombstone) => ({ kind: "tombstone", tombstone })),
      quoted: tombstones.map((tombstone) => ({ namespace: tombstone.namespace })),
      next,
    };
  });
}

/** All that the policy allows, namespaces without memories included. */
async function allowedToAgent({ tenant }: ExportScope, agentId: string): Promise<string[]> {
  const policy = await tenant.policyMirror.currentOf(agentId);
  return Object.entries(policy[agentId] ?? {}).flatMap(([namespace, isAllowed]) => (isAllowed ? [namespace] : []));
}
