// Anchors on Sui, or on whatever speaks its protocol.
//
// One transaction is in flight at a time, because the capabilities and the coins that it uses are objects with
// versions; requests that come meanwhile travel together in the next one. Every step leaves on record what a restart
// needs: the request before anything is built, the signed bytes before they are sent, the outcome before anybody is
// told.
import type { CoreClient } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { receiptIdOf } from "#adapters/ledger/gate-module.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChainAnchor, ChainOutcome, Ledger, PendingChainAnchor, RecordStore, SignedTransaction } from "#ports.ts";
import { buildTransaction } from "./build.ts";
import { type ChainState, chainReader, type GateIds } from "./chain-state.ts";
import { findObject } from "./find.ts";
import { answerEnded, takeTurns, type Waits } from "./group-commit.ts";
import { abortError, outcomeOf, refused } from "./outcome.ts";
import { missingOnChain, planNext } from "./plan.ts";
import { type Patience, pause, settle, within } from "./send.ts";
import { createWaiters } from "./waiters.ts";

export interface SuiLedgerOptions extends GateIds {
  readonly network: string;
  readonly client: CoreClient;
  readonly signer: Signer;
  readonly records: Pick<RecordStore, "chainAnchors" | "locks" | "policy">;
  readonly now?: () => Date;
  readonly patience?: Partial<Patience>;
  readonly waits?: Partial<Waits>;
  /** Where a person can look at a transaction. */
  readonly explorerUrl: (txDigest: string) => string;
  /** Told when the policy on the chain is another's to change and differs from ours. */
  readonly onDrift?: (leaves: number) => void;
}

const PATIENCE: Patience = { callMs: 15_000, totalMs: 60_000, pauseMs: 500 };
const WAITS: Waits = { retryMs: 30_000, waitMs: 150_000, lookMs: 100 };
/** So often in a row may objects move on under our hands before somebody else must be using the same key. */
const STALE_IN_A_ROW = 5;

export function suiLedger(options: SuiLedgerOptions): Ledger {
  const { client, signer, records, packageId, gateId, network, explorerUrl, onDrift } = options;
  const { now = () => new Date() } = options;
  const ids = { packageId, gateId };
  const patience = { ...PATIENCE, ...options.patience };
  const sender = signer.toSuiAddress();
  const readState = chainReader(client, ids, sender);
  const waiters = createWaiters();
  const turns = takeTurns({ records, waiters, round, ...WAITS, ...options.waits });
  let stale = 0;
  /** How many anchors one transaction takes at most. */
  let most = Number.POSITIVE_INFINITY;
  let latest: string | undefined;

  /** A node may answer with a transaction's effects before it shows the objects that the transaction changed. */
  async function readChain(): Promise<ChainState> {
    if (latest !== undefined) {
      await client.waitForTransaction({ digest: latest, timeout: patience.callMs }).catch(() => undefined);
      latest = undefined;
    }
    return within(patience.callMs, readState).catch(unavailable);
  }

  /** One transaction, or none when all that is pending is on the chain already. Answers with how many were pending. */
  async function round(): Promise<number> {
    for (const open of await records.chainAnchors.openTransactions()) await finish(open);
    const pending = await answerEnded(records, waiters);
    if (pending.length === 0) return 0;
    const state = await readChain();
    const { policy } = await records.policy.current();
    if (state.policyCap === undefined) {
      const drift = missingOnChain(policy, state.access).length;
      if (drift > 0) onDrift?.(drift);
    }
    const plan = planNext(state, policy, pending.slice(0, most));
    const fresh: PendingChainAnchor[] = [];
    for (const request of plan.anchors) {
      const known = await records.chainAnchors.find(
        receiptIdOf(ids, { ...keyOf(request), policyVersion: plan.version }),
      );
      if (known === undefined) fresh.push(request);
      else await complete(request, known);
    }
    if (plan.changes.length + fresh.length > 0) {
      const signed = await sign(state, { ...plan, anchors: fresh });
      if (await isOnRecord(signed)) await finish(signed);
    }
    return pending.length;
  }

  async function sign(state: ChainState, plan: Parameters<typeof buildTransaction>[3]): Promise<SignedTransaction> {
    const bytes = await buildTransaction(ids, sender, state, plan);
    const { signature } = await signer.signTransaction(bytes);
    const txDigest = TransactionDataBuilder.getDigestFromBytes(bytes);
    return { txDigest, bytes, signature, requests: plan.anchors.map(({ id }) => id) };
  }

  /** False when another one is open: a process that lost its turn unawares was at work. The next round finishes that. */
  async function isOnRecord(signed: SignedTransaction): Promise<boolean> {
    try {
      await records.chainAnchors.addTransaction(signed);
      return true;
    } catch (error) {
      if ((await records.chainAnchors.openTransactions()).length === 0) throw error;
      return false;
    }
  }

  /** Sends a transaction, or finds out what became of it, and puts that on record. */
  async function finish(signed: SignedTransaction): Promise<void> {
    const fate = await settle(client, signed, patience);
    if (fate.kind !== "executed") {
      await records.chainAnchors.closeTransaction(signed.txDigest, []);
      if (fate.kind === "refused") return rejected(signed, refused(fate.error));
      stale += 1;
      if (stale < STALE_IN_A_ROW) return pause(patience.pauseMs * 2 ** stale);
      stale = 0;
      throw new PortcullisError("ledger-unavailable", "Another program seems to use the same key. Ask again.");
    }
    stale = 0;
    most *= 2;
    latest = signed.txDigest;
    const outcome = outcomeOf(ids, fate.result, signed.requests, now().toISOString());
    await records.chainAnchors.closeTransaction(signed.txDigest, outcome.kind === "anchored" ? outcome.outcomes : []);
    if (outcome.kind === "failed") throw outcome.error;
    if (outcome.kind === "aborted") return aborted(signed, outcome);
    for (const { id, receiptId } of outcome.outcomes) waiters.resolve(id, await recorded(receiptId));
  }

  /**
   * Nothing of it happened, and the same again would be refused again. One request alone is ended, so that it stands in
   * nobody's way; of several it is not known which it was, so fewer travel together until it is.
   */
  async function rejected({ requests }: SignedTransaction, error: PortcullisError): Promise<void> {
    const [id] = requests;
    if (id === undefined) throw error;
    most = Math.max(1, Math.floor(requests.length / 2));
    if (requests.length > 1) return;
    await records.chainAnchors.drop(id);
    waiters.reject(id, error);
  }

  /** One call aborted and undid all. The request behind it is ended; the others are pending again. */
  async function aborted(
    signed: SignedTransaction,
    { command, abort }: { command: number; abort: Abort },
  ): Promise<void> {
    const calls = TransactionDataBuilder.fromBytes(signed.bytes).commands.length;
    const id = signed.requests[command - (calls - signed.requests.length)];
    const request = (await records.chainAnchors.pending()).find((pending) => pending.id === id);
    if (request === undefined) throw abortError(abort);
    if (abort === "EAlreadyAnchored") return adopt(request);
    await records.chainAnchors.drop(request.id);
    waiters.reject(request.id, abortError(abort));
  }

  /** The receipt is on the chain, and our records do not know it: they were lost, or another process put it there. */
  async function adopt(request: PendingChainAnchor): Promise<void> {
    const { version } = await readChain();
    const receiptId = receiptIdOf(ids, { ...keyOf(request), policyVersion: version });
    const found = await findObject(client, receiptId, patience.callMs);
    if (found?.receipt === undefined) throw unavailable(undefined);
    const { allAuthorized, policyVersion, anchoredAtMs } = found.receipt;
    const anchoredAt = new Date(anchoredAtMs).toISOString();
    const txDigest = found.previousTransaction ?? "";
    await complete(request, { receiptId, txDigest, allAuthorized, ledgerVersion: policyVersion, anchoredAt });
  }

  async function complete({ id }: PendingChainAnchor, known: Omit<ChainOutcome, "id">): Promise<void> {
    const { receiptId, txDigest, allAuthorized, ledgerVersion, anchoredAt } = known;
    await records.chainAnchors.complete({ id, receiptId, txDigest, allAuthorized, ledgerVersion, anchoredAt });
    waiters.resolve(id, await recorded(receiptId));
  }

  async function recorded(receiptId: string): Promise<ChainAnchor> {
    const anchor = await records.chainAnchors.find(receiptId);
    if (anchor === undefined)
      throw new PortcullisError("internal", "An anchor is not on record that was just put there.");
    return anchor;
  }

  return {
    network,
    packageId: async () => packageId,
    explorerUrl,

    anchor: ({ id }) => turns.wait(id),

    async recover() {
      const { length } = await records.chainAnchors.pending();
      const open = await records.chainAnchors.openTransactions();
      if (length + open.length > 0) await turns.drain();
      return length;
    },

    find: (objectId) => findObject(client, objectId, patience.callMs),

    async drift() {
      const [{ access, policyCap }, { policy }] = [await readChain(), await records.policy.current()];
      return { leaves: missingOnChain(policy, access).length, isOursToMend: policyCap !== undefined };
    },

    close: turns.close,
  };
}

type Abort = Parameters<typeof abortError>[0];

function keyOf({ digest, claimed }: PendingChainAnchor) {
  return { digest: Buffer.from(digest, "hex"), claimed };
}

function unavailable(cause: unknown): never {
  if (cause instanceof PortcullisError) throw cause;
  throw new PortcullisError("ledger-unavailable", "The ledger does not answer. The anchor is on record; ask again.", {
    cause,
  });
}
