// The transparency log of the deployment. A tree is on record before it is signed.
import { createPublicKey, randomBytes, sign } from "node:crypto";
import { concatBytes } from "@noble/hashes/utils.js";
import { untilSuccess } from "#async/coalesce.ts";
import { lruCache } from "#core/collections/lru-cache.ts";
import type { AnchoredCheckpoint } from "#core/ledger/checkpoint-object.ts";
import { checkpointText, parseCheckpoint, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { chainNameOf } from "#core/log/entry.ts";
import * as merkle from "#core/log/merkle-tree.ts";
import { KEY_TYPES, signatureLine, vkeyOf } from "#core/log/signed-note.ts";
import { entryBundle, hashesOf, hasTile, type TileRef, tileOfNode } from "#core/log/tiles.ts";
import type { LogPromise } from "#core/receipt/receipt-rules.ts";
import type { DeploymentRecords, Ledger, LogHead, Placed, PublishedCheckpoint, TenantLog } from "#ports.ts";
import { keyObjectOf } from "#service/receipts/receipt-signer.ts";
import { behind, createWitnesses } from "./witnesses.ts";

/** In one commit, which blocks an SQLite process for a millisecond, or some of them if each was recorded in one of its own. */
const PLACED_AT_ONCE = 1_000;
const CACHED_TILES = 64;
const KEY_BYTES = 32;
const DELAY_MS = 60_000;

export type TransparencyLogService = ReturnType<typeof createTransparencyLog>;

interface Options {
  /** Another one than that on record begins a new log, which names the last checkpoint of the old one. */
  readonly origin?: string | undefined;
  /** Whose cosignatures are asked for, and how many are enough: a policy (C2SP tlog-policy). */
  readonly witnesses?: string | undefined;
  readonly published?: PublishedCheckpoint | undefined;
  /** Within it, a receipt is in the log. */
  readonly delayMs?: number;
}

type LogRecords = Pick<DeploymentRecords, "transparencyLog" | "deploymentLog" | "writeOnce">;

export function createTransparencyLog(
  { transparencyLog: store, deploymentLog, writeOnce }: LogRecords,
  { origin: wanted, witnesses: policy, published: kept, delayMs = DELAY_MS }: Options = {},
) {
  /** What is known of a tile never changes, but a later one may have more. */
  const tiles = lruCache<Subtrees>(CACHED_TILES);
  let knownSize = 0;
  let keptNote: string | null = null;
  /** The last one that the ledger has, as this process knows. */
  let anchored: AnchoredCheckpoint | undefined;

  let opened = untilSuccess(open);

  const known = untilSuccess(async () => {
    const seed = await writeOnce.putIfAbsent("log-key", randomBytes(KEY_BYTES));
    const privateKey = keyObjectOf(seed);
    const encoded = createPublicKey(privateKey).export({ format: "der", type: "spki" });
    const publicKey = Uint8Array.from(encoded.subarray(-KEY_BYTES));
    const own = `portcullis.invalid/${Buffer.from(publicKey).toString("hex").slice(0, 16)}`;
    const name = await store.begin(wanted, own);
    return { privateKey, key: { name, type: KEY_TYPES.signature, publicKey } };
  });

  async function open() {
    const { key, privateKey } = await known();
    const witnesses = policy === undefined ? undefined : createWitnesses(policy, vkeyOf(key));
    const { size } = await store.head();
    await requireNoneAhead(key.name, size);
    await witnesses?.requireNoneAhead(key.name, size);
    return { privateKey, key, witnesses };
  }

  /** Rejects if the tree on record does not continue the last one that was signed here: the database was restored. */
  async function requireNoneAhead(origin: string, size: number): Promise<void> {
    const last = parseCheckpoint(kept?.read() ?? "");
    if (last?.origin !== origin) return;
    const isThere = last.size <= size && Buffer.compare(await merkle.rootOf(last.size, readNode), last.root) === 0;
    if (!isThere) throw behind(size, last.size);
  }

  async function signHead(): Promise<LogHead> {
    const { key, privateKey } = await opened();
    const head = await store.head();
    if (head.note !== null && head.signedSize >= head.size) return keep(head);
    const text = checkpointText({ origin: key.name, size: head.size, root: Buffer.from(head.root, "hex") });
    const note = `${text}\n${signatureLine(key, sign(null, Buffer.from(text), privateKey))}`;
    await store.addNote(head.size, note);
    return keep(await store.head());
  }

  /** Before anyone is given it. The process that signed it may have had no room, or have been killed. */
  function keep(head: LogHead): LogHead {
    if (head.note !== null && head.note !== keptNote) kept?.write(head.note);
    keptNote = head.note;
    return head;
  }

  /** Places all that waits, and signs the tree. Whoever else does so does no harm. Gives the tenants with damaged entries. */
  async function sequence(signal?: AbortSignal): Promise<ReadonlySet<number>> {
    // A new log begins with an entry of its own.
    await opened();
    let last: Placed | undefined;
    // Under load there is always something new. It waits for the next time, and is placed together with more.
    while (!signal?.aborted && last?.mayGoOn !== false) last = await store.integrate(PLACED_AT_ONCE);
    await signHead();
    return last?.damaged ?? new Set();
  }

  /** Has witnesses cosign the newest checkpoint, if there are any. A log that is behind what they know signs nothing more. */
  async function cosign(): Promise<void> {
    const { witnesses } = await opened();
    const { note, signedSize: size, cosignedSize } = await store.head();
    if (witnesses === undefined || note === null || (size <= cosignedSize && cosignedSize > 0)) return;
    const consistency = (from: number) => merkle.consistencyProof(from, size, readNode);
    const cosigned = await witnesses.cosign({ note, size, consistency }).catch((error) => {
      opened = untilSuccess(open);
      throw error;
    });
    if (cosigned !== undefined) await store.addCosignedNote(size, cosigned);
  }

  /** The newest checkpoint that anyone may know: one that enough witnesses cosigned, if there are any. */
  async function published() {
    const head = await signHead();
    knownSize = Math.max(knownSize, head.signedSize);
    if (policy !== undefined && head.cosignedNote !== null) return { note: head.cosignedNote, size: head.cosignedSize };
    return { note: head.note as string, size: head.signedSize };
  }

  const publishedTree = async () => ({ ...(await published()), vkey: vkeyOf((await opened()).key) });

  /** The last checkpoint of a log that this one continues, if it has the entry: what was promised there is shown there. */
  async function earlierTree(origin: string | undefined, index: number) {
    const { key } = await opened();
    if (origin === undefined || origin === key.name) return undefined;
    const ends = (await deploymentLog.ofKind("restored")).map(({ body }) => JSON.parse(body));
    const notes: string[] = ends.flatMap(({ cosigned, checkpoint }) => [cosigned, checkpoint].filter(Boolean));
    const trees = notes.map((note) => ({ note, tree: parseCheckpoint(note) }));
    const found = trees.find(({ tree }) => tree?.origin === origin && tree.size > index);
    return found?.tree && { note: found.note, size: found.tree.size, vkey: vkeyOf({ ...key, name: origin }) };
  }

  /** Has the ledger keep the newest checkpoint, if its last one is smaller, and older than the interval. */
  async function anchor(ledger: Pick<Ledger, "anchorCheckpoint" | "lastCheckpoint">, { at, everyMs }: Interval) {
    const last = await ledger.lastCheckpoint((await known()).key.name);
    const tree = parseCheckpoint((await published()).note) as SignedCheckpoint;
    if (last !== undefined && last.size > tree.size) throw behind(tree.size, last.size);
    const isDue = tree.size > (last?.size ?? 0) && at - (last?.anchoredAtMs ?? 0) >= everyMs;
    anchored = isDue ? await ledger.anchorCheckpoint(tree) : last;
  }

  /** Has the ledger keep how far the tenant's entries go, with its gate: so two auditors of it can compare. */
  async function anchorChain({ records: { log }, ledger }: OfTenant, { at, everyMs }: Interval) {
    const { number, chain } = await log.end();
    const origin = chainNameOf((await known()).key.name);
    if (number > 0) await ledger.anchorChain({ origin, size: number, root: Buffer.from(chain, "hex") }, at - everyMs);
  }

  /** That the entry is in the anchored tree as well, if it is. */
  async function inAnchored(index: number, size: number) {
    if (anchored === undefined || index >= anchored.size || anchored.size > size) return undefined;
    return { objectId: anchored.objectId, hashes: await merkle.inclusionProof(index, anchored.size, readNode) };
  }

  /** By level, what `isThere` asks for in a stored tile. That of level 0 has entries. */
  async function subtreesAt(level: number, number: number, isThere: (known: Subtrees) => boolean): Promise<Subtrees> {
    const name = `${level}/${number}`;
    const known = tiles.get(name);
    if (known !== undefined && isThere(known)) return known;
    const stored = hashesOf((await store.tile({ level, number })) ?? new Uint8Array());
    const subtrees = merkle.completeSubtrees(level === 0 ? stored.map(merkle.leafHash) : stored);
    tiles.put(name, subtrees);
    return subtrees;
  }

  const readNode: merkle.ReadNode = async (nodeLevel, index) => {
    const { level, number, above, place } = tileOfNode(nodeLevel, index);
    const subtrees = await subtreesAt(level, number, (known) => known[above]?.[place] !== undefined);
    const node = subtrees[above]?.[place];
    if (node === undefined) throw new Error(`The tree has no node ${index} of level ${nodeLevel}.`);
    return node;
  };

  return {
    /** What the deployment itself has in it. */
    deployment: deploymentLog,
    /** Before verify.html is served: the log says for ever that it was. */
    async nameVerifier(sha256: string): Promise<void> {
      // A new log begins with an entry of its own.
      await known();
      await store.nameVerifier(sha256);
    },
    sequence,
    cosign,
    anchor,
    anchorChain,
    vkey: async () => vkeyOf((await opened()).key),
    /** For a receipt that is signed now. */
    promise: async (now: Date): Promise<LogPromise> => ({
      by: new Date(now.getTime() + delayMs).toISOString(),
      origin: (await known()).key.name,
    }),
    published,
    /** Undefined if no published checkpoint needs it. */
    async tile({ level, index, width }: TileRef): Promise<Uint8Array<ArrayBuffer> | undefined> {
      if (!hasTile(knownSize, { level, index, width })) await published();
      if (!hasTile(knownSize, { level, index, width })) return undefined;
      if (level !== "entries") {
        const [hashes = []] = await subtreesAt(level, index, ([known = []]) => known.length >= width);
        return Uint8Array.from(concatBytes(...hashes.slice(0, width)));
      }
      const entries = hashesOf((await store.tile({ level: 0, number: index })) ?? new Uint8Array());
      return Uint8Array.from(entryBundle(entries.slice(0, width)));
    },
    /**
     * Proves that the entries are in one tree, and the first also in the tree on the ledger. Undefined if one is not there
     * yet; entries of `more` are then left out.
     */
    async prove<E extends { readonly index: number }>(entries: readonly E[], more: readonly E[] = [], origin?: string) {
      const last = Math.max(...entries.map(({ index }) => index));
      const earlier = await earlierTree(origin, last);
      const { note, size, vkey } = earlier ?? (await publishedTree());
      if (last >= size) return undefined;
      const proven = [...entries, ...more.filter(({ index }) => index < size)].map(async (entry) => ({
        ...entry,
        hashes: await merkle.inclusionProof(entry.index, size, readNode),
      }));
      const [first] = entries;
      const onLedger = earlier === undefined && first && (await inAnchored(first.index, size));
      return { vkey, checkpoint: note, entries: await Promise.all(proven), ...(onLedger && { anchored: onLedger }) };
    },
    /** Undefined if the tree is not as large. */
    async consistency(from: number, to: number): Promise<readonly Uint8Array[] | undefined> {
      const { size } = await published();
      return from > to || to > size ? undefined : merkle.consistencyProof(from, to, readNode);
    },
  };
}

interface OfTenant {
  readonly records: { readonly log: Pick<TenantLog, "end"> };
  readonly ledger: Pick<Ledger, "anchorChain">;
}

type Interval = Readonly<Record<"at" | "everyMs", number>>;
type Subtrees = readonly (readonly Uint8Array[])[];
