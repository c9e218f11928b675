// A memory: a short fact in a namespace, from an agent, stored as a public blob.
import { canonicalJson } from "./encoding/canonical-json.ts";

/** What a caller sends, and all that the blob holds. */
export interface Fact {
  readonly namespace: string;
  readonly content: string;
  readonly sourceAgent: string;
}

export interface Memory extends Fact {
  readonly memoryId: string;
  /** The blob id that the blob store gave. */
  readonly storeRef: string;
  readonly createdAt: string;
  /** blake2b256 of the blob's bytes, hex. */
  readonly contentDigest: string;
  /** It goes into every prompt of an agent that may use it. Not part of the blob. */
  readonly pinned?: true;
  /** Its blob is encrypted. */
  readonly sealed?: true;
}

const utf8 = new TextEncoder();

/** The text of a fact's blob. The same fact has the same blob, and anyone can derive it. */
export function factText({ content, namespace, sourceAgent }: Fact): string {
  const fact = { content, namespace, sourceAgent };
  // These keys are in canonical order already, so JSON.stringify writes the same bytes. Every chat writes a dozen facts.
  const isWellFormed = content.isWellFormed() && namespace.isWellFormed() && sourceAgent.isWellFormed();
  return isWellFormed ? JSON.stringify(fact) : canonicalJson(fact);
}

export function factBytes(fact: Fact): Uint8Array {
  return utf8.encode(factText(fact));
}
