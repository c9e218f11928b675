// A memory: a short fact in a namespace, from an agent, stored as a public blob.
import { canonicalJson } from "./encoding/canonical-json.ts";
import { type Details, type GivenDetails, type StoredDetails, storedDetails } from "./memories/details.ts";

/** What a caller sends, and all that the blob holds. */
export interface Fact extends Details {
  readonly namespace: string;
  readonly content: string;
  readonly sourceAgent: string;
}

export type GivenFact = Omit<Fact, keyof Details> & GivenDetails;

export interface Memory extends Fact {
  readonly memoryId: string;
  readonly storeRef: string;
  readonly createdAt: string;
  /** blake2b256 of the blob's bytes, hex. */
  readonly contentDigest: string;
  /** It goes into every prompt of an agent that may use it. Not part of the blob. */
  readonly pinned?: true;
  /** The source agent's own name for the fact, unique in the namespace. Not part of the blob. */
  readonly key?: string;
  /** It is never recalled from this time on. Not part of the blob. */
  readonly expiresAt?: string;
  readonly supersedes?: string;
  /** The id of the memory that took its place. It is history: readable, and never recalled. */
  readonly supersededBy?: string;
  readonly encrypted?: true;
}

/** What a record of an encrypted memory has beside it. Its `content` is then the text of the encrypted blob. */
export interface Encryption {
  /** Of the `ENCRYPTION_KEY` that wraps the memory's key. */
  readonly keyId: string;
  /** The memory's own key, encrypted; base64url. */
  readonly wrappedKey: string;
  /** Finds the same fact again. Keyed, so that it confirms no guess; hex. */
  readonly factHash: string;
}

/** A memory as the store has it. With `encryption` it is encrypted: its content is the text of its encrypted blob. */
export interface MemoryOnRecord extends Omit<Memory, "encrypted"> {
  readonly encryption?: Encryption;
}

export const factHashOf = ({
  encryption,
  contentDigest,
}: Pick<MemoryOnRecord, "encryption" | "contentDigest">): string => encryption?.factHash ?? contentDigest;

/** The same fact under the same key, or without one. Of memories that have the same one, the first counts. */
export const idOfFact = (memory: Pick<MemoryOnRecord, "encryption" | "contentDigest" | "key">): string =>
  JSON.stringify([factHashOf(memory), memory.key ?? null]);

export const storedFact = ({
  content,
  namespace,
  sourceAgent,
  ...details
}: Omit<Fact, keyof Details> & StoredDetails): Fact => ({
  content,
  namespace,
  sourceAgent,
  ...storedDetails(details),
});

const utf8 = new TextEncoder();

/** The text of a fact's blob. The same fact has the same blob, and anyone can derive it. */
export function factText({ content, namespace, sourceAgent, occurredAt, metadata }: Fact): string {
  if (occurredAt !== undefined || metadata !== undefined)
    return canonicalJson({ content, metadata, namespace, occurredAt, sourceAgent });
  const fact = { content, namespace, sourceAgent };
  // These keys are in canonical order already, so JSON.stringify writes the same bytes. Every chat writes a dozen facts.
  const isWellFormed = content.isWellFormed() && namespace.isWellFormed() && sourceAgent.isWellFormed();
  return isWellFormed ? JSON.stringify(fact) : canonicalJson(fact);
}

export const factBytes = (fact: Fact): Uint8Array => utf8.encode(factText(fact));

export interface NamespaceSettings {
  readonly name: string;
  readonly description?: string;
  /** How long memories are kept that do not say it themselves, in seconds. It counts for those captured from then on. */
  readonly retentionSeconds?: number;
  readonly encrypted: boolean;
}
