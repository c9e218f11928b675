// An anchored receipt and all that belongs to it, made as an auditor would make it: with none of our code.
import type { Seen } from "#core/verify/verify-receipt.ts";
import { blobIdOf, digest, sortedJson } from "./reference-encoding.ts";

export const PACKAGE_ID = `0x${"ab".repeat(32)}`;
const GATE_ID = `0x${"9a".repeat(32)}`;
export const RECEIPT_ID = `0x${"7e".repeat(32)}`;
export const TX_DIGEST = "8mZ1u3tq4yKQwVbV9cX5n2sRjD7hF6gLpT3aBeW1oXyZ";

export interface FactTold {
  readonly namespace: string;
  readonly content: string;
  readonly sourceAgent: string;
}

export interface Told {
  readonly agentId?: string;
  readonly facts?: readonly FactTold[];
  readonly claimed?: readonly string[];
  readonly blockedNamespaces?: readonly string[];
  /** Fields beyond the specification's. */
  readonly more?: object;
  /** How the store names blobs; the mock store's way unless told. */
  readonly idOf?: (bytes: Uint8Array) => string;
}

export interface AnchoredCase extends Seen {
  readonly object: Exclude<Seen["object"], string> & { readonly receipt: ChainReceiptSeen };
  readonly blob: Uint8Array;
  readonly memories: ReadonlyMap<string, Uint8Array>;
}

type ChainReceiptSeen = NonNullable<Exclude<Seen["object"], string>["receipt"]>;

export const FACTS: readonly FactTold[] = [
  { namespace: "diet", content: "Fish on Fridays, never peanuts.", sourceAgent: "cook" },
  { namespace: "travel", content: `Lisbon: ${"a long way to go, ".repeat(20)}and back.`, sourceAgent: "planner" },
];

/** Ids that cannot be derived from the bytes in a moment, as those of Walrus. */
export const walrusLike = (bytes: Uint8Array): string =>
  `W${blobIdOf(Buffer.concat([Buffer.from("w"), bytes])).slice(1)}`;

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Everything as it should be. */
export function anchored(told: Told = {}): AnchoredCase {
  const { agentId = "assistant", facts = FACTS, blockedNamespaces = ["health"], more = {}, idOf = blobIdOf } = told;
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
  return anchoredBytes(utf8(sortedJson(receipt)), { agentId, claimed: namespaces, memories, ...told });
}

/** These bytes, anchored, whatever they are. */
export function anchoredBytes(
  blob: Uint8Array,
  { agentId = "assistant", claimed = [], memories = new Map(), idOf = blobIdOf }: Told & Partial<AnchoredCase> = {},
): AnchoredCase {
  const receipt = {
    gate: GATE_ID,
    agent: agentId,
    blobId: idOf(blob),
    digest: digest(blob),
    claimed,
    allAuthorized: true,
    issued: true,
    policyVersion: "7",
    anchoredAtMs: 1_777_629_600_000,
  };
  const object = { objectId: RECEIPT_ID, type: `${PACKAGE_ID}::gate::Receipt`, isFrozen: true, receipt };
  return { receiptId: RECEIPT_ID, packageId: PACKAGE_ID, object, blob, memories };
}

/** The same, but for what the object says. */
export function withChain(good: AnchoredCase, changes: Partial<ChainReceiptSeen>): AnchoredCase {
  return { ...good, object: { ...good.object, receipt: { ...good.object.receipt, ...changes } } };
}

/** The same, but for what the store has under a memory's id. */
export function withMemory(good: AnchoredCase, storeRef: string, fetched: Seen["blob"]): Seen {
  return { ...good, memories: new Map<string, Seen["blob"]>([...good.memories, [storeRef, fetched]]) };
}

/** The first 160 characters on one line. */
function snippet(content: string): string {
  const characters = Array.from(content.trim().replace(/\s+/gu, " "));
  return characters.length <= 160 ? characters.join("") : `${characters.slice(0, 160).join("").trimEnd()}…`;
}

/** Statuses by name; `memory` has one for each used memory. */
export function statuses(
  checks: readonly { readonly name: string; readonly status: string }[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, status } of checks) found[name] = name in found ? `${found[name]} ${status}` : status;
  return found;
}
