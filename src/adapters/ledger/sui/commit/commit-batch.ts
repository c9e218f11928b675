// Commits what the gate lacks of the policy and its keys, and pending anchors, as one transaction. Each step is
// recorded before the next, for a restart: the request, the signed bytes before they are sent, the outcome before a
// caller is answered.
import type { ChainReader, ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import { type ReadNaming, requestOnLedger } from "#adapters/ledger/sui/gate/gate-naming.ts";
import type { Due, GateSync } from "#adapters/ledger/sui/gate/gate-sync.ts";
import { isLastBeforeMove, isOurs } from "#adapters/ledger/sui/gate/unsent-changes.ts";
import { orUndefined } from "#core/defined.ts";
import { toHex } from "#core/encoding/digest.ts";
import type { Naming } from "#core/ledger/pseudonym.ts";
import type { Checkpoint } from "#core/log/checkpoint.ts";
import { wasSuperseded } from "#core/receipt/chain-receipt.ts";
import type { PendingChainAnchor, RecordStore, SentVersions } from "#ports.ts";
import { type AnchorWaiters, answerFinished, requestOutcomes } from "./anchor-queue.ts";
import { type PlanCommitterOptions, planCommitter } from "./commit-plan.ts";
import { type KeyChange, type PlannedAnchor, planTransaction, type TransactionPlan } from "./plan-transaction.ts";
import { notOnLedgerError, supersededError } from "./send-transaction.ts";

interface Options extends Omit<PlanCommitterOptions, "outcomes"> {
  readonly sync: GateSync;
  readonly readNaming: ReadNaming;
  readonly waiters: AnchorWaiters;
  readonly onDrift: (rules: number) => void;
  /** For a gate below the root, which is made for the first request: what its id was derived from. */
  readonly gateKey?: Uint8Array | undefined;
}

export function batchCommitter(options: Options) {
  const { records, ids, chain, sync, readNaming, waiters, onDrift, isPolicyPrivate, others, gateKey } = options;
  const outcomes = requestOutcomes({ records, ids, chain, readNaming, waiters });
  const committer = planCommitter({ ...options, outcomes });
  const hold = createKeyEndHold();

  async function reportDrift(state: ChainState, naming: Naming): Promise<void> {
    const rules = await sync.drift(state, naming);
    if (rules > 0) onDrift(rules);
  }

  /** Ends the requests whose receipts are on record already, and returns the others. */
  async function notYetAnchored(planned: readonly PlannedAnchor[]): Promise<PlannedAnchor[]> {
    const others: PlannedAnchor[] = [];
    for (const anchor of planned) {
      const existing = await records.chainAnchors.find(outcomes.receiptOf(anchor.request, anchor.version));
      if (existing === undefined) others.push(anchor);
      else await outcomes.complete(anchor.request, existing);
    }
    return others;
  }

  /** Ends the requests that the gate cannot judge by their version, and returns the others. */
  async function judgeable(state: ChainState, { sent }: Due, pending: readonly PendingChainAnchor[]) {
    const known: PendingChainAnchor[] = [];
    for (const request of pending) {
      const refusal = await refusalOf(request, { state, sent, chain, records });
      if (refusal === undefined) known.push(request);
      else await outcomes.drop(request.id, refusal);
    }
    return known;
  }

  /** Ends the requests whose version the gate was not sent, although it was sent everything. */
  async function dropNeverClosed(
    { policyCap }: ChainState,
    { closed, isAll }: TransactionPlan,
    pending: readonly PendingChainAnchor[],
  ): Promise<void> {
    if (policyCap === undefined || !isAll) return;
    for (const { id, policyVersion } of pending) {
      if (policyVersion !== "newest" && policyVersion > closed) await outcomes.drop(id, notOnLedgerError());
    }
  }

  /** Whether there is the gate. Once there, it never goes. */
  let isMade = gateKey === undefined;
  async function hasGate(): Promise<boolean> {
    isMade ||= await chain.hasGate();
    return isMade;
  }

  /** Commits one batch. Returns whether there was anything to do. */
  async function commitBatch(): Promise<boolean> {
    await others?.finish();
    await committer.finishOpen();
    const asked = await answerFinished(records, waiters);
    if (asked.length === 0 && (await sync.isSettled())) return false;
    if (gateKey !== undefined && !(await hasGate())) {
      if (asked.length === 0) return false;
      await committer.makeGate(await chain.readRoot(), gateKey);
      return true;
    }
    const state = await chain.read();
    const { naming, isDue: areNamesDue } = await readNaming(state, state.policyCap !== undefined);
    const pending = asked.map((request) => requestOnLedger(request, naming));
    const due = await sync.due(state, naming);
    if (state.policyCap === undefined && pending.length > 0) await reportDrift(state, naming);
    const known = await judgeable(state, due, pending);
    const held = { ...hold(due, known), isPolicyPrivate, areNamesDue };
    const plan = planTransaction(state, held, known.slice(0, committer.maxAnchors()));
    await dropNeverClosed(state, plan, known);
    const anchors = await notYetAnchored(plan.anchors);
    if (plan.changes.length + plan.keys.length + anchors.length === 0) {
      await sync.done(plan);
    } else {
      const requests = anchors.map(({ request }) => request);
      await committer.commit(state, async (maxCalls) => planTransaction(state, held, requests, maxCalls));
    }
    return pending.length > 0 || !plan.isAll;
  }

  /** In a transaction of its own, so that nothing keeps it, or what else is due, from being anchored. */
  async function anchorCheckpoint(checkpoint: Checkpoint): Promise<void> {
    await others?.finish();
    await committer.finishOpen();
    const last = await chain.lastCheckpoint(checkpoint.origin);
    if (checkpoint.size > (last?.size ?? 0)) await committer.anchorCheckpoint(await chain.read(), checkpoint);
  }

  return { commitBatch, hasGate, anchorCheckpoint, finishOpen: committer.finishOpen };
}

/** The end of a key waits for anchors that were requested before it was due: after it, they would not count. */
export function createKeyEndHold() {
  /** By public key: the last request that was pending when the end of the key became due. */
  let lastBefore: ReadonlyMap<string, number> = new Map();

  return (due: Due, pending: readonly Pick<PendingChainAnchor, "id">[]): Due & { readonly isHeld?: boolean } => {
    const ends = due.keys.filter(({ kind }) => kind === "end");
    const last = Math.max(0, ...pending.map(({ id }) => id));
    lastBefore = new Map(ends.map((key) => [nameOf(key), lastBefore.get(nameOf(key)) ?? last]));
    const isHeld = (key: KeyChange) => {
      const lastAwaited = lastBefore.get(nameOf(key)) ?? 0;
      return pending.some(({ id }) => id <= lastAwaited);
    };
    const held = new Set(ends.filter(isHeld));
    return held.size === 0 ? due : { ...due, keys: due.keys.filter((key) => !held.has(key)), isHeld: true };
  };
}

const nameOf = ({ publicKey }: KeyChange): string => toHex(publicKey);

// Whether the gate can judge an anchor by the version that it names. A number may mean another policy on the gate, when
// somebody else told it of that version, or it may mean a policy that the gate had ended before the answer was made.

interface Known {
  readonly state: Pick<ChainState, "policyCap" | "closedId">;
  readonly sent: SentVersions;
  readonly chain: Pick<ChainReader, "supersededAt">;
  readonly records: Pick<RecordStore, "blobTexts">;
}

/** Why it cannot be anchored; undefined if it can. */
async function refusalOf({ policyVersion, blobId }: PendingChainAnchor, { state, sent, chain, records }: Known) {
  if (policyVersion === "newest") return undefined;
  // When somebody else changes the policy there, only a receipt that names a version of the ledger can be judged.
  if (state.policyCap === undefined) {
    const { ledgerVersion } = await statedIn(records, blobId);
    return ledgerVersion === policyVersion ? undefined : notOnLedgerError();
  }
  if (!isOurs(policyVersion, sent)) return notOnLedgerError();
  // The database was restored to this version, and the gate had gone on. No verifier would accept such an answer.
  if (!isLastBeforeMove(policyVersion, sent)) return undefined;
  const { createdAt } = await statedIn(records, blobId);
  const isLate = wasSuperseded(await chain.supersededAt(state, policyVersion), createdAt ?? "");
  return isLate ? supersededError() : undefined;
}

/** What the receipt says. It is on record, but may be anybody's. */
async function statedIn({ blobTexts }: Pick<RecordStore, "blobTexts">, blobId: string) {
  const { text = "null" } = (await blobTexts.find(blobId)) ?? {};
  const receipt = orUndefined(() => JSON.parse(text)) as { createdAt?: unknown; evidence?: unknown } | null | undefined;
  // A sealed receipt has no evidence: what it would hold stands in the receipt itself.
  const { ledgerVersion } = (receipt?.evidence ?? receipt ?? {}) as { ledgerVersion?: unknown };
  return {
    ...(typeof receipt?.createdAt === "string" && { createdAt: receipt.createdAt }),
    ...(typeof ledgerVersion === "number" && { ledgerVersion }),
  };
}
