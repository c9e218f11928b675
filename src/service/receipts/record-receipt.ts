// Receipts go on record here: opened before their prompt leaves, complete before their answer is released.
import { PortcullisError } from "#core/errors.ts";
import type { Commitments } from "#core/receipt/disclosure/sealed-form.ts";
import type { AnswerReceipt, OpenedReceipt } from "#core/receipt/receipt.ts";
import type { KeptQuestion } from "#ports.ts";
import type { GateDecision } from "#service/answers/gatekeeper.ts";
import { answerDecision } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { type OnRecord, whenOnRecord } from "./on-record.ts";
import { issuedReceiptOf, openedRecordOf } from "./receipts.ts";

type Recorder = Pick<Deps, "records" | "now" | "call" | "brokenOff" | "cipher" | "keepQuestions">;

export interface Seed {
  readonly bytes: Uint8Array;
  /** The receipt names a sealed memory, whose text a seed on record would let anybody guess who has the database. */
  readonly isSealed: boolean;
}

export async function recordOpened(
  deps: Recorder,
  decision: GateDecision,
  receipt: OpenedReceipt,
  seed: Seed,
): Promise<OnRecord> {
  const written = deps.records.receipts.open({
    ...openedRecordOf(receipt, decision.blockedNamespaces),
    seed: await seedOnRecord(deps, receipt.answerId, seed),
  });
  return whenOnRecord(written, receipt, markOf(deps, decision, receipt));
}

/** Records the complete receipt, in place of the opened one if there is one. */
export async function recordIssued(
  deps: Recorder,
  decision: GateDecision,
  receipt: AnswerReceipt,
  { seed, commitments }: { readonly seed: Seed; readonly commitments: Commitments },
): Promise<OnRecord> {
  const { answerId, createdAt: at } = receipt;
  const row = answerDecision(deps.call, decision, { answerId, at, outcome: "answered" });
  const mark = markOf(deps, decision, receipt);
  const written = deps.records.receipts.add(
    {
      ...issuedReceiptOf(receipt, decision.blockedNamespaces, commitments),
      seed: await seedOnRecord(deps, answerId, seed),
      question: await questionOnRecord(deps, answerId, decision, seed),
    },
    row,
  );
  return whenOnRecord(written, receipt, mark).catch((error) => {
    // When the connection to the database is lost, the commit may have happened. The answer is not released.
    if (error instanceof PortcullisError && error.code === "records-unavailable") mark("records-failed");
    throw error;
  });
}

async function seedOnRecord({ cipher }: Recorder, answerId: string, { bytes, isSealed }: Seed): Promise<string> {
  const seed = Buffer.from(bytes).toString("hex");
  return isSealed ? cipher.sealSeed(answerId, seed) : seed;
}

/**
 * Never when a sealed memory was recalled for it: the question may say what is sealed. Nor when an attempt before used a
 * memory that was withdrawn: it is not in the receipt, so its forgetting would leave the question. And never in the clear
 * when there is a key, or when the key is not the one of this database.
 */
async function questionOnRecord(
  { keepQuestions, cipher }: Recorder,
  answerId: string,
  { query, recalledSealed = false, isAgain = false }: GateDecision,
  { isSealed }: Seed,
): Promise<KeptQuestion | undefined> {
  const isKept = keepQuestions && !isSealed && !recalledSealed && !isAgain;
  if (!isKept || cipher.status() === "other-key") return undefined;
  if (cipher.status() === "no-key") return { text: query, sealed: false };
  return { text: await cipher.sealQuestion(answerId, query), sealed: true };
}

function markOf(
  { brokenOff, call, now }: Recorder,
  decision: GateDecision,
  { answerId, agentId }: Pick<AnswerReceipt, "answerId" | "agentId">,
): OnRecord["breakOff"] {
  return (reason) => {
    const at = now().toISOString();
    const row = answerDecision(call, decision, { answerId, at, outcome: "broken-off" });
    brokenOff.mark({ answerId, agentId, at, reason, decision: row });
  };
}
