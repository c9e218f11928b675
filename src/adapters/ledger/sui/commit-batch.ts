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
import { type ChainReader, type ChainState, unavailableError } from "./chain-reader.ts";
import { planTransaction, type TransactionPlan } from "./plan-transaction.ts";
import { createDriftReader } from "./policy-drift.ts";
import { type SendTimeouts, sendTransaction } from "./send-transaction.ts";
import { abortError, outcomeOf, refusedError } from "./transaction-outcome.ts";

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
    const plan = planTransaction(state, drift, pending.slice(0, maxAnchors));
    const anchors: PendingChainAnchor[] = [];
    for (const request of plan.anchors) {
      const existing = await records.chainAnchors.find(
        receiptIdOf(ids, { ...keyOf(request), policyVersion: plan.version }),
      );
      if (existing === undefined) anchors.push(request);
      else await complete(request, existing);
    }
    if (plan.changes.length + anchors.length > 0) {
      const signed = await sign(state, { ...plan, anchors });
      if (await addTransaction(signed)) await finish(signed);
    }
    return pending.length;
  }

  async function sign(state: ChainState, plan: TransactionPlan): Promise<SignedTransaction> {
    const bytes = await buildTransaction(ids, sender, state, plan);
    const { signature } = await signer.signTransaction(bytes);
    const txDigest = TransactionDataBuilder.getDigestFromBytes(bytes);
    return { txDigest, bytes, signature, requests: plan.anchors.map(({ id }) => id) };
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
      return fate.kind === "stale" ? retryStale() : dropRefused(signed, refusedError(fate.error));
    }
    staleInARow = 0;
    maxAnchors *= 2;
    chain.readAfter(signed.txDigest);
    const outcome = outcomeOf(ids, fate.result, signed.requests, now().toISOString());
    await records.chainAnchors.closeTransaction(signed.txDigest, outcome.kind === "anchored" ? outcome.outcomes : []);
    if (outcome.kind === "failed") throw outcome.error;
    if (outcome.kind === "aborted") return dropAborted(signed, outcome.command, outcome.abort);
    for (const { id, receiptId } of outcome.outcomes) waiters.resolve(id, await recorded(receiptId));
  }

  /** The requests are still pending, so the next batch carries them, after a pause that doubles. */
  async function retryStale(): Promise<void> {
    staleInARow += 1;
    if (staleInARow < MAX_STALE_IN_A_ROW) return delay(timeouts.pauseMs * 2 ** staleInARow);
    staleInARow = 0;
    throw new PortcullisError("ledger-unavailable", "Another program seems to use the same key. Ask again.");
  }

  /**
   * A refused transaction has changed nothing, and would be refused again. A request that was alone in it is dropped.
   * Of several requests the cause is unknown, so the next batches are smaller until it is found.
   */
  async function dropRefused({ requests }: SignedTransaction, error: PortcullisError): Promise<void> {
    const [id] = requests;
    if (id === undefined) throw error;
    maxAnchors = Math.max(1, Math.floor(requests.length / 2));
    if (requests.length > 1) return;
    await records.chainAnchors.drop(id);
    waiters.reject(id, error);
  }

  /** An abort of one call has undone the whole transaction. Its request is dropped; the others are still pending. */
  async function dropAborted(signed: SignedTransaction, command: number, abort: AbortName | undefined): Promise<void> {
    const { commands } = TransactionDataBuilder.fromBytes(signed.bytes);
    const id = signed.requests[command - (commands.length - signed.requests.length)];
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
    if (found?.receipt === undefined) throw unavailableError();
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
