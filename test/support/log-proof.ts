// Test data: a transparency log of a few entries, and the proof that a receipt is in it, made with none of our code.
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { CHECKPOINT_ID, checkpointObject } from "./ledger-objects.ts";
import { digest, sortedJson } from "./reference-encoding.ts";
import { type ReceiptJson, SERVICE_KEY, type SigningPair, signedBytes } from "./signed-receipt.ts";

const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

/** The key of a log (type 1) or of a witness (type 4), the same one for a byte each time. */
export function noteKey(name: string, type: 1 | 4, byte: number) {
  const head = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = createPrivateKey({ key: Buffer.concat([head, Buffer.alloc(32, byte)]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  const id = sha256(`${name}\n`, Uint8Array.of(type), publicKey).subarray(0, 4);
  const line = (signature: Uint8Array) => `— ${name} ${Buffer.concat([id, signature]).toString("base64")}\n`;
  return {
    name,
    vkey: `${name}+${id.toString("hex")}+${Buffer.from([type, ...publicKey]).toString("base64")}`,
    sign: (text: string) => line(sign(null, Buffer.from(text), key)),
    cosign(text: string, at: string) {
      const seconds = Date.parse(at) / 1_000;
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(BigInt(seconds));
      return line(Buffer.concat([time, sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), key)]));
    },
  };
}

type NoteKey = ReturnType<typeof noteKey>;

export const LOG = noteKey("log.test/answers", 1, 7);
export const WITNESSES = [noteKey("one.test/w", 4, 21), noteKey("two.test/w", 4, 22), noteKey("three.test/w", 4, 23)];
/** Two of three. */
export const POLICY = [
  `log ${LOG.vkey}`,
  ...WITNESSES.map(({ vkey }, i) => `witness w${i} ${vkey}`),
  "group two 2 w0 w1 w2",
  "quorum two",
].join("\n");

const node = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Uint8Array.of(1), left, right);
const entryOf = (salt: string, body: string) => sha256("portcullis/log-entry/v1\n", Buffer.from(salt, "hex"), body);

function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] as Buffer;
  const left = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
  return node(rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)));
}

function pathOf(index: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return [];
  const left = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
  return index < left
    ? [...pathOf(index, leaves.slice(0, left)), rootOf(leaves.slice(left))]
    : [...pathOf(index - left, leaves.slice(left)), rootOf(leaves.slice(0, left))];
}

export const SALT = "5a".repeat(32);
const CREATED = "2026-05-01T10:00:00.000Z";
const COSIGNED = "2026-05-01T10:00:30.000Z";

interface LogOptions {
  /** What the checkpoint says. */
  readonly origin?: string;
  readonly log?: NoteKey;
  /** The time of the entries of the answer. */
  readonly at?: string;
  readonly cosignedAt?: string;
  readonly witnesses?: readonly NoteKey[];
  /** What has each place of the tree: one of the three entries, or a byte for another entry. */
  readonly tree?: readonly ("key" | "opened" | "entry" | number)[];
  /** Bodies of entries behind those, which the proof has as `dated`. */
  readonly dated?: readonly DatedBody[];
}

type DatedBody = Readonly<Record<string, unknown>> & { readonly number: number; readonly at: string };

export const keyBody = (pair: SigningPair, state: "begun" | "ended", at: string): DatedBody => ({
  number: state === "begun" ? 2 : 3,
  at,
  kind: "signing-key",
  publicKey: hex(pair.publicKey),
  state,
});

/** `said` is the tombstone without its signature. */
export const forgottenBody = (said: object, at: string, kind = "forgotten"): DatedBody => ({
  number: 9,
  at,
  kind,
  memory: "4d".repeat(32),
  tombstone: digest(Buffer.from(`portcullis/tombstone/v1\0${sortedJson(said)}`)),
});

/** The same of a reset, whose tombstone names no memory. */
export function resetBody(said: object, at: string): DatedBody {
  const { memory: _, ...body } = forgottenBody(said, at, "reset");
  return body as DatedBody;
}

const provable = (body: DatedBody) => ({ number: body.number, body: sortedJson(body), salt: SALT });

const TREE = ["key", 1, "opened", 2, "entry", 3, 4] as const;

/** The checkpoint over leaves, signed by the log, and cosigned. */
export function checkpointOf(leaves: readonly Buffer[], options: LogOptions = {}): string {
  const { log = LOG, origin = log.name, witnesses = WITNESSES, cosignedAt = COSIGNED } = options;
  const text = `${origin}\n${leaves.length}\n${rootOf(leaves).toString("base64")}\n`;
  return `${text}\n${log.sign(text)}${witnesses.map((witness) => witness.cosign(text, cosignedAt)).join("")}`;
}

export const leafOf = (entry: number | { readonly salt: string; readonly body: string }): Buffer =>
  sha256(Uint8Array.of(0), typeof entry === "number" ? Buffer.alloc(32, entry) : entryOf(entry.salt, entry.body));

/** The entries of a receipt, before they are in a tree. */
function entriesFor(receipt: ReceiptJson, at: string) {
  const message = signedBytes(receipt);
  const { policyVersion } = receipt.evidence;
  const { value: signature } = receipt.signature as { readonly value: string };
  const slot = "s".repeat(43);
  const bodies = {
    key: { number: 1, kind: "signing-key", publicKey: hex(SERVICE_KEY.publicKey), state: "begun" },
    opened: { number: 4, inForce: policyVersion, kind: "opened", policyVersion, slot },
    entry: {
      number: 5,
      kind: "issued",
      receipt: digest(message),
      signature: hex(sha256(Buffer.from(signature, "base64url"))),
      slot,
    },
  };
  const entry = (body: { readonly number: number }) => ({
    number: body.number,
    body: sortedJson({ at, ...body }),
    salt: SALT,
  });
  return { key: entry(bodies.key), opened: entry(bodies.opened), entry: entry(bodies.entry) };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function leavesFor(receipt: ReceiptJson, { tree = TREE, at = CREATED, dated = [] }: LogOptions): Buffer[] {
  const entries = entriesFor(receipt, at);
  return [
    ...tree.map((place) => leafOf(typeof place === "number" ? place : entries[place])),
    ...dated.map((body) => leafOf(provable(body))),
  ];
}

/** The checkpoint on the ledger of the first so many entries, and the proof that the receipt is among them. */
export function anchoredLogOf(receipt: ReceiptJson, size: number, fields: Partial<CheckpointFields> = {}) {
  const leaves = leavesFor(receipt, {}).slice(0, size);
  const anchored = checkpointObject({ origin: LOG.name, size, root: rootOf(leaves), ...fields });
  const hashes = pathOf(TREE.indexOf("entry"), leaves).map((hash) => hash.toString("base64"));
  return { log: { ...logProofOf(receipt), anchored: { objectId: CHECKPOINT_ID, hashes } }, anchored };
}

type CheckpointFields = Parameters<typeof checkpointObject>[0];

/** The proof that this receipt is in the log. */
export function logProofOf(receipt: ReceiptJson, options: LogOptions = {}) {
  const { tree = TREE, log = LOG } = options;
  const entries = entriesFor(receipt, options.at ?? CREATED);
  const leaves = leavesFor(receipt, options);
  const at = (index: number) => ({ index, hashes: pathOf(index, leaves).map((hash) => hash.toString("base64")) });
  const proven = (name: keyof typeof entries) => ({ ...entries[name], ...at(tree.indexOf(name)) });
  const [entry, opened, key] = [proven("entry"), proven("opened"), proven("key")];
  const dated = options.dated?.map((body, i) => ({ ...provable(body), ...at(tree.length + i) }));
  return { vkey: log.vkey, entry, opened, key, checkpoint: checkpointOf(leaves, options), ...(dated && { dated }) };
}
