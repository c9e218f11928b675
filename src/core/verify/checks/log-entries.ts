// The entries of the transparency log in a proof: that of the receipt, of its beginning, of the key that signed it, and of
// what dates tombstones. All are in one tree.
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { readCanonical } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import * as shape from "#core/encoding/json-shape.ts";
import type { GateKey } from "#core/ledger/gate-object.ts";
import { fromBase64 } from "#core/log/base64.ts";
import { type EntryBody, entryOfDisclosed } from "#core/log/entry.ts";
import { isIncluded, leafHash, MOST_HASHES, type Tree } from "#core/log/merkle-tree.ts";
import { CLOCK_TOLERANCE_MS } from "#core/receipt/chain-receipt.ts";
import { digest, time } from "#core/receipt/receipt-rules.ts";
import { signedBytes } from "#core/receipt/sealed-form.ts";
import { keyIdOf, signatureDigestOf } from "#core/receipt/signature.ts";
import { type Check, checkOf } from "#core/verify/check.ts";
import type { SignedForm } from "./evidence.ts";

const ofLog = checkOf("log");

export const MOST_DATED = 512;

const hash = shape.string((text) => (fromBase64(text)?.length === 32 ? undefined : "must be 32 bytes in base64"));
const hashes = shape.listOf(hash, MOST_HASHES);
const entry = shape.exactFields({
  number: shape.count,
  index: shape.count,
  body: shape.anyString,
  salt: digest,
  hashes,
});
const anchored = shape.exactFields({ objectId: shape.matching(/^0x[0-9a-f]{64}$/, "0x and 64 hex digits"), hashes });
const head = { vkey: shape.anyString, checkpoint: shape.anyString };
/** Of other keys, of the end of keys, and of memories that were forgotten. */
const dated = shape.listOf(entry, MOST_DATED);
const withEntries = shape.exactFields({ ...head, entry, opened: entry, key: entry }, { anchored, dated });
const withoutEntries = shape.exactFields(head);

/** As `GET /api/receipts/<answerId>/proof` gives it; without entries when the log has none of the receipt. */
export type LogProof = Partial<shape.Shaped<typeof withEntries>> & shape.Shaped<typeof withoutEntries>;
type ProvenEntry = shape.Shaped<typeof entry>;

export const hasEntries = (value: unknown): value is LogProof => shape.fits(withEntries, value);
export const isLogProof = (value: unknown): value is LogProof => hasEntries(value) || shape.fits(withoutEntries, value);

const body = (fields: Readonly<Record<string, shape.Rule>>, ...kinds: readonly string[]) =>
  shape.exactFields({ at: time, number: shape.count, kind: shape.oneOf(...kinds), ...fields });
const slot = shape.matching(/^[A-Za-z0-9_-]{43}$/, "32 bytes in base64url");
const issued = body({ receipt: digest, signature: digest, slot }, "issued");
const opened = body({ inForce: shape.count, policyVersion: shape.count, slot }, "opened");
const signingKey = (...states: readonly string[]) =>
  body({ publicKey: digest, state: shape.oneOf(...states) }, "signing-key");
const begunKey = signingKey("begun");
/** Of what dates something. */
const dating = [
  signingKey("begun", "ended"),
  body({ memory: digest, tombstone: digest }, "forgotten", "expired"),
  body({ tombstone: digest }, "reset"),
];

export const LARGEST_BODY = 20_000;

/** What the log says of the keys of a service, and of memories that it forgot. */
export interface Dates {
  /** The one that signed the receipt is the first. */
  readonly keys: readonly Pick<GateKey, "keyId" | "publicKey" | "endedAtMs">[];
  /** When a tombstone was entered, by its digest. */
  readonly forgotten: ReadonlyMap<string, number>;
}

/** Of a proof whose entries were checked. The first entry that says something counts. */
export function datesIn({ key, dated = [] }: LogProof): Dates {
  const bodies = [key, ...dated].map((each) => JSON.parse(each?.body ?? "{}") as EntryBody);
  const ends = firsts(bodies.filter(({ state }) => state === "ended").map((end) => [end.publicKey, end]));
  const begun = firsts(bodies.filter(({ state }) => state === "begun").map((begin) => [begin.publicKey, begin]));
  const said = bodies.flatMap(({ tombstone, at }) => (tombstone === undefined ? [] : [[tombstone, at] as const]));
  const keys = [...begun.keys()].map((hex) => {
    const [publicKey, end] = [hexToBytes(hex), ends.get(hex)];
    return { keyId: keyIdOf(publicKey), publicKey, ...(end && { endedAtMs: Date.parse(end.at) }) };
  });
  return { keys, forgotten: new Map([...firsts(said)].map(([tombstone, at]) => [tombstone, Date.parse(at)])) };
}

function firsts<T>(pairs: readonly (readonly [string, T])[]): Map<string, T> {
  const first = new Map<string, T>();
  for (const [name, value] of pairs) if (!first.has(name)) first.set(name, value);
  return first;
}

/** Undefined if nothing is wrong, or there are none. */
export function checkEntries(proof: LogProof, tree: Tree, { form, signature }: SignedForm): Check | undefined {
  const { entry, opened: before, key, dated = [] } = proof;
  if (entry === undefined || before === undefined || key === undefined) return undefined;
  const own = bodyIn(entry, issued);
  const isOurs = own?.receipt === digestHex(signedBytes(form)) && own.signature === signatureDigestOf(signature);
  if (own === undefined || !isOurs) return ofLog.fail("log-entry-differs");
  const begun = bodyIn(before, opened);
  const isBefore = begun !== undefined && begun.number < own.number && begun.at <= own.at && before.index < entry.index;
  if (!isBefore || begun.slot !== own.slot || begun.policyVersion !== form.policyVersion)
    return ofLog.fail("log-opened-differs");
  const made = bodyIn(key, begunKey);
  if (made === undefined || keyIdOf(hexToBytes(made.publicKey)) !== signature.keyId)
    return ofLog.fail("log-key-differs");
  if (key.index >= entry.index) return ofLog.fail("log-key-later");
  if (!dated.every((each) => dating.some((rule) => bodyIn(each, rule) !== undefined)))
    return ofLog.fail("log-dated-differs");
  const { endedAtMs = Number.POSITIVE_INFINITY } = datesIn(proof).keys[0] ?? {};
  if (Date.parse(own.at) > endedAtMs + CLOCK_TOLERANCE_MS) return ofLog.fail("log-key-ended");
  return [entry, before, key, ...dated].every((each) => isIn(tree, each)) ? undefined : ofLog.fail("log-not-included");
}

/** Undefined if the entry's body is none of this kind, or has another number. */
function bodyIn({ body, number }: ProvenEntry, rule: shape.Rule): EntryBody | undefined {
  const reading = readCanonical(utf8ToBytes(body.toWellFormed()), LARGEST_BODY);
  if ("fault" in reading || rule(reading.value) !== undefined) return undefined;
  const read = reading.value as EntryBody;
  return read.number === number ? read : undefined;
}

export const isIn = (tree: Tree, entry: ProvenEntry): boolean =>
  isIncluded(leafHash(entryOfDisclosed(entry)), entry.index, tree, entry.hashes.map(hashOf));

const hashOf = (base64: string): Uint8Array => fromBase64(base64) ?? new Uint8Array();
