// Test data: an anchored receipt with its ledger object, its blob and the blobs of its memories. It is made as an auditor
// would make it, with none of our code.
import type { Observation } from "#core/verify/observation.ts";
import { blobIdOf, digest, sortedJson } from "./reference-encoding.ts";

export const PACKAGE_ID = `0x${"ab".repeat(32)}`;
const GATE_ID = `0x${"9a".repeat(32)}`;
export const RECEIPT_ID = `0x${"7e".repeat(32)}`;
export const TX_DIGEST = "8mZ1u3tq4yKQwVbV9cX5n2sRjD7hF6gLpT3aBeW1oXyZ";

interface Fact {
  readonly namespace: string;
  readonly content: string;
  readonly sourceAgent: string;
}

interface AnchoredOptions {
  readonly agentId?: string;
  readonly facts?: readonly Fact[];
  readonly claimed?: readonly string[];
  readonly blockedNamespaces?: readonly string[];
  /** Fields beyond the specification's. */
  readonly more?: object;
  /** The store's rule for blob ids. By default it is the mock store's. */
  readonly idOf?: (bytes: Uint8Array) => string;
}

export interface AnchoredCase extends Observation {
  readonly object: Exclude<Observation["object"], string> & { readonly receipt: ChainReceiptSeen };
  readonly blob: Uint8Array;
  readonly memories: ReadonlyMap<string, Uint8Array>;
}

type ChainReceiptSeen = NonNullable<Exclude<Observation["object"], string>["receipt"]>;

export const FACTS: readonly Fact[] = [
  { namespace: "diet", content: "Fish on Fridays, never peanuts.", sourceAgent: "cook" },
  { namespace: "travel", content: `Lisbon: ${"a long way to go, ".repeat(20)}and back.`, sourceAgent: "planner" },
];

/** Blob ids that the mock store's rule does not give, like those of Walrus. */
export const walrusLike = (bytes: Uint8Array): string =>
  `W${blobIdOf(Buffer.concat([Buffer.from("w"), bytes])).slice(1)}`;

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A case that verifies: every check passes. */
export function anchored(options: AnchoredOptions = {}): AnchoredCase {
  const { agentId = "assistant", facts = FACTS, blockedNamespaces = ["health"], more = {}, idOf = blobIdOf } = options;
  const namespaces = [...new Set(facts.map(({ namespace }) => namespace))].sort();
  const blobs = facts.map((fact) => utf8(sortedJson(fact)));
  const receipt = {
    answerId: "ans_1",
    agentId,
    usedMemories: facts.map(({ namespace, content }, i) => {
      const storeRef = idOf(blobs[i] ?? new Uint8Array());
      return { namespace, snippet: snippet(content), storeRef, authorized: true, verified: true };
    }),
    blockedNamespaces,
    createdAt: "2026-05-01T10:00:00.000Z",
    ...more,
  };
  const memories = new Map(blobs.map((bytes) => [idOf(bytes), bytes]));
  return anchoredBytes(utf8(sortedJson(receipt)), { agentId, claimed: namespaces, memories, ...options });
}

/** Anchors any bytes, also some that are no receipt. */
export function anchoredBytes(
  blob: Uint8Array,
  {
    agentId = "assistant",
    claimed = [],
    memories = new Map(),
    idOf = blobIdOf,
  }: AnchoredOptions & Partial<AnchoredCase> = {},
): AnchoredCase {
  const receipt = {
    gate: GATE_ID,
    agent: agentId,
    blobId: idOf(blob),
    digest: digest(blob),
    claimed,
    allAuthorized: true,
    policyVersion: "7",
    closedAtMs: 1_777_629_000_000,
    anchoredAtMs: 1_777_629_600_000,
  };
  const object = { objectId: RECEIPT_ID, type: `${PACKAGE_ID}::gate::Receipt`, isFrozen: true, receipt };
  return { receiptId: RECEIPT_ID, packageId: PACKAGE_ID, object, blob, memories };
}

/** The case with other fields in the ledger's object. */
export function withChain(good: AnchoredCase, changes: Partial<ChainReceiptSeen>): AnchoredCase {
  return { ...good, object: { ...good.object, receipt: { ...good.object.receipt, ...changes } as ChainReceiptSeen } };
}

/** The case with another blob under a memory's id. */
export function withMemory(good: AnchoredCase, storeRef: string, fetched: Observation["blob"]): Observation {
  return { ...good, memories: new Map<string, Observation["blob"]>([...good.memories, [storeRef, fetched]]) };
}

/** The first 160 characters, with white space collapsed to one line. */
function snippet(content: string): string {
  const characters = Array.from(content.trim().replace(/\s+/gu, " "));
  return characters.length <= 160 ? characters.join("") : `${characters.slice(0, 160).join("").trimEnd()}…`;
}

/** Statuses by the name of the check. `memory` has one for each used memory, separated by spaces. */
export function statuses(
  checks: readonly { readonly name: string; readonly status: string }[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, status } of checks) found[name] = name in found ? `${found[name]} ${status}` : status;
  return found;
}
