// The transparency log in a bundle: a good proof passes, and no lie of an operator is verified where witnesses are asked
// for, with the same codes from this verifier and from verify.py.
import { expect, test } from "vitest";
import { sealedReceiptOf } from "#core/receipt/receipt-shape.ts";
import { anchoredReceipt, goodReceipt } from "#test/support/anchored-receipt.ts";
import { fetchersOf } from "#test/support/browser-fetchers.ts";
import { CHECKPOINT_ID } from "#test/support/ledger-objects.ts";
import { anchoredLogOf, logProofOf, POLICY } from "#test/support/log-proof.ts";
import { type DatedTombstone, datedTombstones } from "#test/verify/forgeries/dated-tombstones.ts";
import {
  anchoredLog,
  changedProofs,
  datedLog,
  type ForgedLog,
  forgedLogs,
  goodLog,
  promised,
} from "#test/verify/forgeries/logs.ts";
import { type Bundle, fetchBundle } from "#verification/bundle.ts";
import { judge } from "./forged-bundles.ts";
import { hasPython, judgeInPython, type PythonCase } from "./python-verifier.ts";

const { nowMs } = anchoredReceipt(promised);

async function bundleOf(
  receipt: ReturnType<typeof goodReceipt>,
  log: unknown,
  anchored: ForgedLog["anchored"],
): Promise<Bundle> {
  const seen = anchoredReceipt(receipt);
  const { object, ...others } = fetchersOf(seen);
  const fetchers = { ...others, object: async (id: string) => (id === CHECKPOINT_ID && anchored) || object(id) };
  const told = { receiptId: seen.receiptId, network: "testnet", ...(log !== undefined && { log }) };
  return (await fetchBundle(fetchers, told)) as Bundle;
}

async function caseOf({ receipt = promised, log, anchored, witnesses = POLICY, checkpoint }: Partial<ForgedLog>) {
  const bundle = await bundleOf(receipt, log, anchored);
  return { bundle, nowMs, witnesses, ...(checkpoint !== undefined && { checkpoint }) };
}

const judged = (one: PythonCase) => judge(one.bundle, one.nowMs, one);
const logIn = ({ checks }: Awaited<ReturnType<typeof judge>>) => checks.find(({ name }) => name === "log");

/** Without a ledger: the sealed receipt, and what is in the log. */
const unanchored = async (log: unknown, anchored?: ForgedLog["anchored"]): Promise<PythonCase> => {
  const { receiptId: _, ...bundle } = await bundleOf(promised, log, anchored);
  const objects = Object.fromEntries(Object.entries(bundle.objects).filter(([id]) => id === CHECKPOINT_ID));
  return { bundle: { ...bundle, objects, receipt: sealedReceiptOf(promised as never) }, nowMs, witnesses: POLICY };
};

const HONEST: readonly (readonly [name: string, one: Promise<PythonCase>])[] = [
  ["with witnesses", caseOf({ log: goodLog })],
  ["with a checkpoint that the reader has", caseOf({ log: goodLog, checkpoint: goodLog.checkpoint })],
  ["without a promise", caseOf({ receipt: goodReceipt(), log: logProofOf(goodReceipt()) })],
  [
    "with two witnesses of three",
    caseOf({ log: { ...goodLog, checkpoint: goodLog.checkpoint.replace(/— three.*\n/, "") } }),
  ],
  ["with a smaller tree on the ledger", caseOf(anchoredLog)],
  ["with the same tree on the ledger", caseOf(anchoredLogOf(promised, 7))],
  ["with entries of other keys, and of the key's end", caseOf({ log: datedLog })],
  ["under a later checkpoint", caseOf({ log: logProofOf(promised, { cosignedAt: "2027-05-01T10:00:00.000Z" }) })],
];

test.for(HONEST)("a receipt that is in the log is verified, %s", async ([, one]) => {
  const result = await judged(await one);
  expect(logIn(result)).toEqual({ name: "log", status: "pass" });
  expect(result.verdict).toBe("verified");
});

test.for(forgedLogs)("$name: $code", async ({ code, status = "fail", ...forged }) => {
  const result = await judged(await caseOf(forged));
  expect(logIn(result)).toEqual({ name: "log", status, code });
  expect(result.verdict).toBe(status === "fail" ? "failed" : "unknown");
});

test.for(changedProofs)("refuses another value of %s", async ([, log]) => {
  expect(logIn(await judged(await caseOf({ ...anchoredLog, log })))?.status).not.toBe("pass");
});

const caseOfTombstone = async ({ seen, log }: DatedTombstone): Promise<PythonCase> => {
  const told = { receiptId: seen.receiptId, network: "testnet", log };
  return { bundle: await fetchBundle(fetchersOf(seen), told), nowMs: seen.nowMs, witnesses: POLICY };
};

test.for(datedTombstones)("a tombstone $name: $code", async ({ code, status, ...one }) => {
  const result = await judged(await caseOfTombstone({ ...one, code, status }));
  expect(result.checks).toContainEqual({ name: "memory", index: 0, status, code });
});

test("an answer that is not anchored is proved by the log: only what needs the ledger is unknown", async () => {
  const result = await judged(await unanchored(anchoredLog.log, anchoredLog.anchored));
  const statuses = Object.fromEntries(result.checks.map(({ name, status, code }) => [name, code ?? status]));
  expect(statuses).toMatchObject({
    object: "not-anchored",
    identity: "needs-object",
    digest: "needs-blob",
    receipt: "pass",
    evidence: "pass",
    opening: "sealed",
    agent: "needs-receipt",
    signature: "pass",
    log: "pass",
  });
  expect(result.verdict).toBe("unknown");
});

test("without the log, nothing names the key of an answer that is not anchored", async () => {
  const signatureIn = async (log: unknown) =>
    (await judged(await unanchored(log))).checks.find(({ name }) => name === "signature");
  expect(await signatureIn(undefined)).toMatchObject({ code: "keys-unknown" });
  expect(await signatureIn({ ...goodLog, checkpoint: "" })).toMatchObject({ code: "keys-unknown" });
});

test.skipIf(!hasPython)("verify.py gives the same codes", async () => {
  const logs = [...forgedLogs, ...changedProofs.map(([, log]) => ({ ...anchoredLog, log }))];
  const cases = await Promise.all([
    ...HONEST.map(([, one]) => one),
    ...logs.map(caseOf),
    ...logs.map(({ log, anchored }) => unanchored(log, anchored)),
    ...logs.map(async (one) => ({ bundle: (await caseOf(one)).bundle, nowMs })),
    ...datedTombstones.map(caseOfTombstone),
  ]);
  const theirs = await judgeInPython(cases);
  const ours = await Promise.all(cases.map(judged));
  expect(theirs).toEqual(ours);
});
