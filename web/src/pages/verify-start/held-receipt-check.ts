// Checks a receipt that somebody holds, in this browser. The service is asked for its keys, and where a receipt with this
// digest or this answer id is anchored.
import { hexToBytes } from "@noble/hashes/utils.js";
import { ProblemError } from "#contract/problem.ts";
import type { Reply } from "#contract/routes.ts";
import { orUndefined } from "#core/defined.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { type Check, checkOf } from "#core/verify/check.ts";
import { checkAnchoredText, checkHeldReceipt, type HeldReceipt, type NamedKey } from "#core/verify/held-receipt.ts";
import { fetchBlob } from "#web/api/blob-store.ts";
import { client } from "#web/api/client.ts";
import { fetchServiceInfo } from "#web/api/queries.ts";

export type FoundAnchor = Reply<"findAnchors">["anchors"][number];

export interface HeldCheck {
  readonly checks: readonly Check[];
  /** Of this receipt, those on the ledger first. */
  readonly anchors: readonly FoundAnchor[];
}

const ID = /^[\w.~=-]{1,128}$/;
/** A receipt has a whole and a sealed form. */
const MOST_BLOBS = 4;

export async function checkHeld(held: HeldReceipt, signal: AbortSignal): Promise<HeldCheck> {
  const [keys, found] = await Promise.all([namedKeys(signal), anchorsOf(held, signal)]);
  const { check, anchors } = await compareWithAnchors(held, found, signal);
  return { checks: [...checkHeldReceipt(held, keys), ...(check ? [check] : [])], anchors };
}

/** None if nothing is anchored by this id. Rejects when the service does not answer. */
export async function findAnchors(id: string, signal: AbortSignal): Promise<readonly FoundAnchor[]> {
  try {
    return (await client.findAnchors({ id }, { signal })).anchors;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return [];
    throw error;
  }
}

async function anchorsOf({ digest, answerId }: HeldReceipt, signal: AbortSignal): Promise<readonly FoundAnchor[]> {
  const found = await findAnchors(digest, signal);
  return found.length > 0 || !ID.test(answerId) ? found : findAnchors(answerId, signal);
}

/** Fetches each anchored text and compares it. An anchor of another text is not one of this receipt. */
async function compareWithAnchors(
  held: HeldReceipt,
  found: readonly FoundAnchor[],
  signal: AbortSignal,
): Promise<{ check?: Check; anchors: readonly FoundAnchor[] }> {
  if (found.length === 0) return { anchors: [] };
  const { aggregator } = (await fetchServiceInfo()).blobs;
  const blobIds = [...new Map(found.map(({ blobId, digest }) => [blobId, digest]))].slice(0, MOST_BLOBS);
  const checks = await Promise.all(
    blobIds.map(async ([blobId, digest]): Promise<readonly [string, Check]> => {
      const bytes = await fetchBlob(aggregator, blobId, signal);
      if (typeof bytes === "string") return [blobId, ofDigest.unknown("needs-blob/not-fetched")];
      if (digestHex(bytes) !== digest) return [blobId, ofDigest.unknown("needs-blob/other-bytes")];
      return [blobId, checkAnchoredText(held, bytes)];
    }),
  );
  const same = new Set(checks.flatMap(([blobId, { status }]) => (status === "pass" ? [blobId] : [])));
  const rank = { pass: 0, fail: 1, unknown: 2 } as const;
  const [best] = checks.map(([, check]) => check).sort((a, b) => rank[a.status] - rank[b.status]);
  return { ...(best && { check: best }), anchors: found.filter(({ blobId }) => same.has(blobId)) };
}

const ofDigest = checkOf("digest");

/** Undefined when the service does not name them. */
async function namedKeys(signal: AbortSignal): Promise<readonly NamedKey[] | undefined> {
  const trustRoot = await client.getTrustRoot({ signal }).catch(() => undefined);
  return trustRoot?.keys.flatMap(({ keyId, publicKey, endedAt }) => {
    const bytes = orUndefined(() => hexToBytes(publicKey));
    return bytes === undefined ? [] : [{ keyId, publicKey: bytes, hasEnded: endedAt !== undefined }];
  });
}
