// The rules of move/sources/gate.move, line by line. The checks have the same order, because clients see which error
// comes first. The differential test (test/move) holds both to the same results.
import * as move from "#adapters/ledger/gate-module.ts";
import { CallFailure } from "./failure.ts";
import type { PendingGate, PendingGates, PendingHistory } from "./pending-gates.ts";

export interface GateEvent {
  readonly name: string;
  readonly layout: move.Layout;
  readonly bcs: Uint8Array<ArrayBuffer>;
}

function gateEvent<Input>(
  layout: move.Layout & { readonly name: string; serialize(fields: Input): { toBytes(): Uint8Array<ArrayBuffer> } },
  fields: Input,
): GateEvent {
  return { name: layout.name, layout, bcs: layout.serialize(fields).toBytes() };
}

type Rules = {
  readonly [Name in move.FunctionName]: (
    args: move.PureArguments<Name>,
    gate: PendingGate,
    pending: PendingGates,
    atMs: number,
  ) => GateEvent | undefined;
};

/** Each answers with the event that the call emits, if any, and throws a CallFailure when it aborts. */
export const RULES: Rules = {
  /** Whether the capability is the root's own was checked. */
  new_gate({ key }, root, pending) {
    check(key.length === move.LIMITS.gateKey, "EInvalidGateKey");
    const ids = pending.gateIds(root, key);
    check(!pending.isTaken(ids), "EGateExists");
    pending.make(root, ids);
    return gateEvent(move.GateMade, { gate: ids.objectId, root: root.id });
  },

  use_pseudonyms(_, gate) {
    if (gate.pseudonyms) return undefined;
    check(gate.version === 0n && gate.accessSize === 0n, "EGateInUse");
    gate.pseudonyms = true;
    return undefined;
  },

  set_access({ agent, namespace, allowed, version }, gate, pending) {
    check(isName(agent), "EInvalidAgent");
    check(isName(namespace), "EInvalidNamespace");
    check(version > gate.version, "EVersionClosed");

    const history = pending.history(gate, agent, namespace);
    const next = history === undefined ? firstChange(allowed, version) : changed(history, allowed, version);
    if (next === undefined) return undefined;
    pending.setHistory(gate, agent, namespace, next);
    return gateEvent(move.AccessChanged, { gate: gate.id, agent, namespace, allowed, version });
  },

  close_version({ version }, gate, pending, atMs) {
    check(version > gate.version, "EVersionClosed");
    pending.close(gate, version, atMs);
    return gateEvent(move.VersionClosed, { gate: gate.id, version, closed_at_ms: atMs });
  },

  add_key({ public_key }, gate, _, atMs) {
    check(public_key.length === move.LIMITS.publicKey, "EInvalidKey");
    const found = keyOf(gate, public_key);
    if (found !== undefined) {
      check(found.ended_at_ms === null, "EKeyEnded");
      return undefined;
    }
    check(gate.keys.length < move.LIMITS.keys, "ETooManyKeys");
    gate.keys.push({ public_key: Uint8Array.from(public_key), added_at_ms: String(atMs), ended_at_ms: null });
    return gateEvent(move.KeyAdded, { gate: gate.id, public_key, added_at_ms: atMs });
  },

  end_key({ public_key }, gate, _, atMs) {
    const key = keyOf(gate, public_key);
    if (key === undefined) throw new CallFailure("EUnknownKey");
    if (key.ended_at_ms !== null) return undefined;
    key.ended_at_ms = String(atMs);
    return gateEvent(move.KeyEnded, { gate: gate.id, public_key, ended_at_ms: atMs });
  },

  anchor_receipt({ agent, blob_id, digest, claimed, policy_version }, gate, pending, atMs) {
    check(isName(agent), "EInvalidAgent");
    check(isWithin(blob_id, move.LIMITS.blobId), "EInvalidBlobId");
    check(digest.length === move.LIMITS.digest, "EInvalidDigest");
    check(claimed.length <= move.LIMITS.claims, "ETooManyClaims");
    check(claimed.every(isName), "EInvalidNamespace");
    check(isAscending(claimed), "EUnorderedClaims");
    const closing = pending.closing(gate, policy_version);
    if (closing === undefined) throw new CallFailure("EVersionNotClosed");

    const ids = pending.receiptIds(gate, { digest, claimed, policy_version });
    check(!pending.isTaken(ids), "EAlreadyAnchored");

    const wasAllowed = (namespace: string) => {
      const history = pending.history(gate, agent, namespace);
      return history !== undefined && asOf(history, policy_version);
    };
    // As in Move, the evaluation stops at the first namespace that is not allowed.
    const verdict = { agent, digest, all_authorized: claimed.every(wasAllowed), policy_version };
    pending.mint(gate, ids, { ...verdict, blob_id, claimed, ...closing, anchored_at_ms: atMs });
    return gateEvent(move.ReceiptAnchored, { receipt: ids.objectId, gate: gate.id, ...verdict });
  },

  anchor_checkpoint({ origin, size, root }, gate, pending, atMs) {
    check(isName(origin), "EInvalidOrigin");
    check(root.length === move.LIMITS.digest, "EInvalidDigest");
    check(size > pending.anchoredSize(gate, origin), "ELogNotGrown");
    const tree = { gate: gate.id, origin, size, root };
    const checkpoint = pending.mintCheckpoint(gate, { ...tree, anchored_at_ms: atMs });
    return gateEvent(move.CheckpointAnchored, { checkpoint, ...tree });
  },
};

const firstChange = (allowed: boolean, version: bigint): PendingHistory | undefined =>
  allowed ? { changes: [{ version, allowed }], is_cut: false } : undefined;

/** Undefined when it changes nothing. */
function changed({ changes, is_cut }: PendingHistory, allowed: boolean, version: bigint): PendingHistory | undefined {
  const last = changes.at(-1);
  if (last === undefined) return firstChange(allowed, version);
  check(last.version <= version, "EVersionOutOfOrder");
  if (last.allowed === allowed) return undefined;
  if (last.version === version) return { changes: changes.slice(0, -1), is_cut };
  const isFull = changes.length === move.LIMITS.changes;
  return { changes: [...changes.slice(isFull ? 1 : 0), { version, allowed }], is_cut: is_cut || isFull };
}

const keyOf = ({ keys }: PendingGate, publicKey: Uint8Array) =>
  keys.find(({ public_key }) => Buffer.compare(public_key, publicKey) === 0);

function asOf({ changes, is_cut }: PendingHistory, version: bigint): boolean {
  const last = changes.findLast((change) => change.version <= version);
  if (last !== undefined) return last.allowed;
  check(!is_cut, "EHistoryCut");
  return false;
}

export function check(holds: boolean, abort: move.AbortName): void {
  if (!holds) throw new CallFailure(abort);
}

const isName = (name: string): boolean => isWithin(name, move.LIMITS.name);

const isWithin = (text: string, maxBytes: number): boolean => text !== "" && Buffer.byteLength(text) <= maxBytes;

/** Strictly ascending by UTF-8 bytes. JavaScript compares UTF-16, which has another order beyond U+FFFF. */
function isAscending(names: readonly string[]): boolean {
  const bytes = names.map((name) => Buffer.from(name));
  return bytes.every((name, i) => i === 0 || Buffer.compare(bytes[i - 1] as Buffer, name) < 0);
}
