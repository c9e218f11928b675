// The rules of move/sources/gate.move, line by line: the order of the checks is the order there, because which error
// comes first is something that clients see. test/differential.ts holds both to the same results.
import { type AbortName, AccessChanged, Cap, LIMITS, ReceiptAnchored } from "#adapters/ledger/gate-module.ts";
import type { Call } from "./calls.ts";
import type { Draft, GateDraft } from "./draft.ts";
import { MoveAbort } from "./failure.ts";

/** An event by the name of its Move struct. */
export interface GateEvent {
  readonly name: "AccessChanged" | "ReceiptAnchored";
  readonly bcs: Uint8Array<ArrayBuffer>;
}

/** Runs one call. Answers with the event that it emits, if it does. */
export function runCall(call: Call, draft: Draft, timestampMs: number): GateEvent | undefined {
  const gate = draft.gate(call.gate);
  check(Cap.parse(call.cap.content).gate === gate.id, "EWrongGate");
  return call.function === "set_access" ? setAccess(call, gate, draft) : anchorReceipt(call, gate, draft, timestampMs);
}

type SetAccess = Extract<Call, { function: "set_access" }>;

function setAccess({ agent, namespace, allowed }: SetAccess, gate: GateDraft, draft: Draft): GateEvent | undefined {
  check(isName(agent), "EInvalidAgent");
  check(isName(namespace), "EInvalidNamespace");

  if (draft.isAllowed(gate, agent, namespace) === allowed) return undefined;

  draft.setAllowed(gate, agent, namespace, allowed);
  gate.version += 1n;
  const event = AccessChanged.serialize({ gate: gate.id, agent, namespace, allowed, version: gate.version });
  return { name: "AccessChanged", bcs: event.toBytes() };
}

type AnchorReceipt = Extract<Call, { function: "anchor_receipt" }>;

function anchorReceipt(call: AnchorReceipt, gate: GateDraft, draft: Draft, timestampMs: number): GateEvent {
  const { agent, blobId, digest, claimed, issued } = call;
  check(isName(agent), "EInvalidAgent");
  check(isWithin(blobId, LIMITS.blobId), "EInvalidBlobId");
  check(digest.length === LIMITS.digest, "EInvalidDigest");
  check(claimed.length <= LIMITS.claims, "ETooManyClaims");
  check(claimed.every(isName), "EInvalidNamespace");
  check(isAscending(claimed), "EUnorderedClaims");

  const place = draft.placeOf(gate, digest, claimed);
  check(!draft.isTaken(place), "EAlreadyAnchored");

  const verdict = {
    agent,
    digest,
    // As in Move, the first namespace that is not allowed ends the search.
    all_authorized: claimed.every((namespace) => draft.isAllowed(gate, agent, namespace)),
    issued,
    policy_version: gate.version,
  };
  draft.mint(gate, place, { ...verdict, blob_id: blobId, claimed, anchored_at_ms: timestampMs });
  const event = ReceiptAnchored.serialize({ receipt: place.receiptId, gate: gate.id, ...verdict });
  return { name: "ReceiptAnchored", bcs: event.toBytes() };
}

function check(holds: boolean, abort: AbortName): void {
  if (!holds) throw new MoveAbort(abort);
}

const isName = (name: string): boolean => isWithin(name, LIMITS.name);

function isWithin(text: string, maxBytes: number): boolean {
  return text !== "" && Buffer.byteLength(text) <= maxBytes;
}

/** Strictly, by UTF-8 bytes; JavaScript would compare UTF-16, which has another order beyond U+FFFF. */
function isAscending(names: readonly string[]): boolean {
  const bytes = names.map((name) => Buffer.from(name));
  return bytes.every((name, i) => i === 0 || Buffer.compare(bytes[i - 1] as Buffer, name) < 0);
}
