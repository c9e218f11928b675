// A memory: a short fact in a namespace, from an agent, stored as a public blob.
import { canonicalJson, canonicalJsonWithin } from "./encoding/canonical-json.ts";
import { LIMITS, metadataTextFault, recordedNameFault } from "./encoding/text-validation.ts";

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

type Hashed = Pick<MemoryOnRecord, "encryption" | "contentDigest">;
export const factHashOf = ({ encryption, contentDigest }: Hashed): string => encryption?.factHash ?? contentDigest;

/** The same fact under the same key, or without one. Of memories that have the same one, the first counts. */
export const idOfFact = (memory: Hashed & Pick<MemoryOnRecord, "key">): string =>
  JSON.stringify([factHashOf(memory), memory.key ?? null]);

type StoredFact = Omit<Fact, keyof Details> & StoredDetails;
export const storedFact = ({ content, namespace, sourceAgent, ...details }: StoredFact): Fact => {
  return { content, namespace, sourceAgent, ...storedDetails(details) };
};

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

// What a caller may say of a fact beside its text: when it holds, and named values. Both are part of the blob when given.

type MetadataValue = string | number | boolean;

/** By names that callers chose: one that the service holds has no prototype. */
export type Metadata = Readonly<Record<string, MetadataValue>>;

export interface Details {
  /** When its fact holds: a time in UTC, or a date. */
  readonly occurredAt?: string;
  readonly metadata?: Metadata;
}

export interface GivenDetails {
  readonly occurredAt?: string | undefined;
  readonly metadata?: Metadata | undefined;
}

/** In the form of the blob: times in UTC, and no metadata without a member. */
export function detailsOf({ occurredAt, metadata }: GivenDetails): Details {
  const isMetadata = metadata !== undefined && Object.keys(metadata).length > 0;
  return {
    ...(occurredAt !== undefined && {
      occurredAt: isDate(occurredAt) ? occurredAt : new Date(occurredAt).toISOString(),
    }),
    ...(isMetadata && { metadata: withoutPrototype(metadata) }),
  };
}

export interface StoredDetails {
  readonly occurredAt: string | null;
  /** Canonical JSON. */
  readonly metadata: string | null;
}

export const storedDetails = ({ occurredAt, metadata }: StoredDetails): Details => ({
  ...(occurredAt !== null && { occurredAt }),
  ...(metadata !== null && { metadata: withoutPrototype(JSON.parse(metadata)) }),
});

const withoutPrototype = (metadata: Metadata): Metadata => Object.assign(Object.create(null), metadata);

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

const DAY_MS = 86_400_000;

/** The first and the last millisecond of a date or a time. A date is a day in UTC. */
export function spanOf(text: string): { readonly first: number; readonly last: number } {
  const first = Date.parse(text);
  return { first, last: isDate(text) ? first + DAY_MS - 1 : first };
}

/** What is wrong with metadata, and with which member; undefined if nothing is. */
export function metadataFault(value: object): { readonly path: string[]; readonly why: string } | undefined {
  const members = Object.entries(value);
  if (members.length > LIMITS.metadataMembers)
    return { path: [], why: `must have at most ${LIMITS.metadataMembers} members` };
  for (const [name, member] of members) {
    const why = memberFault(name, member);
    if (why !== undefined) return { path: [name], why };
  }
  if (canonicalJsonWithin(LIMITS.metadataBytes, value) !== undefined) return undefined;
  return { path: [], why: `must have at most ${LIMITS.metadataBytes.toLocaleString("en")} bytes as JSON` };
}

function memberFault(name: string, value: unknown): string | undefined {
  const fault = recordedNameFault(name);
  if (fault !== undefined) return `has a name that ${fault}`;
  if (typeof value === "string") return metadataTextFault(value);
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "is too large a number";
  return typeof value === "boolean" ? undefined : "must be a text, a number or a boolean";
}
