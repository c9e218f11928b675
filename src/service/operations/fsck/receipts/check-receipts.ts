import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import { policyDigestOf } from "#core/gate/policy-link.ts";
import { orUndefined } from "#core/or-undefined.ts";
import { isComplete, type RecordedReceipt as Receipt } from "#core/receipt/receipt.ts";
import type { IssuedReceipt, OpenedRecord, RecordRows } from "#ports.ts";
import { tallyHours } from "#service/operations/fsck/answer-hours.ts";
import type { FsckContext } from "#service/operations/fsck/context.ts";
import { issuedReceiptOf, openedRecordOf } from "#service/receipts/receipts.ts";
import { checkBlockedLists } from "./check-blocked-lists.ts";
import { keysById, sealFault } from "./check-seal.ts";

type Row = Pick<
  RecordRows["receipt"],
  "answerId" | "agentId" | "createdAt" | "body" | "namespaces" | "blockedDigest" | "model" | "isImported"
>;

/** What receipts refer to. */
interface References {
  /** The length of each list of blocked namespaces, by digest. */
  readonly lists: ReadonlyMap<string, number>;
  /** The digest of each version of the policy whose link is known. */
  readonly digests: ReadonlyMap<number, string>;
}

/** Checks that each receipt's body is canonical JSON, and that the search columns and hourly counts follow from it. */
export async function checkReceipts(context: FsckContext): Promise<void> {
  const references = { lists: await checkBlockedLists(context), digests: await policyDigests(context) };
  const hours = tallyHours();
  const keys = keysById(await context.signingKeys());
  for await (const row of context.rows("receipt")) {
    const receipt = checkBody(context, row, references);
    if (receipt !== undefined && isComplete(receipt)) {
      const derived = issuedReceiptOf(receipt, receipt.blockedNamespaces);
      const differs = (detail: string) => context.report("receipt", row.answerId, detail);
      checkSearchColumns(differs, row, derived);
      // Without the key the seed cannot be compared, and all else can.
      const seed = row.seed === null ? null : ((await context.openSeed(row.answerId, row.seed)) ?? "locked");
      if ("signature" in receipt) checkSeal(differs, receipt, seed, keys);
      hours.addAnswer(derived);
    } else if (receipt !== undefined) context.report("receipt", row.answerId, "it is kept as complete, but is not");
    if (row.reason !== null) hours.addBrokenOff(row.createdAt ?? "");
    if (row.body !== null) context.step();
  }
  for await (const row of context.rows("opened")) {
    const receipt = checkBody(context, row, references);
    const isBoth = row.isComplete === 1 || (receipt !== undefined && isComplete(receipt));
    if (isBoth) context.report("receipt", row.answerId, "it is complete, but is kept as opened");
    if (row.reason !== null) hours.addBrokenOff(row.createdAt);
    context.step();
  }
  await hours.check(context);
}

/** Receipts of the first link may be older than the chain. */
async function policyDigests({ rows }: FsckContext): Promise<ReadonlyMap<number, string>> {
  const digests = new Map<number, string>();
  let isFirst = true;
  for await (const { version, link } of rows("link")) {
    if (!isFirst || version === 0) digests.set(version, policyDigestOf(link));
    isFirst = false;
  }
  return digests;
}

/** Undefined when the body cannot be read. */
function checkBody({ report }: FsckContext, row: Row, references: References): Receipt | undefined {
  const { answerId, body } = row;
  const differs = (detail: string) => report("receipt", answerId, detail);
  if (body === null) return void differs("it can be found, but is not on record");
  const reading = readCanonical(Buffer.from(body), Number.POSITIVE_INFINITY);
  if ("fault" in reading) return void differs(`its body ${reading.fault}`);
  const receipt = reading.value as Receipt;
  const derived = deriveFrom(receipt);
  if (derived === undefined) return void differs("its body is not a receipt");
  if (derived.answerId !== answerId) differs("its body has another answer id");
  if (derived.agentId !== row.agentId) differs("its body has another agent");
  if (derived.createdAt !== row.createdAt) differs("its body has another time");
  if (row.namespaces !== null && !isListOf(row.namespaces, derived.namespaces))
    differs("it is found under other namespaces than it names");
  if (row.namespaces !== null && derived.model !== row.model) differs("it is found under another model");
  checkReferences(differs, row, receipt, references);
  return receipt;
}

function deriveFrom(receipt: Receipt): Omit<OpenedRecord, "seed"> | undefined {
  const derived = orUndefined(() => openedRecordOf(receipt, receipt.blockedNamespaces));
  const texts = [derived?.answerId, derived?.agentId, derived?.createdAt];
  return typeof receipt.evidence === "object" && texts.every((text) => typeof text === "string") ? derived : undefined;
}

/** Checks what a receipt says of records beside it: the list of blocked namespaces, and the policy's digest. */
function checkReferences(
  differs: (detail: string) => void,
  { blockedDigest, isImported }: Row,
  receipt: Receipt,
  { lists, digests }: References,
): void {
  if ((receipt.blockedDigest ?? null) !== blockedDigest)
    differs("it is kept with another list of blocked namespaces than it names");
  if (receipt.blockedDigest !== undefined && lists.get(receipt.blockedDigest) !== receipt.blockedCount)
    differs("its list of blocked namespaces is missing, or has another length");
  // The versions of the policy of another service are not ours.
  if (isImported === 1) return;
  const { policyVersion, policyDigest } = receipt.evidence;
  const expected = digests.get(policyVersion);
  if (expected !== undefined && expected !== policyDigest)
    differs(`it has another digest of policy version ${policyVersion}`);
}

function checkSeal(differs: (detail: string) => void, ...sealed: Parameters<typeof sealFault>): void {
  try {
    const fault = sealFault(...sealed);
    if (fault !== undefined) differs(fault);
  } catch {
    differs("its seal cannot be read");
  }
}

function checkSearchColumns(
  differs: (detail: string) => void,
  { foundAgentId, isVerified }: RecordRows["receipt"],
  derived: Omit<IssuedReceipt, "seed">,
): void {
  if (foundAgentId === null) return void differs("it is on record, but cannot be found");
  if (foundAgentId !== derived.agentId) differs("it is found under another agent");
  const wasVerified = derived.verified === derived.used && derived.intact === derived.used;
  if (isVerified !== Number(wasVerified))
    differs(`it is found as ${isVerified === 1 ? "verified" : "not verified"}, but its body says otherwise`);
}

/** Whether the JSON is an array of these names, in any order. */
function isListOf(json: string | null, names: readonly string[]): boolean {
  const sorted = orUndefined(() => (JSON.parse(json ?? "") as string[]).toSorted());
  return JSON.stringify(sorted) === JSON.stringify(names.toSorted());
}
