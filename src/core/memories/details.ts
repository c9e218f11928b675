// What a caller may say of a fact beside its text: when it holds, and named values. Both are part of the blob when given.
import { canonicalJsonWithin } from "#core/encoding/canonical-json.ts";
import { LIMITS, metadataTextFault, recordedNameFault } from "#core/encoding/text-validation.ts";

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
