// Carries out a plan: pays for it, signs it, sends it, and records the outcome. A transaction that does not succeed ends
// the request that is the cause of it; the others stay pending for the next batch.
import { setTimeout as delay } from "node:timers/promises";
import type { CoreClient } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import type { AbortName, GateIds } from "#adapters/ledger/gate-module.ts";
import type { ChainReader, ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import type { GateSync } from "#adapters/ledger/sui/gate/gate-sync.ts";
import { backoffMs } from "#core/backoff.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Checkpoint } from "#core/log/checkpoint.ts";
import type { RecordStore, SignedTransaction } from "#ports.ts";
import type { RequestOutcomes } from "./anchor-queue.ts";
import { buildCheckpoint, buildNewGate, buildTransaction } from "./build-transaction.ts";
import { type GasPayment, type PaidPlan, payForPlan } from "./payment.ts";
import type { TransactionPlan } from "./plan-transaction.ts";
import * as sending from "./send-transaction.ts";

export interface PlanCommitterOptions {
  readonly client: CoreClient;
  readonly signer: Signer;
  readonly records: Pick<RecordStore, "chainAnchors" | "blobTexts">;
  readonly ids: GateIds;
  readonly chain: ChainReader;
  readonly sync: Pick<GateSync, "done">;
  readonly timeouts: sending.SendTimeouts;
  readonly now: () => Date;
  readonly outcomes: RequestOutcomes;
  readonly isPolicyPrivate: boolean;
  readonly others?: OtherTenants | undefined;
}

/** The other tenants, with which ours shares the signer: one transaction is in flight at a time. */
export interface OtherTenants {
  isOpen(): Promise<boolean>;
  /** Sends it again, or finds out its fate, and records the outcome. */
  finish(): Promise<void>;
}

type Unsigned = Pick<SignedTransaction, "bytes" | "requests">;

/** After this many stale transactions in a row, another program must be using the same key. */
const MAX_STALE_IN_A_ROW = 5;

/** Aborts of changes and keys that follow from a gate that is not as it was read. */
const STALE_GATE: ReadonlySet<AbortName> = new Set([
  "EVersionClosed",
  "EVersionOutOfOrder",
  "EKeyEnded",
  "ETooManyKeys",
  "EGateInUse",
  "EGateExists",
  "ELogNotGrown",
]);

export function planCommitter(options: PlanCommitterOptions) {
  const { client, signer, records, ids, chain, sync, timeouts, now, outcomes, isPolicyPrivate, others } = options;
  const sender = signer.toSuiAddress();
  let staleInARow = 0;
  let maxAnchors = Number.POSITIVE_INFINITY;

  const node = { client, sender, readMs: timeouts.readMs, unavailableError: chain.unavailableError };

  async function commit(state: ChainState, planOf: (maxCalls: number) => Promise<TransactionPlan>): Promise<void> {
    const build = (plan: TransactionPlan, payment: GasPayment) =>
      buildTransaction(ids, sender, state, plan, payment, isPolicyPrivate);
    const paid = await payForPlan({ ...node, funds: state.gas, planOf, build });
    const { anchors, changes } = paid.plan;
    const requests = anchors.map(({ request }) => request.id);
    await send(paid, requests, changes.at(-1)?.version, paid.plan);
  }

  /** Makes our gate below its root. Its id is known: if another process was faster, the next batch finds the gate. */
  const makeGate = (root: ChainState, key: Uint8Array): Promise<void> =>
    sendAlone(root, (payment) => buildNewGate(ids, sender, root, key, payment), 0);

  const anchorCheckpoint = (state: ChainState, checkpoint: Checkpoint): Promise<void> =>
    sendAlone(state, (payment) => buildCheckpoint(ids, sender, state, checkpoint, payment));

  /** One call, with no requests beside it. */
  async function sendAlone({ gas }: ChainState, build: (payment: GasPayment) => Promise<Uint8Array>, version?: number) {
    const plan = { planOf: async () => undefined, build: (_: undefined, payment: GasPayment) => build(payment) };
    await send(await payForPlan({ ...node, funds: gas, ...plan }), [], version);
  }

  async function send(paid: PaidPlan<unknown>, requests: number[], version?: number, plan?: TransactionPlan) {
    const unsigned = { bytes: paid.bytes, requests };
    if (paid.kind === "rejected") return dropRejected(paid.fate, requests);
    if (paid.kind === "fails") return dropFailed(sending.failureOf(ids, paid.status.error), unsigned);
    const signed = await sign(unsigned, version);
    if (await addTransaction(signed)) await finish(signed, plan);
  }

  async function sign(unsigned: Unsigned, version: number | undefined): Promise<SignedTransaction> {
    const { signature } = await signer.signTransaction(unsigned.bytes);
    const txDigest = TransactionDataBuilder.getDigestFromBytes(unsigned.bytes);
    const sends = version === undefined ? {} : { sends: { gateId: ids.gateId, version } };
    return { ...unsigned, txDigest, signature, ...sends };
  }

  /** False when another one is open: a process that lost the mutex was at work. The next batch finishes it. */
  async function addTransaction(signed: SignedTransaction): Promise<boolean> {
    try {
      await records.chainAnchors.addTransaction(signed);
      return true;
    } catch (error) {
      const isOpen = (await records.chainAnchors.openTransactions()).length > 0 || (await others?.isOpen());
      if (!isOpen) throw error;
      return false;
    }
  }

  async function finish(signed: SignedTransaction, plan?: TransactionPlan): Promise<void> {
    const fate = await sending.sendTransaction(client, signed, timeouts);
    if (fate.kind !== "executed") {
      await records.chainAnchors.closeTransaction(signed.txDigest, []);
      return dropRejected(fate, signed.requests);
    }
    staleInARow = 0;
    maxAnchors *= 2;
    chain.readAfter(signed.txDigest);
    const outcome = sending.outcomeOf(ids, fate.result, signed.requests, now().toISOString());
    await records.chainAnchors.closeTransaction(signed.txDigest, outcome.kind === "anchored" ? outcome.outcomes : []);
    if (outcome.kind !== "anchored") return dropFailed(outcome, signed);
    if (plan !== undefined) await sync.done(plan);
    for (const anchored of outcome.outcomes) await outcomes.answer(anchored);
  }

  /** After a transaction that has not executed, and never will. */
  async function dropRejected(
    fate: Exclude<sending.Fate, { kind: "executed" }>,
    requests: readonly number[],
  ): Promise<void> {
    return fate.kind === "stale" ? retryStale(fate.error) : dropRefused(requests, sending.refusedError(fate.error));
  }

  /** After a transaction that has executed without success, or would. */
  async function dropFailed(failure: Exclude<sending.TransactionOutcome, { kind: "anchored" }>, unsigned: Unsigned) {
    if (failure.kind === "failed") throw failure.error;
    return dropAborted(unsigned, failure.command, failure.abort);
  }

  /** The requests are still pending, so the next batch carries them, after a pause that doubles. */
  async function retryStale(cause?: unknown): Promise<void> {
    staleInARow += 1;
    if (staleInARow < MAX_STALE_IN_A_ROW) return delay(backoffMs(staleInARow, { firstMs: timeouts.pauseMs }));
    staleInARow = 0;
    const message = "The ledger finds every transaction out of date. Another program may use the same key. Ask again.";
    throw new PortcullisError("ledger-unavailable", message, { cause });
  }

  /** What is refused stays so: a request that was alone in it is dropped. Of several, the next batches are smaller. */
  async function dropRefused(requests: readonly number[], error: PortcullisError): Promise<void> {
    const [id] = requests;
    if (id === undefined) throw error;
    maxAnchors = Math.max(1, Math.floor(requests.length / 2));
    if (requests.length === 1) await outcomes.drop(id, error);
  }

  /** An abort of one call has undone the whole transaction. Its request is dropped; the others are still pending. */
  async function dropAborted({ bytes, requests }: Unsigned, command: number, abort: AbortName | undefined) {
    const { commands } = TransactionDataBuilder.fromBytes(bytes);
    const id = requests[command - (commands.length - requests.length)];
    // Somebody else told the gate something meanwhile. The next batch reads it again.
    if (id === undefined && abort !== undefined && STALE_GATE.has(abort)) return retryStale();
    const request = (await records.chainAnchors.pending()).find((pending) => pending.id === id);
    if (request === undefined) throw sending.abortError(abort);
    if (abort === "EAlreadyAnchored") return outcomes.adopt(request);
    await outcomes.drop(request.id, sending.abortError(abort));
  }

  async function finishOpen(): Promise<void> {
    for (const open of await records.chainAnchors.openTransactions()) await finish(open);
  }

  return { commit, makeGate, anchorCheckpoint, finishOpen, maxAnchors: () => maxAnchors };
}
