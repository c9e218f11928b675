// The rules of move/sources/gate.move, line by line. The checks have the same order, because clients see which error
// comes first. The differential test (test/move) holds both to the same results.
import { type AbortName, AccessChanged, Cap, LIMITS, ReceiptAnchored } from "#adapters/ledger/gate-module.ts";
import { CallFailure } from "./failure.ts";
import type { Call } from "./move-calls.ts";
import type { PendingChanges, PendingGate } from "./pending-changes.ts";

/** An event. `name` is the name of its Move struct. */
export interface GateEvent {
  readonly name: "AccessChanged" | "ReceiptAnchored";
  readonly bcs: Uint8Array<ArrayBuffer>;
}

/** Runs one call. Returns the event that it emits, if any. */
export function runCall(call: Call, pending: PendingChanges, timestampMs: number): GateEvent | undefined {
  const gate = pending.gate(call.gate);
  check(Cap.parse(call.cap.content).gate === gate.id, "EWrongGate");
  return call.function === "set_access"
    ? setAccess(call, gate, pending)
    : anchorReceipt(call, gate, pending, timestampMs);
}

type SetAccess = Extract<Call, { function: "set_access" }>;

function setAccess(
  { agent, namespace, allowed }: SetAccess,
  gate: PendingGate,
  pending: PendingChanges,
): GateEvent | undefined {
  check(isName(agent), "EInvalidAgent");
  check(isName(namespace), "EInvalidNamespace");

  if (pending.isAllowed(gate, agent, namespace) === allowed) return undefined;

  pending.setAllowed(gate, agent, namespace, allowed);
  gate.version += 1n;
  const event = AccessChanged.serialize({ gate: gate.id, agent, namespace, allowed, version: gate.version });
  return { name: "AccessChanged", bcs: event.toBytes() };
}

type AnchorReceipt = Extract<Call, { function: "anchor_receipt" }>;

function anchorReceipt(
  call: AnchorReceipt,
  gate: PendingGate,
  pending: PendingChanges,
  timestampMs: number,
): GateEvent {
  const { agent, blobId, digest, claimed, issued } = call;
  check(isName(agent), "EInvalidAgent");
  check(isWithin(blobId, LIMITS.blobId), "EInvalidBlobId");
  check(digest.length === LIMITS.digest, "EInvalidDigest");
  check(claimed.length <= LIMITS.claims, "ETooManyClaims");
  check(claimed.every(isName), "EInvalidNamespace");
  check(isAscending(claimed), "EUnorderedClaims");

  const ids = pending.receiptIds(gate, digest, claimed);
  check(!pending.isTaken(ids), "EAlreadyAnchored");

  const verdict = {
    agent,
    digest,
    // As in Move, the evaluation stops at the first namespace that is not allowed.
    all_authorized: claimed.every((namespace) => pending.isAllowed(gate, agent, namespace)),
    issued,
    policy_version: gate.version,
  };
  pending.mint(gate, ids, { ...verdict, blob_id: blobId, claimed, anchored_at_ms: timestampMs });
  const event = ReceiptAnchored.serialize({ receipt: ids.receiptId, gate: gate.id, ...verdict });
  return { name: "ReceiptAnchored", bcs: event.toBytes() };
}

function check(holds: boolean, abort: AbortName): void {
  if (!holds) throw new CallFailure(abort);
}

const isName = (name: string): boolean => isWithin(name, LIMITS.name);

function isWithin(text: string, maxBytes: number): boolean {
  return text !== "" && Buffer.byteLength(text) <= maxBytes;
}

/** Strictly ascending by UTF-8 bytes. JavaScript compares UTF-16, which has another order beyond U+FFFF. */
function isAscending(names: readonly string[]): boolean {
  const bytes = names.map((name) => Buffer.from(name));
  return bytes.every((name, i) => i === 0 || Buffer.compare(bytes[i - 1] as Buffer, name) < 0);
}
