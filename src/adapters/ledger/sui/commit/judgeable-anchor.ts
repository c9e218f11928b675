// Whether the gate can judge an anchor by the version that it names. A number may mean another policy on the gate, when
// somebody else told it of that version, or it may mean a policy that the gate had ended before the answer was made.

import type { ChainReader, ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import { isLastBeforeMove, isOurs } from "#adapters/ledger/sui/gate/unsent-changes.ts";
import type { PortcullisError } from "#core/errors.ts";
import { orUndefined } from "#core/or-undefined.ts";
import { wasSuperseded } from "#core/receipt/superseded.ts";
import type { PendingChainAnchor, RecordStore, ToldVersions } from "#ports.ts";
import { notOnLedgerError, supersededError } from "./transaction-outcome.ts";

interface Known {
  readonly state: Pick<ChainState, "policyCap" | "closedId">;
  readonly told: ToldVersions;
  readonly chain: Pick<ChainReader, "supersededAt">;
  readonly records: Pick<RecordStore, "blobTexts">;
}

/** Why it cannot be anchored; undefined if it can. */
export async function refusalOf(
  { policyVersion, blobId }: PendingChainAnchor,
  { state, told, chain, records }: Known,
): Promise<PortcullisError | undefined> {
  if (policyVersion === "newest") return undefined;
  // When somebody else changes the policy there, only a receipt that names a version of the ledger can be judged.
  if (state.policyCap === undefined) {
    const { ledgerVersion } = await statedIn(records, blobId);
    return ledgerVersion === policyVersion ? undefined : notOnLedgerError();
  }
  if (!isOurs(policyVersion, told)) return notOnLedgerError();
  // The database was restored to this version, and the gate had gone on. No verifier would accept such an answer.
  if (!isLastBeforeMove(policyVersion, told)) return undefined;
  const { createdAt } = await statedIn(records, blobId);
  const isLate = wasSuperseded(await chain.supersededAt(state, policyVersion), createdAt ?? "");
  return isLate ? supersededError() : undefined;
}

interface Stated {
  readonly createdAt?: string;
  readonly ledgerVersion?: number;
}

/** What the receipt says. It is on record, but may be anybody's. */
async function statedIn({ blobTexts }: Pick<RecordStore, "blobTexts">, blobId: string): Promise<Stated> {
  const { text = "null" } = (await blobTexts.find(blobId)) ?? {};
  const receipt = orUndefined(() => JSON.parse(text)) as { createdAt?: unknown; evidence?: unknown } | null | undefined;
  // A sealed receipt has no evidence: what it would hold stands in the receipt itself.
  const { ledgerVersion } = (receipt?.evidence ?? receipt ?? {}) as { ledgerVersion?: unknown };
  return {
    ...(typeof receipt?.createdAt === "string" && { createdAt: receipt.createdAt }),
    ...(typeof ledgerVersion === "number" && { ledgerVersion }),
  };
}
