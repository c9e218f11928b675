// What TypeScript knows of the Move module `portcullis::gate` (move/sources/gate.move): layouts, names, codes, limits.
// Both the Sui adapter and the local ledger speak of the module in these words only.
import { bcs } from "@mysten/sui/bcs";
import { deriveObjectID, normalizeStructTag } from "@mysten/sui/utils";

export const MODULE = "gate";

const Id = bcs.Address;

/** A `Table` is its id and its size; the entries are dynamic fields of that id. */
const Table = bcs.struct("Table", { id: Id, size: bcs.u64() });

export const Gate = bcs.struct("Gate", { id: Id, access: Table, version: bcs.u64() });
export const AccessKey = bcs.struct("AccessKey", { agent: bcs.string(), namespace: bcs.string() });
/** `PolicyCap` and `AnchorCap` are laid out alike. */
export const Cap = bcs.struct("Cap", { id: Id, gate: Id });

export const ReceiptKey = bcs.struct("ReceiptKey", {
  digest: bcs.byteVector(),
  claimed: bcs.vector(bcs.string()),
  policy_version: bcs.u64(),
});

export const Receipt = bcs.struct("Receipt", {
  id: Id,
  gate: Id,
  agent: bcs.string(),
  blob_id: bcs.string(),
  digest: bcs.byteVector(),
  claimed: bcs.vector(bcs.string()),
  all_authorized: bcs.bool(),
  issued: bcs.bool(),
  policy_version: bcs.u64(),
  anchored_at_ms: bcs.u64(),
});

export const AccessChanged = bcs.struct("AccessChanged", {
  gate: Id,
  agent: bcs.string(),
  namespace: bcs.string(),
  allowed: bcs.bool(),
  version: bcs.u64(),
});

export const ReceiptAnchored = bcs.struct("ReceiptAnchored", {
  receipt: Id,
  gate: Id,
  agent: bcs.string(),
  digest: bcs.byteVector(),
  all_authorized: bcs.bool(),
  issued: bcs.bool(),
  policy_version: bcs.u64(),
});

/** By abort code. The module adds at the end and never renumbers. */
export const ABORTS = [
  "EWrongGate",
  "EInvalidAgent",
  "EInvalidNamespace",
  "EInvalidBlobId",
  "EInvalidDigest",
  "ETooManyClaims",
  "EUnorderedClaims",
  "EAlreadyAnchored",
] as const;

export type AbortName = (typeof ABORTS)[number];

/** In bytes, but for `claims`, which is how many. */
export const LIMITS = { name: 256, blobId: 128, digest: 32, claims: 64 } as const;

/** Nodes differ in how they write addresses; compare types as this and `normalizeStructTag` write them. */
export const typeName = (packageId: string, name: string): string =>
  normalizeStructTag(`${packageId}::${MODULE}::${name}`);

/** Where the receipt with this digest and these claims is, or would be, under a version of the gate's policy. */
export function receiptIdOf(
  { packageId, gateId }: { readonly packageId: string; readonly gateId: string },
  key: { readonly digest: Uint8Array; readonly claimed: readonly string[]; readonly policyVersion: bigint },
): string {
  const { digest, claimed, policyVersion } = key;
  const bytes = ReceiptKey.serialize({ digest, claimed: [...claimed], policy_version: policyVersion }).toBytes();
  return deriveObjectID(gateId, typeName(packageId, "ReceiptKey"), bytes);
}
