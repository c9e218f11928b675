// Commits one batch as one transaction: what the gate lacks of the policy and its keys, and pending anchors.
//
// Every step is recorded before the next one begins, so that a restart can continue: the request before a transaction
// is built, the signed bytes before they are sent, the outcome before a caller is answered.
import { setTimeout as delay } from "node:timers/promises";
import type { CoreClient } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { type AbortName, type GateIds, receiptIdOf } from "#adapters/ledger/gate-module.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Naming } from "#core/ledger/naming.ts";
import type { ChainAnchor, ChainOutcome, PendingChainAnchor, RecordStore, SignedTransaction } from "#ports.ts";
import { type AnchorWaiters, answerFinished } from "./anchor-waiters.ts";
import { buildTransaction } from "./build-transaction.ts";
import type { ChainReader, ChainState } from "./chain-reader.ts";
import { type ReadNaming, requestOnLedger } from "./gate-naming.ts";
import type { Due, GateSync } from "./gate-sync.ts";
import type { GasPayment } from "./payment/gas.ts";
import { payForPlan } from "./payment/pay-for-plan.ts";
import { type PlannedAnchor, planTransaction, type TransactionPlan } from "./plan-transaction.ts";
import { type Fate, type SendTimeouts, sendTransaction } from "./send-transaction.ts";
import { ledgerVersionIn } from "./stated-version.ts";
import {
  abortError,
  failureOf,
  notOnLedgerError,
  outcomeOf,
  refusedError,
  type TransactionOutcome,
} from "./transaction-outcome.ts";
import { isOurs } from "./unsent-changes.ts";

interface Options {
  readonly client: CoreClient;
  readonly signer: Signer;
  readonly records: Pick<RecordStore, "chainAnchors" | "blobTexts">;
  readonly ids: GateIds;
  readonly chain: ChainReader;
  readonly sync: GateSync;
  readonly readNaming: ReadNaming;
  readonly waiters: AnchorWaiters;
  readonly timeouts: SendTimeouts;
  readonly now: () => Date;
  readonly onDrift: (leaves: number) => void;
}

/** A transaction, and the requests that it carries. */
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
]);

/** Returns a function that commits one batch, and returns whether there was anything to do. */
export function batchCommitter(options: Options): () => Promise<boolean> {
  const { client, signer, records, ids, chain, sync, readNaming, waiters, timeouts, now, onDrift } = options;
  const sender = signer.toSuiAddress();
  let staleInARow = 0;
  let maxAnchors = Number.POSITIVE_INFINITY;
  /** The last request that was pending when the end of a key became due. */
  let lastBeforeEnd: number | undefined;

  async function commitBatch(): Promise<boolean> {
    for (const open of await records.chainAnchors.openTransactions()) await finish(open);
    const asked = await answerFinished(records, waiters);
    if (asked.length === 0 && (await sync.isSettled())) return false;
    const state = await chain.read();
    const { naming, isDue: areNamesDue } = await readNaming(state, state.policyCap !== undefined);
    const pending = asked.map((request) => requestOnLedger(request, naming));
    const due = await sync.due(state, naming);
    if (state.policyCap === undefined && pending.length > 0) await reportDrift(state, naming);
    const known = await withoutUnknown(state, due, pending);
    const held = { ...keysAfter(due, known), areNamesDue };
    const plan = planTransaction(state, held, known.slice(0, maxAnchors));
    await dropNeverClosed(state, plan, known);
    const anchors = await notYetAnchored(plan.anchors);
    if (plan.changes.length + plan.keys.length + anchors.length === 0) {
      await sync.done(plan);
    } else {
      const requests = anchors.map(({ request }) => request);
      await commitPlan(state, async (maxCalls) => planTransaction(state, held, requests, maxCalls));
    }
    return pending.length > 0 || !plan.isAll;
  }

  /**
   * The end of a key waits for the anchors that were requested before it was due: a receipt that is anchored after the end
   * does not count as signed. Later requests for such receipts are refused when they are made.
   */
  function keysAfter(due: Due, pending: readonly PendingChainAnchor[]): Due & { readonly isHeld?: boolean } {
    if (!due.keys.some(({ kind }) => kind === "end")) {
      lastBeforeEnd = undefined;
      return due;
    }
    lastBeforeEnd ??= Math.max(0, ...pending.map(({ id }) => id));
    const last = lastBeforeEnd;
    if (!pending.some(({ id }) => id <= last)) return due;
    return { ...due, keys: due.keys.filter(({ kind }) => kind !== "end"), isHeld: true };
  }

  async function reportDrift(state: ChainState, naming: Naming): Promise<void> {
    const leaves = await sync.drift(state, naming);
    if (leaves > 0) onDrift(leaves);
  }

  /**
   * Ends the requests whose version means another policy on the gate, and returns the others. A version that the gate was
   * told by somebody else is not ours. When somebody else changes the policy there, only a receipt that names a version of
   * the ledger can be judged.
   */
  async function withoutUnknown(
    { policyCap }: ChainState,
    { told }: Due,
    pending: readonly PendingChainAnchor[],
  ): Promise<PendingChainAnchor[]> {
    const known: PendingChainAnchor[] = [];
    for (const request of pending) {
      const { id, blobId, policyVersion } = request;
      const isKnown =
        policyVersion === "newest" ||
        (policyCap === undefined
          ? (await ledgerVersionIn(records, blobId)) === policyVersion
          : isOurs(policyVersion, told));
      if (isKnown) known.push(request);
      else await drop(id, notOnLedgerError());
    }
    return known;
  }

  /** Ends the requests whose version the gate was not told, although it was told everything. */
  async function dropNeverClosed(
    { policyCap }: ChainState,
    { closed, isAll }: TransactionPlan,
    pending: readonly PendingChainAnchor[],
  ): Promise<void> {
    if (policyCap === undefined || !isAll) return;
    for (const { id, policyVersion } of pending) {
      if (policyVersion !== "newest" && policyVersion > closed) await drop(id, notOnLedgerError());
    }
  }

  /** Ends the requests whose receipts are on record already, and returns the others. */
  async function notYetAnchored(planned: readonly PlannedAnchor[]): Promise<PlannedAnchor[]> {
    const others: PlannedAnchor[] = [];
    for (const anchor of planned) {
      const existing = await records.chainAnchors.find(receiptOf(anchor.request, anchor.version));
      if (existing === undefined) others.push(anchor);
      else await complete(anchor.request, existing);
    }
    return others;
  }

  const receiptOf = ({ digest, claimed }: PendingChainAnchor, version: number): string =>
    receiptIdOf(ids, { digest: Buffer.from(digest, "hex"), claimed, policyVersion: BigInt(version) });

  async function commitPlan(state: ChainState, planOf: (maxCalls: number) => Promise<TransactionPlan>): Promise<void> {
    const { unavailableError } = chain;
    const { readMs } = timeouts;
    const build = (plan: TransactionPlan, payment: GasPayment) => buildTransaction(ids, sender, state, plan, payment);
    const paid = await payForPlan({ client, sender, funds: state.gas, readMs, planOf, build, unavailableError });
    const { plan, bytes } = paid;
    const requests = plan.anchors.map(({ request }) => request.id);
    if (paid.kind === "rejected") return dropRejected(paid.fate, requests);
    if (paid.kind === "fails") return dropFailed(failureOf(ids, paid.status.error), { bytes, requests });
    const signed = await sign({ bytes, requests }, plan.changes.at(-1)?.version);
    if (await addTransaction(signed)) await finish(signed, plan);
  }

  async function sign(unsigned: Unsigned, version: number | undefined): Promise<SignedTransaction> {
    const { signature } = await signer.signTransaction(unsigned.bytes);
    const txDigest = TransactionDataBuilder.getDigestFromBytes(unsigned.bytes);
    const tells = version === undefined ? {} : { tells: { gateId: ids.gateId, version } };
    return { ...unsigned, txDigest, signature, ...tells };
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
  async function finish(signed: SignedTransaction, plan?: TransactionPlan): Promise<void> {
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
    if (plan !== undefined) await sync.done(plan);
    for (const { id, receiptId } of outcome.outcomes) waiters.resolve(id, await recorded(receiptId));
  }

  /** After a transaction that has not executed, and never will. */
  async function dropRejected(fate: Exclude<Fate, { kind: "executed" }>, requests: readonly number[]): Promise<void> {
    return fate.kind === "stale" ? retryStale(fate.error) : dropRefused(requests, refusedError(fate.error));
  }

  /** After a transaction that has executed without success, or would. */
  async function dropFailed(
    failure: Exclude<TransactionOutcome, { kind: "anchored" }>,
    unsigned: Unsigned,
  ): Promise<void> {
    if (failure.kind === "failed") throw failure.error;
    return dropAborted(unsigned, failure.command, failure.abort);
  }

  /** The requests are still pending, so the next batch carries them, after a pause that doubles. */
  async function retryStale(cause?: unknown): Promise<void> {
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
    if (requests.length === 1) await drop(id, error);
  }

  async function drop(id: number, error: PortcullisError): Promise<void> {
    await records.chainAnchors.drop(id);
    waiters.reject(id, error);
  }

  /** An abort of one call has undone the whole transaction. Its request is dropped; the others are still pending. */
  async function dropAborted(
    { bytes, requests }: Unsigned,
    command: number,
    abort: AbortName | undefined,
  ): Promise<void> {
    const { commands } = TransactionDataBuilder.fromBytes(bytes);
    const id = requests[command - (commands.length - requests.length)];
    // Somebody else told the gate something meanwhile. The next batch reads it again.
    if (id === undefined && abort !== undefined && STALE_GATE.has(abort)) return retryStale();
    const request = (await records.chainAnchors.pending()).find((pending) => pending.id === id);
    if (request === undefined) throw abortError(abort);
    if (abort === "EAlreadyAnchored") return adopt(request);
    await drop(request.id, abortError(abort));
  }

  /** Records a receipt that is on the chain but not in our records: they were lost, or another process minted it. */
  async function adopt(request: PendingChainAnchor): Promise<void> {
    const state = await chain.read();
    const { naming } = await readNaming(state, state.policyCap !== undefined);
    const version = request.policyVersion === "newest" ? state.version : request.policyVersion;
    const receiptId = receiptOf(requestOnLedger(request, naming), version);
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
