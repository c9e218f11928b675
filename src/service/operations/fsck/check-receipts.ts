import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { orUndefined } from "#core/defined.ts";
import { readCanonical } from "#core/encoding/canonical-json.ts";
import { digestOf, toHex } from "#core/encoding/digest.ts";
import { policyDigestOf } from "#core/gate/policy-chain.ts";
import { saltOf } from "#core/receipt/commitment.ts";
import { type AnswerReceipt, isComplete, type RecordedReceipt as Receipt } from "#core/receipt/receipt.ts";
import { recordedReceiptFault } from "#core/receipt/receipt-shape.ts";
import { sealedFormOf, signedBytes } from "#core/receipt/sealed-form.ts";
import type { BegunRecord, IssuedReceipt, RecordRows } from "#ports.ts";
import { begunRecordOf, issuedReceiptOf } from "#service/receipts/receipts.ts";
import { type FsckContext, groupsOf } from "./context.ts";

type Row = Pick<
  RecordRows["receipt"],
  "answerId" | "agentId" | "createdAt" | "body" | "namespaces" | "blockedDigest" | "model" | "isImported"
>;
interface References {
  /** The length of each list of blocked namespaces, by digest. */
  readonly lists: ReadonlyMap<string, number>;
  readonly digests: ReadonlyMap<number, string>;
  readonly newest: number;
}

/** Checks that each receipt's body is canonical JSON, and that the search columns and hourly counts follow from it. */
export async function checkReceipts(context: FsckContext): Promise<void> {
  const { rows, report, step, counters, decryptSeed } = context;
  const references = {
    lists: await checkBlockedLists(context),
    digests: new Map(
      await Array.fromAsync(rows("policyChain"), (row) => [row.version, policyDigestOf(row.chainHash)] as const),
    ),
    newest: counters.policy,
  };
  const hours = tallyHours();
  const keys = new Map((await context.signingKeys()).map((key) => [key.keyId, keyObjectOf(key.publicKey)]));
  for await (const row of rows("receipt")) {
    const receipt = checkBody(context, row, references);
    if (receipt !== undefined && isComplete(receipt)) {
      const derived = issuedReceiptOf(receipt, receipt.blockedNamespaces);
      const differs = (detail: string) => report("receipt", row.answerId, detail);
      checkSearchColumns(differs, row, derived);
      // Without the key the seed cannot be compared, and all else can.
      const seed = row.seed === null ? null : ((await decryptSeed(row.answerId, row.seed)) ?? "locked");
      checkSeal(differs, receipt, seed, keys);
      hours.addAnswer(derived);
    } else if (receipt !== undefined) report("receipt", row.answerId, "it is kept as complete, but is not");
    if (row.reason !== null) hours.addBrokenOff(row.createdAt ?? "");
    if (row.body !== null) step();
  }
  for await (const row of rows("begun")) {
    const receipt = checkBody(context, row, references);
    const isBoth = row.isComplete === 1 || (receipt !== undefined && isComplete(receipt));
    if (isBoth) report("receipt", row.answerId, "it is complete, but is kept as begun");
    if (row.reason !== null) hours.addBrokenOff(row.createdAt);
    step();
  }
  await hours.check(context);
  const { receipts, begun, foreignAnchors, receiptsCounted } = counters;
  const all = receipts + begun + foreignAnchors;
  if (all !== receiptsCounted)
    report("receipt", "", `${all} are on record, but ${receiptsCounted} are counted for the limit`);
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

function deriveFrom(receipt: Receipt): Omit<BegunRecord, "seed"> | undefined {
  const derived = orUndefined(() => begunRecordOf(receipt, receipt.blockedNamespaces));
  const texts = [derived?.answerId, derived?.agentId, derived?.createdAt];
  return typeof receipt.evidence === "object" && texts.every((text) => typeof text === "string") ? derived : undefined;
}

/** Checks what a receipt says of records beside it: the list of blocked namespaces, and the policy's digest. */
function checkReferences(
  differs: (detail: string) => void,
  { blockedDigest, isImported }: Row,
  receipt: Receipt,
  { lists, digests, newest }: References,
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
  if (policyVersion > newest) differs(`it was made under policy version ${policyVersion}, which is not on record`);
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

// The seal of a receipt: its salts follow from its seed, and a key of the service signed its sealed form.

/** What is wrong with the seal; undefined if nothing is. Throws for a receipt that is not whole. */
function sealFault(
  receipt: AnswerReceipt,
  seed: string | "locked" | null,
  keys: ReadonlyMap<string, KeyObject>,
): string | undefined {
  const shapeFault = recordedReceiptFault(receipt);
  if (shapeFault !== undefined) return `its seal is malformed: ${shapeFault}`;
  const { evidence, signature } = receipt;
  const seedBytes = Buffer.from(seed ?? "", "hex");
  const isOpened = Object.entries(evidence.salts).every(([path, salt]) => toHex(saltOf(seedBytes, path)) === salt);
  if (seed !== "locked" && (seedBytes.length !== SEED_BYTES || !isOpened)) return "its seed does not open it";
  const key = keys.get(signature.keyId);
  if (key === undefined) return "it is signed with a key that is not on record";
  const bytes = signedBytes(sealedFormOf(receipt));
  const isSigned = verify(null, bytes, key, Buffer.from(signature.value, "base64url"));
  return isSigned ? undefined : "its signature does not fit it";
}

const SEED_BYTES = 32;

function keyObjectOf(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** Derives the digest of each list again. Answers with the length of each, by digest. */
async function checkBlockedLists({ rows, report }: FsckContext): Promise<ReadonlyMap<string, number>> {
  const lengths = new Map<string, number>();
  for await (const [digest, list] of groupsOf(rows("blocked"), (row) => row.digest)) {
    lengths.set(digest, list.length);
    if (digestOf(list.map(({ namespace }) => namespace)) !== digest)
      report("receipt", "", `the list of blocked namespaces ${digest} has another digest`);
  }
  return lengths;
}

const COUNTS = ["answers", "used", "verified", "intact", "brokenOff"] as const;
type Counts = { [Count in (typeof COUNTS)[number]]: number };

const NONE: Readonly<Counts> = { answers: 0, used: 0, verified: 0, intact: 0, brokenOff: 0 };

/** Counts answers by the hour from their receipts, to compare with the counts on record. */
function tallyHours() {
  const hours = new Map<string, Counts>();

  function add(createdAt: string, counts: Partial<Counts>): void {
    const hour = createdAt.slice(0, 13);
    const sum = { ...(hours.get(hour) ?? NONE) };
    for (const key of COUNTS) sum[key] += counts[key] ?? 0;
    hours.set(hour, sum);
  }

  return {
    addAnswer: ({ createdAt, used, verified, intact }: Omit<IssuedReceipt, "seed">) =>
      add(createdAt, { answers: 1, used, verified, intact }),
    addBrokenOff: (createdAt: string) => add(createdAt, { brokenOff: 1 }),

    async check({ rows, report }: FsckContext): Promise<void> {
      for await (const { hour, ...pruned } of rows("prunedHour")) add(hour, pruned);
      for await (const counted of rows("hour")) {
        const { hour } = counted;
        const derived = hours.get(hour) ?? NONE;
        for (const key of COUNTS) {
          const [found, expected] = [counted[key], derived[key]];
          if (found !== expected)
            report("receipt", "", `the hour ${hour} counts ${found} as ${key}, but its receipts have ${expected}`);
        }
        hours.delete(hour);
      }
      for (const [hour, { answers, brokenOff }] of hours)
        report("receipt", "", `the hour ${hour} is not counted, but has ${answers + brokenOff} receipts`);
    },
  };
}
