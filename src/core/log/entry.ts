// What a tenant's log says. An entry is a salted commitment of 32 bytes, and shows neither its kind nor whose it is. Its
// body has the tenant's running number, and a chain of hashes goes through all of a tenant's entries.
import { hexToBytes } from "@noble/hashes/utils.js";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { base64urlOf, bytesToHash, keyedBlake2b256, toHex } from "#core/encoding/digest.ts";
import { sha256Of } from "./sha256.ts";

export type EntryKind =
  | "opened"
  | "issued"
  | "imported"
  | "broken-off"
  | "policy"
  | "signing-key"
  | "api-key"
  | "captured"
  | "superseded"
  | "forgotten"
  | "expired"
  | "anchored"
  | "tenant"
  | "restored"
  | "verifier"
  | "reset";

/** Members of bodies, each of some kinds. Who reads one has checked that it is there, or does not mind. */
export interface EntryBody extends Readonly<Record<"slot" | "receipt" | "signature" | "publicKey" | "state", string>> {
  readonly at: string;
  readonly kind: EntryKind;
  readonly number: number;
  readonly inForce: number;
  readonly policyVersion: number;
  readonly version: number;
  readonly link: string;
  /** Of an API key. */
  readonly key: string;
  /** Of verify.html. */
  readonly sha256: string;
  /** Of `restored`: the last ones that were signed under the name before. */
  readonly checkpoint: string;
  readonly cosigned?: string;
  readonly tombstone?: string;
}

export interface NewEntry {
  readonly kind: EntryKind;
  /** The id of the answer, memory or key; of a reset, its time. */
  readonly about?: string | undefined;
  /** The other members of the body. */
  readonly details?: Readonly<Record<string, string | number>> | undefined;
}

/** The body follows from it, and from the tenant's key. */
export interface RecordedEntry extends NewEntry {
  readonly number: number;
  readonly at: string;
  /** Of `opened`: the version of the policy at this place. */
  readonly inForce?: number | undefined;
}

/** Entries that one commit recorded of a tenant, as they are on record. */
export interface EntryBatch {
  /** The number of the last one. */
  readonly last: number;
  readonly at: string;
  /** The version of the policy. */
  readonly inForce: number | null;
  /** A JSON array of `NewEntry`. */
  readonly entries: string;
}

export function entriesIn({ last, at, inForce, entries }: EntryBatch): RecordedEntry[] {
  const recorded: NewEntry[] = JSON.parse(entries);
  const before = last - recorded.length;
  return recorded.map(({ kind, about, details }, i) => ({
    ...{ kind, about, details, number: before + i + 1, at },
    inForce: kind === "opened" ? (inForce ?? undefined) : undefined,
  }));
}

export const CHAIN_START: Uint8Array = new Uint8Array(32);
const utf8 = new TextEncoder();
const ENTRY_PREFIX = utf8.encode("portcullis/log-entry/v1\n");
const CHAIN_PREFIX = utf8.encode("portcullis/log-chain/v1\n");
const COMMITMENT_PREFIX = utf8.encode("portcullis/log-commitment/v1\n");

/** By the tenant's key, which takes up a block of its own: so it is hashed once. */
const keyedHashes = new WeakMap<Uint8Array, ReturnType<typeof keyedBlake2b256>>();

const keyedHash = (key: Uint8Array, text: string): Uint8Array =>
  getOrInsert(keyedHashes, key, () => keyedBlake2b256(key))(bytesToHash(text));

/** `key` is the tenant's: 32 random bytes. */
export function bodyOf(key: Uint8Array, { number, at, kind, about, details, inForce }: RecordedEntry): string {
  // Members of answers are in canonical order, which is quicker.
  const begin = inForce === undefined ? { at } : { at, inForce };
  return canonicalJson({
    ...begin,
    kind,
    number,
    ...details,
    ...(about !== undefined && hiddenSubject(key, kind, about)),
  });
}

function hiddenSubject(key: Uint8Array, kind: EntryKind, about: string): Readonly<Record<string, string>> {
  switch (kind) {
    case "opened":
    case "issued":
    case "imported":
    case "broken-off":
      return { slot: base64urlOf(keyedHash(key, `slot\n${about}`)) };
    case "api-key":
      return { key: commitmentTo(key, about) };
    case "reset":
      return {};
    default:
      return { memory: commitmentTo(key, about) };
  }
}

/** To a text, for whoever is given the opening with it. */
const commitmentTo = (key: Uint8Array, text: string): string =>
  toHex(sha256Of(COMMITMENT_PREFIX, openingOf(key, text), bytesToHash(text)));

const openingOf = (key: Uint8Array, text: string) => keyedHash(key, `commitment\n${text}`);

export const saltOf = (key: Uint8Array, number: number): Uint8Array => keyedHash(key, `salt\n${number}`);

export const entryOf = (salt: Uint8Array, body: string): Uint8Array => sha256Of(ENTRY_PREFIX, salt, bytesToHash(body));

export const nextChain = (chain: Uint8Array, entry: Uint8Array): Uint8Array => sha256Of(CHAIN_PREFIX, chain, entry);

/** Under which a gate on the ledger has the end of its tenant's chain: a checkpoint, of the last number and the chain. */
export const chainNameOf = (origin: string): string => `${origin}#chain`;

/** What whoever may read the thing is given: with it, anyone can derive the entry. */
export interface DisclosedEntry {
  readonly number: number;
  /** In the tree. */
  readonly index: number;
  readonly body: string;
  readonly salt: string;
}

export const disclosed = (key: Uint8Array, entry: RecordedEntry, index: number): DisclosedEntry => ({
  number: entry.number,
  index,
  body: bodyOf(key, entry),
  salt: toHex(saltOf(key, entry.number)),
});

export const entryOfDisclosed = ({ salt, body }: Pick<DisclosedEntry, "salt" | "body">): Uint8Array =>
  entryOf(hexToBytes(salt), body);
