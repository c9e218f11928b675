import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import { policyDigestOf } from "#core/gate/policy-link.ts";
import { orUndefined } from "#core/or-undefined.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { HourOfAnswers, IssuedReceipt, RecordRows } from "#ports.ts";
import { issuedReceiptOf } from "#service/receipts/receipts.ts";
import { checkBlockedLists } from "./check-blocked-lists.ts";
import type { FsckContext } from "./context.ts";

/** Checks that each receipt's body is canonical JSON, and that the search columns and hourly counts follow from it. */
export async function checkReceipts(context: FsckContext): Promise<void> {
  const hours = new Map<string, HourOfAnswers>();
  const lists = await checkBlockedLists(context);
  const digests = await policyDigests(context);
  for await (const row of context.rows("receipt")) {
    const read = checkReceipt(context, row);
    if (read !== undefined) {
      addToHour(hours, read.derived);
      checkReferences(context, row, read.receipt, lists, digests);
    }
    if (row.body !== null) context.step();
  }
  await checkHours(context, hours);
}

/** The digest of each version of the policy whose link is known. Receipts of the first one may be older than the chain. */
async function policyDigests({ rows }: FsckContext): Promise<ReadonlyMap<number, string>> {
  const digests = new Map<number, string>();
  let isFirst = true;
  for await (const { version, link } of rows("link")) {
    if (!isFirst || version === 0) digests.set(version, policyDigestOf(link));
    isFirst = false;
  }
  return digests;
}

/** Checks what a receipt says of records beside it: the list of blocked namespaces, and the policy's digest. */
function checkReferences(
  { report }: FsckContext,
  { answerId, blockedDigest }: RecordRows["receipt"],
  receipt: AnswerReceipt,
  lists: ReadonlyMap<string, number>,
  digests: ReadonlyMap<number, string>,
): void {
  if ((receipt.blockedDigest ?? null) !== blockedDigest)
    report("receipt", answerId, "it is kept with another list of blocked namespaces than it names");
  if (receipt.blockedDigest !== undefined && lists.get(receipt.blockedDigest) !== receipt.blockedCount)
    report("receipt", answerId, "its list of blocked namespaces is missing, or has another length");
  const { policyVersion, policyDigest } = receipt.evidence ?? {};
  const expected = digests.get(policyVersion);
  if (expected !== undefined && expected !== policyDigest)
    report("receipt", answerId, `it has another digest of policy version ${policyVersion}`);
}

interface ReadReceipt {
  readonly receipt: AnswerReceipt;
  /** What the row should hold. */
  readonly derived: IssuedReceipt;
}

/** Undefined when the body cannot be read. */
function checkReceipt({ report }: FsckContext, row: RecordRows["receipt"]): ReadReceipt | undefined {
  const { answerId, body } = row;
  const differs = (detail: string) => report("receipt", answerId, detail);
  if (body === null) return void differs("it can be found, but is not on record");
  const reading = readCanonical(Buffer.from(body), Number.POSITIVE_INFINITY);
  if ("fault" in reading) return void differs(`its body ${reading.fault}`);
  const derived = deriveFrom(reading.value);
  if (derived === undefined) return void differs("its body is not a receipt");
  if (derived.answerId !== answerId) differs("its body has another answer id");
  if (derived.agentId !== row.agentId) differs("its body has another agent");
  if (derived.createdAt !== row.createdAt) differs("its body has another time");
  checkSearchColumns(differs, row, derived);
  return { receipt: reading.value as AnswerReceipt, derived };
}

function checkSearchColumns(
  differs: (detail: string) => void,
  { foundAgentId, isVerified, namespaces }: RecordRows["receipt"],
  derived: IssuedReceipt,
): void {
  if (foundAgentId === null) return void differs("it is on record, but cannot be found");
  if (foundAgentId !== derived.agentId) differs("it is found under another agent");
  if (!isListOf(namespaces, derived.namespaces)) differs("it is found under other namespaces than it names");
  const wasVerified = derived.verified === derived.used && derived.intact === derived.used;
  if (isVerified !== Number(wasVerified))
    differs(`it is found as ${isVerified === 1 ? "verified" : "not verified"}, but its body says otherwise`);
}

/** Whether the JSON is an array of these names, in any order. */
function isListOf(json: string | null, names: readonly string[]): boolean {
  const sorted = orUndefined(() => (JSON.parse(json ?? "") as string[]).toSorted());
  return JSON.stringify(sorted) === JSON.stringify(names.toSorted());
}

function deriveFrom(value: unknown): IssuedReceipt | undefined {
  const receipt = value as AnswerReceipt;
  const derived = orUndefined(() => issuedReceiptOf(receipt, receipt.blockedNamespaces));
  const texts = [derived?.answerId, derived?.agentId, derived?.createdAt];
  return texts.every((text) => typeof text === "string") ? derived : undefined;
}

function addToHour(hours: Map<string, HourOfAnswers>, { createdAt, used, verified, intact }: IssuedReceipt): void {
  const hour = createdAt.slice(0, 13);
  const sum = hours.get(hour) ?? { hour, answers: 0, used: 0, verified: 0, intact: 0 };
  hours.set(hour, {
    hour,
    answers: sum.answers + 1,
    used: sum.used + used,
    verified: sum.verified + verified,
    intact: sum.intact + intact,
  });
}

async function checkHours({ rows, report }: FsckContext, derived: Map<string, HourOfAnswers>): Promise<void> {
  for await (const counted of rows("hour")) {
    const { hour } = counted;
    for (const key of ["answers", "used", "verified", "intact", "brokenOff"] as const) {
      const actual = derived.get(hour)?.[key] ?? 0;
      if (counted[key] !== actual)
        report("receipt", "", `the hour ${hour} counts ${counted[key]} as ${key}, but its receipts have ${actual}`);
    }
    derived.delete(hour);
  }
  for (const { hour, answers } of derived.values())
    report("receipt", "", `the hour ${hour} is not counted, but has ${answers} receipts`);
}
