// Anchors receipts: as a blob, and on the ledger.
import { setTimeout as delay } from "node:timers/promises";
import { digestHex } from "#core/encoding/digest.ts";
import { PortcullisError } from "#core/errors.ts";
import { claimsOf } from "#core/receipt/chain-receipt.ts";
import type { AnswerReceipt, ForeignReceipt } from "#core/receipt/receipt.ts";
import { signedReceiptFault } from "#core/receipt/receipt-shape.ts";
import { isSignedBy, keyIdOf } from "#core/receipt/signature.ts";
import type { BlobAnchor, Ledger, PendingChainAnchor } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { callerOf, decisionOf, recordAnchored } from "#service/decisions/decision-log.ts";
import { leaseFor, type StoredUntil, storedUntil } from "#service/memories/memory-blobs.ts";
import type { Tenant } from "#service/tenant.ts";
import { type Publication, preparePublication } from "./anchored-form.ts";

const utf8 = new TextEncoder();

type ToAnchor = Parameters<typeof preparePublication>[1];
type Publisher = Pick<Tenant, "records" | "stored" | "policyMirror" | "settings" | "blobs" | "now">;

/** Stores the receipt's canonical JSON as a blob, open or sealed, and checks whether the blob can be fetched. */
export async function anchor(
  tenant: Publisher,
  given: ToAnchor,
  call: Call,
): Promise<{ blobId: string; verified: boolean } & StoredUntil> {
  const publication = await preparePublication(tenant, given, call.principal);
  const { blobId } = await storeReceipt(tenant, publication, call);
  const until = await storedUntil(tenant, blobId, publication.form);
  return { blobId, verified: await canBeFetched(tenant, blobId), ...until };
}

/** Retries, because an aggregator's cache may miss a blob for a while after it was stored. */
const FETCH_DELAYS_MS = [0, 250, 500, 1_000] as const;

async function canBeFetched({ blobs }: Pick<Tenant, "blobs">, blobId: string): Promise<boolean> {
  for (const ms of FETCH_DELAYS_MS) {
    if (ms > 0) await delay(ms);
    if ((await blobs.get(blobId).catch(() => undefined)) !== undefined) return true;
  }
  return false;
}

/** Any well-formed receipt, ours or not. The blob comes first: a crash between leaves a blob that nobody refers to. */
async function storeReceipt(
  tenant: Pick<Tenant, "records" | "policyMirror" | "blobs" | "now">,
  { receipt, publish, form: { body, issued } }: Publication,
  call: Call,
): Promise<BlobAnchor> {
  const { blobs, records, now } = tenant;
  const { answerId } = receipt;
  const bytes = utf8.encode(body);
  const blob = await blobs.put(bytes, { fence: publish });
  const anchoredAt = now().toISOString();
  const anchored = { blobId: blob.blobId, digest: digestHex(bytes), answerId, issued, anchoredAt, body };
  const agentId = issued ? receipt.agentId : callerOf(call);
  const decision = decisionOf(tenant, call, {
    outcome: "anchored",
    answerId,
    agentId,
    details: { blobId: blob.blobId },
  });
  await publish(() => records.anchors.add(anchored, leaseFor(blob, blobs, anchoredAt), decision));
  return anchored;
}

/** Once the request is on record the anchor will be made: if this process ends first, by the next one. */
export async function anchorOnChain(
  tenant: Publisher & Pick<Tenant, "ledger">,
  { claimNamespaces, ...given }: ToAnchor & { readonly claimNamespaces?: readonly string[] | undefined },
  call: Call,
) {
  const publication = await preparePublication(tenant, given, call.principal);
  const { receipt, form, publish } = publication;
  await checkPending(tenant);
  await refuseUnprovable(tenant, receipt, form.issued);
  const claimed = claimsOf(receipt, claimNamespaces, form.issued);
  const policyVersion = form.issued ? versionOf(receipt, tenant.ledger) : "newest";
  const { blobId, digest } = await storeReceipt(tenant, publication, call);
  const wanted = { agentId: receipt.agentId, blobId, digest, claimed, policyVersion };
  let request: PendingChainAnchor | undefined;
  await publish(async () => {
    request = await tenant.records.chainAnchors.request(wanted, tenant.now().toISOString());
  });
  if (request === undefined) throw new PortcullisError("internal", "The fence did not run its action.");
  const { receiptId, txDigest, allAuthorized } = await tenant.ledger.anchor(request);
  await recordAnchored(tenant, call, {
    answerId: receipt.answerId,
    agentId: form.issued ? receipt.agentId : callerOf(call),
    details: { blobId, receiptId, txDigest },
  });
  return {
    txDigest,
    receiptId,
    allAuthorized,
    /** Absolute for a public network; a path of our own for the local ledger. */
    explorerUrl: tenant.ledger.explorerUrl(txDigest),
    verifyPath: `/verify/${receiptId}`,
    storeBlob: blobId,
    digestHex: digest,
    ...(await storedUntil(tenant, blobId, form)),
  };
}

/** Of the answer's policy, as the ledger counts them. Of somebody else's, the one last read before the answer. */
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

async function checkPending({ records }: Pick<Tenant, "records">): Promise<void> {
  if ((await records.chainAnchors.countPending(MOST_PENDING)) < MOST_PENDING) return;
  throw new PortcullisError("overloaded", `${MOST_PENDING} anchors wait for the ledger. Ask again later.`);
}

// Refuses to anchor a receipt of the service's own whose proof would look like a forgery.

type Known = Pick<Tenant, "records" | "ledger">;

/** Rejects when the key has ended, or when nobody knows any more under which policy the receipt was made. */
async function refuseUnprovable(tenant: Known, receipt: ForeignReceipt, isIssued: boolean): Promise<void> {
  const signed = receipt as AnswerReceipt;
  const isWithheld = signed.usedMemories.some(({ snippet }) => snippet === undefined);
  if (!isWithheld && signedReceiptFault(receipt) !== undefined) return;
  const key = await keyNamed(tenant, signed.signature.keyId);
  // What is on record word for word is ours. To check a signature takes milliseconds, and anchors come by the hundred.
  const isOurs = key !== undefined && (isIssued || isSignedBy(signed, key.publicKey));
  if (!isOurs) return;
  if (key.hasEnded) throw new PortcullisError("signing-key-ended", ENDED);
  if (!isIssued) throw new PortcullisError("receipt-not-on-record", NOT_ON_RECORD);
}

const ENDED =
  "The key that signed this receipt has ended, and nothing that is anchored later counts as signed by it. It can be anchored as a blob.";
const NOT_ON_RECORD =
  "This service signed the receipt, but has no record of it any more: it was pruned, or the database was restored from a backup. It can be anchored as a blob.";

async function keyNamed({ records, ledger }: Known, keyId: string) {
  const recorded = (await records.signingKeys.list()).find((key) => key.keyId === keyId);
  if (recorded !== undefined) return { publicKey: recorded.publicKey, hasEnded: recorded.endedAt !== undefined };
  const onGate = (await ledger.keys()).map(({ publicKey, endedAtMs }) => ({
    publicKey: Uint8Array.from(Buffer.from(publicKey, "hex")),
    hasEnded: endedAtMs !== undefined,
  }));
  return onGate.find(({ publicKey }) => keyIdOf(publicKey) === keyId);
}
