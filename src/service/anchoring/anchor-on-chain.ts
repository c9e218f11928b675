import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { claimsOf } from "#core/receipt/claims.ts";
import type { ForeignReceipt, ReceiptToAnchor } from "#core/receipt/receipt.ts";
import type { ChainAnchorRequest, Ledger, PendingChainAnchor } from "#ports.ts";
import { callerOf, recordAnchored } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { storeReceipt } from "./anchor-as-blob.ts";
import { formToAnchor } from "./anchored-form.ts";
import { type PublicationFence, publicationFence } from "./publication-fence.ts";
import { receiptToAnchor } from "./receipt-to-anchor.ts";
import { storedUntil } from "./stored-until.ts";
import { refuseUnprovable } from "./unprovable-receipt.ts";

interface Options {
  readonly claimNamespaces?: readonly string[] | undefined;
  readonly sealed?: boolean | undefined;
}

/**
 * Stores the receipt as a blob, open or sealed, records the request, and has the ledger mint a receipt for it. Once the request is on
 * record the anchor will be made: if this process ends first, the next one makes it.
 */
export async function anchorOnChain(
  deps: Deps,
  { claimNamespaces, sealed, ...given }: ReceiptToAnchor & Options,
  principal: Principal,
) {
  const state = await deps.gatekeeper.fenceState();
  const receipt = await receiptToAnchor(deps, given, principal);
  const form = await formToAnchor(deps, receipt, sealed);
  // A sealed form quotes nothing.
  const isQuoting = form.issued && form.usedMemories.length > 0;
  const publish = await publicationFence(deps, { receipt, state, isQuoting }, principal);
  await checkPending(deps);
  await refuseUnprovable(deps, receipt, form.issued);
  const claimed = claimsOf(receipt, claimNamespaces, form.issued);
  const policyVersion = form.issued ? versionOf(receipt, deps.ledger) : "newest";
  const { blobId, digest } = await storeReceipt(deps, receipt, publish, form);
  const wanted = { agentId: receipt.agentId, blobId, digest, claimed, policyVersion };
  const request = await requestBehind(publish, deps, wanted);
  const { receiptId, txDigest, allAuthorized } = await deps.ledger.anchor(request);
  await recordAnchored(deps, {
    answerId: receipt.answerId,
    agentId: form.issued ? receipt.agentId : callerOf(deps),
    details: { blobId, receiptId, txDigest },
  });
  return {
    txDigest,
    receiptId,
    allAuthorized,
    /** Absolute for a public network; a path of our own for the local ledger. */
    explorerUrl: deps.ledger.explorerUrl(txDigest),
    verifyPath: `/verify/${receiptId}`,
    storeBlob: blobId,
    digestHex: digest,
    ...(await storedUntil(deps, blobId, form)),
  };
}

async function requestBehind(publish: PublicationFence, { records, now }: Deps, wanted: ChainAnchorRequest) {
  let request: PendingChainAnchor | undefined;
  await publish(async () => {
    request = await records.chainAnchors.request(wanted, now().toISOString());
  });
  if (request === undefined) throw new PortcullisError("internal", "The fence did not run its action.");
  return request;
}

/**
 * The version of the policy that the answer was made under, as the ledger counts them. When somebody else changes the
 * policy there, it is the one that was last read before the answer.
 */
function versionOf(receipt: ForeignReceipt, ledger: Pick<Ledger, "policyVersion">): number | "newest" {
  const { evidence } = receipt as { readonly evidence?: Readonly<Record<string, unknown>> };
  const { policyVersion, ledgerVersion } = evidence ?? {};
  if (typeof ledgerVersion === "number") return ledgerVersion;
  if (ledger.policyVersion() !== undefined) {
    const message =
      "The policy on the ledger is somebody else's to change, and its version was not known when the answer was made. It can be anchored as a blob.";
    throw new PortcullisError("version-not-on-ledger", message);
  }
  return typeof policyVersion === "number" ? policyVersion : "newest";
}

/** While the ledger does not answer, requests stay on record. There is an end to how many. */
const MOST_PENDING = 1_000;

async function checkPending({ records }: Pick<Deps, "records">): Promise<void> {
  if ((await records.chainAnchors.countPending(MOST_PENDING)) < MOST_PENDING) return;
  throw new PortcullisError("overloaded", `${MOST_PENDING} anchors wait for the ledger. Ask again later.`);
}
