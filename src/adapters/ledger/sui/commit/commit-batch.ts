// Commits one batch as one transaction: what the gate lacks of the policy and its keys, and pending anchors.
//
// Every step is recorded before the next one begins, so that a restart can continue: the request before a transaction
// is built, the signed bytes before they are sent, the outcome before a caller is answered.
import type { ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import { type ReadNaming, requestOnLedger } from "#adapters/ledger/sui/gate/gate-naming.ts";
import type { GateSync } from "#adapters/ledger/sui/gate/gate-sync.ts";
import type { Naming } from "#core/ledger/naming.ts";
import { type AnchorWaiters, answerFinished } from "./anchor-waiters.ts";
import { type PlanCommitterOptions, planCommitter } from "./commit-plan.ts";
import { createKeyEndHold } from "./key-end-hold.ts";
import type { PlannedAnchor } from "./plan-transaction.ts";
import { planTransaction } from "./plan-transaction.ts";
import { requestFilter } from "./request-filter.ts";
import { requestOutcomes } from "./request-outcomes.ts";

interface Options extends Omit<PlanCommitterOptions, "outcomes"> {
  readonly sync: GateSync;
  readonly readNaming: ReadNaming;
  readonly waiters: AnchorWaiters;
  readonly onDrift: (leaves: number) => void;
}

/** Returns a function that commits one batch, and returns whether there was anything to do. */
export function batchCommitter(options: Options): () => Promise<boolean> {
  const { records, ids, chain, sync, readNaming, waiters, onDrift, isPolicyPrivate } = options;
  const outcomes = requestOutcomes({ records, ids, chain, readNaming, waiters });
  const filter = requestFilter({ records, chain, drop: outcomes.drop });
  const committer = planCommitter({ ...options, outcomes });
  const hold = createKeyEndHold();

  async function reportDrift(state: ChainState, naming: Naming): Promise<void> {
    const leaves = await sync.drift(state, naming);
    if (leaves > 0) onDrift(leaves);
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

  return async () => {
    for (const open of await records.chainAnchors.openTransactions()) await committer.finish(open);
    const asked = await answerFinished(records, waiters);
    if (asked.length === 0 && (await sync.isSettled())) return false;
    const state = await chain.read();
    const { naming, isDue: areNamesDue } = await readNaming(state, state.policyCap !== undefined);
    const pending = asked.map((request) => requestOnLedger(request, naming));
    const due = await sync.due(state, naming);
    if (state.policyCap === undefined && pending.length > 0) await reportDrift(state, naming);
    const known = await filter.judgeable(state, due, pending);
    const held = { ...hold(due, known), isPolicyPrivate, areNamesDue };
    const plan = planTransaction(state, held, known.slice(0, committer.maxAnchors()));
    await filter.dropNeverClosed(state, plan, known);
    const anchors = await notYetAnchored(plan.anchors);
    if (plan.changes.length + plan.keys.length + anchors.length === 0) {
      await sync.done(plan);
    } else {
      const requests = anchors.map(({ request }) => request);
      await committer.commit(state, async (maxCalls) => planTransaction(state, held, requests, maxCalls));
    }
    return pending.length > 0 || !plan.isAll;
  };
}
