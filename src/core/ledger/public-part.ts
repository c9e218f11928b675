// Which part of the local ledger anyone may read: what a proof needs. The rest tells who may use what.
import { mayReadWholePolicy } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";

/** A receipt, a checkpoint of the log, the gate, which has keys and a version, and when a version was closed. Who may use what is not in them. */
const PUBLIC_TYPE =
  /^(0x[0-9a-f]{64}::gate::(Receipt|Gate|Checkpoint)|0x0{63}2::dynamic_field::Field<(u64,0x[0-9a-f]{64}::gate::Closing|0x[0-9a-f]{64}::gate::LogKey,0x[0-9a-f]{64}::gate::LastCheckpoint)>)$/;

/** A transaction cannot be shown in part, because its digest covers all of its bytes. So it calls nothing but these. */
const PUBLIC_CALLS: ReadonlySet<string> = new Set(["anchor_receipt", "anchor_checkpoint", "add_key", "end_key"]);

export const isPublicObject = ({ type }: { readonly type: string }): boolean => PUBLIC_TYPE.test(type);

export const mayReadObject = (principal: Principal, object: { readonly type: string }): boolean =>
  mayReadWholePolicy(principal) || isPublicObject(object);

interface Calls {
  readonly status: { readonly success: boolean };
  readonly functions: Readonly<Record<string, number>>;
}

export const mayReadTransaction = (principal: Principal, transaction: Calls): boolean =>
  mayReadWholePolicy(principal) || isPublicTransaction(transaction);

/** A transaction that failed has minted nothing, so nobody needs it for a proof. */
function isPublicTransaction({ status, functions }: Calls): boolean {
  const called = Object.keys(functions);
  return status.success && called.length > 0 && called.every((name) => PUBLIC_CALLS.has(name));
}
