// The layouts of the module as it was in release 0.1.0, where they differ from today's. It judged claims at the moment of
// the anchor, and a receipt said whether the service had issued it.
import { bcs } from "@mysten/sui/bcs";
import { AccessKey, parametersOf, typeName } from "#adapters/ledger/gate-module.ts";
import { commonKinds, fieldKind, kind } from "#adapters/ledger/local/chain/object-kinds.ts";

const Id = bcs.Address;
const Table = bcs.struct("Table", { id: Id, size: bcs.u64() });

export const FormerGate = bcs.struct("Gate", { id: Id, access: Table, version: bcs.u64() });

export const FormerReceipt = bcs.struct("Receipt", {
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

export const FormerReceiptAnchored = bcs.struct("ReceiptAnchored", {
  receipt: Id,
  gate: Id,
  agent: bcs.string(),
  digest: bcs.byteVector(),
  all_authorized: bcs.bool(),
  issued: bcs.bool(),
  policy_version: bcs.u64(),
});

export const FormerAccessField = bcs.struct("Field", { id: Id, name: AccessKey, value: bcs.bool() });

const OBJECT = undefined;

export const FORMER_PARAMETERS = parametersOf({
  set_access: { gate: OBJECT, cap: OBJECT, agent: bcs.string(), namespace: bcs.string(), allowed: bcs.bool() },
  anchor_receipt: {
    gate: OBJECT,
    cap: OBJECT,
    agent: bcs.string(),
    blob_id: bcs.string(),
    digest: bcs.byteVector(),
    claimed: bcs.vector(bcs.string()),
    issued: bcs.bool(),
    clock: OBJECT,
  },
});

export type FormerKinds = ReturnType<typeof formerKindsOf>;

export function formerKindsOf(packageId: string) {
  return {
    ...commonKinds(packageId),
    gate: kind(typeName(packageId, "Gate"), FormerGate),
    receipt: kind(typeName(packageId, "Receipt"), FormerReceipt),
    access: fieldKind(typeName(packageId, "AccessKey"), "bool", AccessKey, FormerAccessField),
  } as const;
}
