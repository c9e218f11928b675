// Test data: an anchored receipt with its object and gate on the ledger, its blob and the blobs of its memories. It is
// made as an auditor would make it, with none of our code.
import type { FetchedObject, Observation } from "#core/verify/observation.ts";
import {
  type ChainFields,
  type ClosingFields,
  closingObject,
  fetchedObject,
  GATE_ID,
  type GateFields,
  gateContent,
  PACKAGE_ID,
  receiptContent,
  receiptIdOf,
} from "./ledger-objects.ts";
import { blobIdOf, digest, sortedJson } from "./reference-encoding.ts";
import { type Fact, type ReceiptJson, SERVICE_KEY, sealedAndSigned, unsignedReceipt } from "./signed-receipt.ts";

export { PACKAGE_ID, TX_DIGEST } from "./ledger-objects.ts";

export interface AnchoredOptions {
  readonly agentId?: string;
  readonly facts?: readonly Fact[];
  readonly claimed?: readonly string[];
  readonly blockedNamespaces?: readonly string[];
  /** Other values of the evidence. They are signed. */
  readonly evidence?: Readonly<Record<string, unknown>>;
  /** Changes the receipt before it is sealed and signed. */
  readonly alter?: (receipt: ReceiptJson) => ReceiptJson;
  /** The store's rule for blob ids. By default it is the mock store's. */
  readonly idOf?: (bytes: Uint8Array) => string;
  /** Other values on the ledger, whose id follows from them. */
  readonly chain?: Partial<ChainFields>;
  readonly gate?: Partial<GateFields>;
  /** Other values of the version's entry on the gate. By default it says what the receipt says. */
  readonly closing?: Partial<ClosingFields>;
}

/** A day after the anchor. */
const NOW_MS = 1_777_716_000_000;

export interface AnchoredCase extends Observation {
  readonly object: FetchedObject & { readonly receipt: ChainFields };
  readonly gate: FetchedObject;
  readonly closing: FetchedObject;
  readonly blob: Uint8Array;
  readonly memories: ReadonlyMap<string, Uint8Array>;
}

export const FACTS: readonly Fact[] = [
  { namespace: "diet", content: "Fish on Fridays, never peanuts.", sourceAgent: "cook" },
  {
    namespace: "travel",
    content: `Lisbon: ${"a long way to go, ".repeat(20)}and back.`,
    sourceAgent: "planner",
    occurredAt: "2026-05-08",
    metadata: { great: 1e21, half: -0.5, is: true, small: 1e-7, topic: "trip" },
  },
];

/** Blob ids that the mock store's rule does not give, like those of Walrus. */
export const walrusLike = (bytes: Uint8Array): string =>
  `W${blobIdOf(Buffer.concat([Buffer.from("w"), bytes])).slice(1)}`;

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** In the order of UTF-8 bytes. */
const inOrder = (names: Iterable<string>): string[] =>
  [...new Set(names)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** The receipt of a case that verifies: every check passes. */
export function goodReceipt(options: AnchoredOptions = {}): ReceiptJson {
  const { agentId = "assistant", facts = FACTS, blockedNamespaces = ["health"], idOf = blobIdOf } = options;
  const { alter = (receipt: ReceiptJson) => receipt, evidence = {} } = options;
  return sealedAndSigned(alter(unsignedReceipt({ agentId, facts, blockedNamespaces, idOf, evidence })));
}

/** A case that verifies, unless the options say otherwise. */
export function anchored(options: AnchoredOptions = {}): AnchoredCase {
  return anchoredReceipt(goodReceipt(options), options);
}

/** Anchors this receipt, whatever it says, as the service would. */
export function anchoredReceipt(receipt: object, options: AnchoredOptions = {}): AnchoredCase {
  const { agentId = "assistant", facts = FACTS, idOf = blobIdOf } = options;
  const claimed = inOrder(facts.map(({ namespace }) => namespace));
  const blobs = facts.map((fact) => utf8(sortedJson(fact)));
  const memories = new Map(blobs.map((bytes) => [idOf(bytes), bytes]));
  return anchoredBytes(utf8(sortedJson(receipt)), { claimed, memories, ...options, agentId });
}

/** The fields that the specification has, and no others: a receipt of somebody else. */
export function plainReceipt(options: AnchoredOptions = {}): object {
  const { agentId, answerId, blockedNamespaces, createdAt, usedMemories } = goodReceipt(options);
  const memories = usedMemories.map(({ namespace, snippet, storeRef, authorized, verified }) => {
    return { namespace, snippet, storeRef, authorized, verified };
  });
  return { agentId, answerId, blockedNamespaces, createdAt, usedMemories: memories };
}

/** Anchors any bytes, also some that are no receipt. */
export function anchoredBytes(
  blob: Uint8Array,
  {
    agentId = "assistant",
    claimed = [],
    memories = new Map(),
    idOf = blobIdOf,
    chain,
    gate,
    closing,
  }: AnchoredOptions & Pick<Partial<AnchoredCase>, "memories"> = {},
): AnchoredCase {
  const receipt = {
    gate: GATE_ID,
    agent: agentId,
    blobId: idOf(blob),
    digest: digest(blob),
    claimed,
    allAuthorized: true,
    policyVersion: "7",
    closedAtMs: 1_777_629_540_000,
    anchoredAtMs: 1_777_629_601_000,
    ...chain,
  };
  const entry = closingOf(receipt, closing);
  const objects = { ...withFields(receipt), gate: gateObject(gate), closing: entry };
  return { ...objects, packageId: PACKAGE_ID, blob, memories, nowMs: NOW_MS };
}

function closingOf(receipt: ChainFields, changes: Partial<ClosingFields> = {}): FetchedObject {
  const { policyVersion: version, closedAtMs = 0, supersededAtMs } = receipt;
  return closingObject({ version, closedAtMs, supersededAtMs, ...changes });
}

/** The object of a receipt with these fields, under the id that follows from them. */
function withFields(receipt: ChainFields): Pick<AnchoredCase, "receiptId" | "object"> {
  const receiptId = receiptIdOf(receipt);
  const object = fetchedObject(receiptId, "Receipt", "immutable", receiptContent(receiptId, receipt));
  return { receiptId, object: { ...object, receipt } };
}

export function gateObject(fields: Partial<GateFields> = {}): FetchedObject {
  const keys = [{ publicKey: SERVICE_KEY.publicKey, addedAtMs: 1_777_000_000_000 }];
  const all = { id: GATE_ID, version: 9, keys, ...fields };
  return fetchedObject(all.id, "Gate", "shared", gateContent(all));
}

/** The case with other fields in the ledger's object, which has the id that follows from them. */
export function withChain(good: AnchoredCase, changes: Partial<ChainFields>): AnchoredCase {
  const receipt = { ...good.object.receipt, ...changes };
  return { ...good, ...withFields(receipt), closing: closingOf(receipt) };
}

/** The case with other fields in the ledger's object, under the id of the honest one: a lie of the ledger. */
export function withForgedChain(good: AnchoredCase, changes: Partial<ChainFields>): AnchoredCase {
  const receipt = { ...good.object.receipt, ...changes };
  const object = fetchedObject(good.receiptId, "Receipt", "immutable", receiptContent(good.receiptId, receipt));
  return { ...good, object: { ...object, receipt } };
}

/** The case with another blob under a memory's id. */
export function withMemory(good: AnchoredCase, storeRef: string, fetched: Observation["blob"]): Observation {
  return { ...good, memories: new Map<string, Observation["blob"]>([...good.memories, [storeRef, fetched]]) };
}

/** The id of the case that `anchored()` makes. */
export const RECEIPT_ID = anchored().receiptId;

/** Statuses by the name of the check. `memory` has one for each used memory, separated by spaces. */
export function statuses(
  checks: readonly { readonly name: string; readonly status: string }[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, status } of checks) found[name] = name in found ? `${found[name]} ${status}` : status;
  return found;
}
