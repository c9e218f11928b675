// Commits one batch of pending anchors as one transaction.
//
// Every step is recorded before the next one begins, so that a restart can continue: the request before a transaction
// is built, the signed bytes before they are sent, the outcome before a caller is answered.
import { setTimeout as delay } from "node:timers/promises";
import type { CoreClient } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { type AbortName, type GateIds, receiptIdOf } from "#adapters/ledger/gate-module.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChainAnchor, ChainOutcome, PendingChainAnchor, RecordStore, SignedTransaction } from "#ports.ts";
import { type AnchorWaiters, answerFinished } from "./anchor-waiters.ts";
import { buildTransaction } from "./build-transaction.ts";
import type { ChainReader, ChainState } from "./chain-reader.ts";
import type { GasPayment } from "./gas.ts";
import { payForPlan } from "./pay-for-plan.ts";
import { planTransaction, type TransactionPlan } from "./plan-transaction.ts";
import { createDriftReader } from "./policy-drift.ts";
import { type Fate, type SendTimeouts, sendTransaction } from "./send-transaction.ts";
import { abortError, failureOf, outcomeOf, refusedError, type TransactionOutcome } from "./transaction-outcome.ts";

interface Options {
  readonly client: CoreClient;
  readonly signer: Signer;
  readonly records: Pick<RecordStore, "chainAnchors" | "policy">;
  readonly ids: GateIds;
  readonly chain: ChainReader;
  readonly waiters: AnchorWaiters;
  readonly timeouts: SendTimeouts;
  readonly now: () => Date;
  readonly onDrift: (leaves: number) => void;
}

/** After this many stale transactions in a row, another program must be using the same key. */
const MAX_STALE_IN_A_ROW = 5;

/** Returns a function that commits one batch, and returns how many requests were pending. */
export function batchCommitter(options: Options): () => Promise<number> {
  const { client, signer, records, ids, chain, waiters, timeouts, now, onDrift } = options;
  const sender = signer.toSuiAddress();
  const driftFrom = createDriftReader(records);
  let staleInARow = 0;
  let maxAnchors = Number.POSITIVE_INFINITY;

  async function commitBatch(): Promise<number> {
    for (const open of await records.chainAnchors.openTransactions()) await finish(open);
    const pending = await answerFinished(records, waiters);
    if (pending.length === 0) return 0;
    const state = await chain.read();
    const drift = await driftFrom(state);
    if (state.policyCap === undefined && drift.length > 0) onDrift(drift.length);
    const unrecorded = await completeRecorded(planTransaction(state, drift, pending.slice(0, maxAnchors)));
    if (unrecorded.changes.length + unrecorded.anchors.length > 0) {
      await commitPlan(state, async (maxCalls) => planTransaction(state, drift, unrecorded.anchors, maxCalls));
    }
    return pending.length;
  }

  /** Completes the anchors that are on record under the version of the plan. The plan that is left has the others. */
  async function completeRecorded(plan: TransactionPlan): Promise<TransactionPlan> {
    const anchors: PendingChainAnchor[] = [];
    for (const request of plan.anchors) {
      const existing = await records.chainAnchors.find(
        receiptIdOf(ids, { ...keyOf(request), policyVersion: plan.version }),
      );
      if (existing === undefined) anchors.push(request);
      else await complete(request, existing);
    }
    return { ...plan, anchors };
  }

  async function commitPlan(state: ChainState, planOf: (maxCalls: number) => Promise<TransactionPlan>): Promise<void> {
    const build = (plan: TransactionPlan, payment: GasPayment) => buildTransaction(ids, sender, state, plan, payment);
    const { readMs } = timeouts;
    const { unavailableError } = chain;
    const paid = await payForPlan({ client, sender, funds: state.gas, readMs, planOf, build, unavailableError });
    const { plan, bytes } = paid;
    const requests = plan.anchors.map(({ id }) => id);
    if (paid.kind === "rejected") return dropRejected(paid.fate, requests);
    if (paid.kind === "fails") return dropFailed(failureOf(ids, paid.status.error), { bytes, requests });
    const { signature } = await signer.signTransaction(bytes);
    const signed = { txDigest: TransactionDataBuilder.getDigestFromBytes(bytes), bytes, signature, requests };
    if (await addTransaction(signed)) await finish(signed);
  }

  /**
   * Records the signed transaction. False when another one is open: a process that lost the mutex without noticing was
   * at work. The next batch finishes that transaction.
   */
  async function addTransaction(signed: SignedTransaction): Promise<boolean> {
    try {
      await records.chainAnchors.addTransaction(signed);
      return true;
    } catch (error) {
      if ((await records.chainAnchors.openTransactions()).length === 0) throw error;
      return false;
    }
  }

  /** Sends a transaction, or finds out its fate, and records the outcome. */
  async function finish(signed: SignedTransaction): Promise<void> {
    const fate = await sendTransaction(client, signed, timeouts);
    if (fate.kind !== "executed") {
      await records.chainAnchors.closeTransaction(signed.txDigest, []);
      return dropRejected(fate, signed.requests);
    }
    staleInARow = 0;
    maxAnchors *= 2;
    chain.readAfter(signed.txDigest);
    const outcome = outcomeOf(ids, fate.result, signed.requests, now().toISOString());
    await records.chainAnchors.closeTransaction(signed.txDigest, outcome.kind === "anchored" ? outcome.outcomes : []);
    if (outcome.kind !== "anchored") return dropFailed(outcome, signed);
    for (const { id, receiptId } of outcome.outcomes) waiters.resolve(id, await recorded(receiptId));
  }

  /** Of a transaction that has not executed, and never will. */
  async function dropRejected(fate: Exclude<Fate, { kind: "executed" }>, requests: readonly number[]): Promise<void> {
    return fate.kind === "stale" ? retryStale(fate.error) : dropRefused(requests, refusedError(fate.error));
  }

  /** Of a transaction that has executed without success, or would. */
  async function dropFailed(
    failure: Exclude<TransactionOutcome, { kind: "anchored" }>,
    sent: Pick<SignedTransaction, "bytes" | "requests">,
  ): Promise<void> {
    if (failure.kind === "failed") throw failure.error;
    return dropAborted(sent, failure.command, failure.abort);
  }

  /** The requests are still pending, so the next batch carries them, after a pause that doubles. */
  async function retryStale(cause: unknown): Promise<void> {
    staleInARow += 1;
    if (staleInARow < MAX_STALE_IN_A_ROW) return delay(timeouts.pauseMs * 2 ** staleInARow);
    staleInARow = 0;
    const message = "The ledger finds every transaction out of date. Another program may use the same key. Ask again.";
    throw new PortcullisError("ledger-unavailable", message, { cause });
  }

  /**
   * A refused transaction has changed nothing, and would be refused again. A request that was alone in it is dropped.
   * Of several requests the cause is unknown, so the next batches are smaller until it is found.
   */
  async function dropRefused(requests: readonly number[], error: PortcullisError): Promise<void> {
    const [id] = requests;
    if (id === undefined) throw error;
    maxAnchors = Math.max(1, Math.floor(requests.length / 2));
    if (requests.length > 1) return;
    await records.chainAnchors.drop(id);
    waiters.reject(id, error);
  }

  /** An abort of one call has undone the whole transaction. Its request is dropped; the others are still pending. */
  async function dropAborted(
    { bytes, requests }: Pick<SignedTransaction, "bytes" | "requests">,
    command: number,
    abort: AbortName | undefined,
  ): Promise<void> {
    const { commands } = TransactionDataBuilder.fromBytes(bytes);
    const id = requests[command - (commands.length - requests.length)];
    const request = (await records.chainAnchors.pending()).find((pending) => pending.id === id);
    if (request === undefined) throw abortError(abort);
    if (abort === "EAlreadyAnchored") return adopt(request);
    await records.chainAnchors.drop(request.id);
    waiters.reject(request.id, abortError(abort));
  }

  /** Records a receipt that is on the chain but not in our records: they were lost, or another process minted it. */
  async function adopt(request: PendingChainAnchor): Promise<void> {
    const { version } = await chain.read();
    const receiptId = receiptIdOf(ids, { ...keyOf(request), policyVersion: version });
    const found = await chain.find(receiptId);
    if (found?.receipt === undefined) throw chain.unavailableError();
    const { allAuthorized, policyVersion, anchoredAtMs } = found.receipt;
    const anchoredAt = new Date(anchoredAtMs).toISOString();
    const txDigest = found.previousTransaction ?? "";
    await complete(request, { receiptId, txDigest, allAuthorized, ledgerVersion: policyVersion, anchoredAt });
  }

  async function complete({ id }: PendingChainAnchor, outcome: Omit<ChainOutcome, "id">): Promise<void> {
    const { receiptId, txDigest, allAuthorized, ledgerVersion, anchoredAt } = outcome;
    await records.chainAnchors.complete({ id, receiptId, txDigest, allAuthorized, ledgerVersion, anchoredAt });
    waiters.resolve(id, await recorded(receiptId));
  }

  async function recorded(receiptId: string): Promise<ChainAnchor> {
    const anchor = await records.chainAnchors.find(receiptId);
    if (anchor !== undefined) return anchor;
    throw new PortcullisError("internal", "An anchor that was just recorded is not on record.");
  }

  return commitBatch;
}

function keyOf({ digest, claimed }: PendingChainAnchor) {
  return { digest: Buffer.from(digest, "hex"), claimed };
}
