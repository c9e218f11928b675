// Lies of the ledger, or of the full node that speaks for it: objects that its rules could not have made, or that are not
// what it says. The store is honest.
import type { FetchedObject, Observation } from "#core/verify/observation.ts";
import { type AnchoredOptions, anchored, gateObject, withForgedChain } from "#test/support/anchored-receipt.ts";
import {
  type ChainFields,
  type ClosingFields,
  closingObject,
  fetchedObject,
  GATE_ID,
  gateContent,
  receiptContent,
} from "#test/support/ledger-objects.ts";
import { SERVICE_KEY, signingPair } from "#test/support/signed-receipt.ts";
import { type Forgery, forgery, noProof } from "./forgery.ts";

const good = anchored();
const { receipt } = good.object;
const OTHER_ID = `0x${"7f".repeat(32)}`;

const fields = (name: string, changes: Partial<ChainFields>, code: Forgery["code"]) =>
  forgery(`ledger: ${name}`, withForgedChain(good, changes), code);

const ENDED = { publicKey: SERVICE_KEY.publicKey, addedAtMs: 1, endedAtMs: 1_777_629_700_000 };

const contents = [
  fields("another digest", { digest: "00".repeat(32) }, "id-not-derived"),
  fields("a digest that is short", { digest: "00" }, "object-malformed"),
  fields("no digest", { digest: "" }, "object-malformed"),
  fields("fewer claims", { claimed: ["diet"] }, "id-not-derived"),
  fields("more claims", { claimed: ["diet", "finance", "travel"] }, "id-not-derived"),
  fields("no claims", { claimed: [] }, "id-not-derived"),
  fields("claims in another order", { claimed: ["travel", "diet"] }, "id-not-derived"),
  fields("another policy version", { policyVersion: "8" }, "id-not-derived"),
  fields("the first policy version", { policyVersion: "0", closedAtMs: 0, allAuthorized: false }, "id-not-derived"),
  fields("another gate", { gate: OTHER_ID }, "id-not-derived"),
  fields("another agent", { agent: "companion" }, "agent-differs"),
  fields("no agent", { agent: "" }, "object-malformed"),
  fields("claims that were refused", { allAuthorized: false }, "claims-refused"),
  fields("an anchor before the answer", { anchoredAtMs: 1_777_629_000_000, closedAtMs: 1 }, "answered-after-anchor"),
  fields("an anchor at the beginning of time", { anchoredAtMs: 1, closedAtMs: 1 }, "answered-after-anchor"),
  fields("a version that was closed after the anchor", { closedAtMs: 1_777_629_601_001 }, "closed-after-anchor"),
  fields("a version that had ended before", { closedAtMs: 1, supersededAtMs: 2 }, "policy-superseded"),
  forgery(
    "ledger: an anchor after the end of the key",
    { ...withForgedChain(good, { anchoredAtMs: 2 ** 52 }), gate: gateObject({ keys: [ENDED] }) },
    "key-ended",
  ),
];

/** Objects with the id that follows from them, which the module could not have made. */
const impossible = (name: string, options: AnchoredOptions) =>
  forgery(`ledger: ${name}`, anchored(options), "object-malformed");
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `m${String(i).padStart(2, "0")}`);
const FIRST = { policyVersion: "0", closedAtMs: 0 };

const impossibilities = [
  impossible("version 0, which allows nothing, allowed the claims", { chain: FIRST, evidence: { policyVersion: 0 } }),
  impossible("version 0, closed", {
    chain: { policyVersion: "0", allAuthorized: false },
    evidence: { policyVersion: 0 },
  }),
  impossible("a version that was never closed", { chain: { closedAtMs: 0 } }),
  impossible("a version that ended before it was closed", { chain: { supersededAtMs: 1_777_629_539_999 } }),
  impossible("a version that ended after the anchor", { chain: { supersededAtMs: 1_777_629_601_001 } }),
  impossible("more than 64 claims", { claimed: ["diet", ...names(63), "travel"] }),
  impossible("an empty claim", { claimed: ["", "diet", "travel"] }),
  impossible("a claim that is too long", { claimed: ["diet", "t".repeat(257), "travel"].sort() }),
  impossible("an empty blob id", { chain: { blobId: "" } }),
  impossible("a blob id that is too long", { chain: { blobId: "b".repeat(129) } }),
  impossible("an agent that is too long", { chain: { agent: "é".repeat(129) } }),
];

/** The honest object with other statements about it. */
const said = (name: string, changes: Partial<FetchedObject>, code: Forgery["code"]) =>
  forgery(`ledger: ${name}`, { ...good, object: { ...good.object, ...changes } }, code);

const { content, bcs = new Uint8Array(), digest = "" } = good.object;
const flipped = (bytes: Uint8Array, at: number): Uint8Array => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
const object = (...parts: Parameters<typeof fetchedObject>): FetchedObject => fetchedObject(...parts);
const owned = object(good.receiptId, "Receipt", "other", content);

const statements = [
  said("another id", { objectId: OTHER_ID }, "object-other-id"),
  said("an id that is none", { objectId: "receipt" }, "object-other-id"),
  said("an object that is owned", owned, "object-not-frozen"),
  said("an object that is shared", object(good.receiptId, "Receipt", "shared", content), "object-not-frozen"),
  said("an owned object, called frozen", { ...owned, owner: "immutable" }, "object-bytes-differ"),
  said(
    "an object of another package, called ours",
    { ...object(good.receiptId, "Receipt", "immutable", content, { packageId: OTHER_ID }), type: good.object.type },
    "object-bytes-differ",
  ),
  said(
    "a gate, called a receipt",
    { ...object(good.receiptId, "Gate", "immutable", content), type: good.object.type },
    "object-bytes-differ",
  ),
  said("another transaction", { previousTransaction: digest }, "object-bytes-differ"),
  said("no transaction", { previousTransaction: null }, "object-bytes-differ"),
  said("another digest of the object", { digest: good.object.previousTransaction ?? "" }, "object-digest-differs"),
  said("no digest of the object", { digest: "" }, "object-digest-differs"),
  said("bytes that are none", { bcs: new Uint8Array() }, "object-bytes-differ"),
  said("bytes that are cut off", { bcs: bcs.slice(0, -1) }, "object-bytes-differ"),
  said("bytes with one more", { bcs: Uint8Array.from([...bcs, 0]) }, "object-bytes-differ"),
  said("the bytes of the gate", { bcs: good.gate.bcs }, "object-bytes-differ"),
  said(
    "other contents than the bytes have",
    { content: receiptContent(good.receiptId, { ...receipt, anchoredAtMs: 1_777_629_602_000 }) },
    "object-bytes-differ",
  ),
  said("contents with another id", { content: receiptContent(OTHER_ID, receipt) }, "id-not-derived"),
  said("contents that are cut off", { content: content.slice(0, -1) }, "object-malformed"),
  said("contents with one more byte", { content: Uint8Array.from([...content, 0]) }, "object-malformed"),
  said("no contents", { content: new Uint8Array() }, "object-malformed"),
  said("the contents of the gate", { content: good.gate.content }, "object-malformed"),
  ...[bcs.length - 1, bcs.length - 12, 40].map((at) =>
    said(
      `bytes with another bit at ${at}`,
      { bcs: flipped(bcs, at) },
      at === 40 ? "object-bytes-differ" : at === bcs.length - 1 ? "object-digest-differs" : "object-bytes-differ",
    ),
  ),
  forgery("ledger: no object", { ...good, object: "missing" }, "object-missing"),
  noProof("ledger: no answer", { ...good, object: "unreachable" }, "ledger-unreachable"),
  {
    ...said("no bytes of the whole object", { bcs: undefined }, "object-bytes-absent"),
    status: "unknown" as const,
  },
  forgery(
    "ledger: an object of the package that the service does not name",
    { ...good, packageId: OTHER_ID },
    "object-other-type",
  ),
  forgery("ledger: a package that is no address", { ...good, packageId: "undefined" }, "object-other-type"),
];

const gate = (name: string, seen: Observation["gate"], code: Forgery["code"]): Forgery =>
  forgery(`ledger: ${name}`, { ...good, gate: seen }, code);
const gateBytes = good.gate.bcs ?? new Uint8Array();
const thief = signingPair(66);
const SERVICE = { publicKey: SERVICE_KEY.publicKey, addedAtMs: 1 };

/** This many keys, each of them another one. */
const keys = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const publicKey = new Uint8Array(32);
    new DataView(publicKey.buffer).setUint32(0, i);
    return { publicKey, addedAtMs: 1 };
  });

const gates = [
  gate("no gate", "missing", "gate-missing"),
  { ...gate("no answer about the gate", "unreachable", "gate-unreachable"), status: "unknown" as const },
  { ...gate("keys that nobody could read", "unreachable", "keys-unknown"), status: "unknown" as const },
  gate("another gate than it was asked for", gateObject({ id: OTHER_ID }), "gate-other-id"),
  gate(
    "a gate with the contents of another one",
    fetchedObject(GATE_ID, "Gate", "shared", gateObject({ id: OTHER_ID }).content),
    "gate-malformed",
  ),
  gate(
    "a gate of another package",
    fetchedObject(GATE_ID, "Gate", "shared", good.gate.content, { packageId: OTHER_ID }),
    "gate-other-type",
  ),
  gate("a receipt for a gate", { ...good.object, objectId: GATE_ID }, "gate-other-type"),
  gate("a capability for a gate", fetchedObject(GATE_ID, "PolicyCap", "shared", good.gate.content), "gate-other-type"),
  gate(
    "a gate of another module",
    fetchedObject(GATE_ID, "Gate", "shared", good.gate.content, { module: "date" }),
    "gate-other-type",
  ),
  gate("a gate that is owned", fetchedObject(GATE_ID, "Gate", "other", good.gate.content), "gate-not-shared"),
  gate("a gate that is frozen", fetchedObject(GATE_ID, "Gate", "immutable", good.gate.content), "gate-not-shared"),
  gate(
    "a gate that is cut off",
    fetchedObject(GATE_ID, "Gate", "shared", good.gate.content.slice(0, -1)),
    "gate-malformed",
  ),
  gate("a gate with no contents", fetchedObject(GATE_ID, "Gate", "shared", new Uint8Array()), "gate-malformed"),
  gate("a gate with other bytes", { ...good.gate, bcs: gateBytes.slice(1) }, "gate-bytes-differ"),
  gate("a gate with another digest", { ...good.gate, digest }, "gate-bytes-differ"),
  gate(
    "a gate with keys that its bytes do not have",
    { ...good.gate, content: gateContent({ id: GATE_ID, version: 9, keys: [] }) },
    "gate-bytes-differ",
  ),
  gate(
    "a gate whose keys were replaced",
    gateObject({ keys: [{ publicKey: thief.publicKey, addedAtMs: 1 }] }),
    "key-not-on-gate",
  ),
  gate("a gate without keys", gateObject({ keys: [] }), "key-not-on-gate"),
  gate(
    "a key of other length",
    gateObject({ keys: [SERVICE, { publicKey: thief.publicKey.slice(1), addedAtMs: 1 }] }),
    "gate-malformed",
  ),
  gate("a key twice", gateObject({ keys: [SERVICE, { ...SERVICE, addedAtMs: 2 }] }), "gate-malformed"),
  gate("a key twice, once ended", gateObject({ keys: [SERVICE, { ...SERVICE, endedAtMs: 2 }] }), "gate-malformed"),
  gate("33 keys", gateObject({ keys: [SERVICE, ...keys(32)] }), "gate-malformed"),
  gate("80,000 keys", gateObject({ keys: [SERVICE, ...keys(79_999)] }), "gate-malformed"),
  {
    ...gate("a gate without its bytes", { ...good.gate, bcs: undefined }, "gate-bytes-absent"),
    status: "unknown" as const,
  },
  {
    ...gate("a gate without its digest", { ...good.gate, digest: undefined }, "gate-bytes-absent"),
    status: "unknown" as const,
  },
  { ...gate("a gate that is behind", gateObject({ version: 6 }), "gate-behind"), status: "unknown" as const },
  noProof(
    "ledger: a gate that has not closed the version that ended the receipt's",
    anchored({ chain: { supersededAtMs: 1_777_629_600_000 }, gate: { version: 7 } }),
    "gate-behind",
  ),
];

/** The receipt says one thing of its version, and the gate's own entry another. */
const closed = (name: string, closing: Partial<ClosingFields>, code: Forgery["code"] = "closing-differs") =>
  forgery(`ledger: ${name}`, anchored({ closing }), code);
const entry = (name: string, seen: Partial<FetchedObject>, code: Forgery["code"] = "closing-malformed") =>
  forgery(`ledger: ${name}`, { ...good, closing: { ...good.closing, ...seen } }, code);
const { closedAtMs, anchoredAtMs } = receipt;
const otherVersion = closingObject({ version: "8", closedAtMs });

const closings = [
  fields("a version that was closed years before", { closedAtMs: 1 }, "closing-differs"),
  fields("a version that was closed a moment before", { closedAtMs: closedAtMs - 1 }, "closing-differs"),
  fields("a version that had ended", { supersededAtMs: anchoredAtMs }, "closing-behind"),
  closed("an entry that was closed later", { closedAtMs: closedAtMs + 1 }),
  closed("a version that the entry says had ended before the anchor", { supersededAtMs: anchoredAtMs - 1 }),
  forgery(
    "ledger: a version that ended at another time than its entry says",
    anchored({ chain: { supersededAtMs: anchoredAtMs - 2 }, closing: { supersededAtMs: anchoredAtMs - 1 } }),
    "closing-differs",
  ),
  entry("the entry of another version", otherVersion),
  entry("the bytes of another version’s entry", { bcs: otherVersion.bcs, digest: otherVersion.digest }),
  closed("an entry of another table", { tableId: OTHER_ID }, "closing-malformed"),
  closed("an entry of another package", { packageId: OTHER_ID }, "closing-malformed"),
  closed("an entry of another type", { value: "Change" }, "closing-malformed"),
  entry("a receipt for an entry", { bcs: good.object.bcs, digest: good.object.digest }),
  entry("an entry that is cut off", { bcs: good.closing.bcs?.slice(0, -1) }),
  entry("an entry with another digest", { digest }),
  noProof("ledger: no entry of the version", { ...good, closing: "missing" }, "closing-missing"),
  noProof("ledger: no answer about the version", { ...good, closing: "unreachable" }, "closing-unreachable"),
  noProof(
    "ledger: no bytes of the version’s entry",
    { ...good, closing: { ...good.closing, bcs: undefined } },
    "closing-bytes-absent",
  ),
].map((one): Forgery => (one.code === "closing-behind" ? { ...one, status: "unknown" } : one));

export const ledgerForgeries: Forgery[] = [...contents, ...impossibilities, ...statements, ...gates, ...closings];
