// The calls of the module `gate`: which arguments each takes, and the rule that it runs.
import { Cap, PARAMETERS } from "#adapters/ledger/gate-module.ts";
import type { Kinds } from "#adapters/ledger/local/chain/object-kinds.ts";
import type { StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import type { BcsReader } from "#core/encoding/bcs.ts";
import type { CallArguments, ExecutableModule, RunCall } from "./executable-module.ts";
import { addKey, anchorReceipt, check, closeVersion, endKey, setAccess, usePseudonyms } from "./gate-rules.ts";
import { createPendingGates, type PendingGates } from "./pending-gates.ts";
import { createPendingObjects } from "./pending-objects.ts";

const VIEWS = new Set([
  ...["was_allowed", "version", "is_closed", "closed_at_ms", "superseded_at_ms", "keys", "receipt_address"],
  "has_pseudonyms",
  ...["gate", "agent", "blob_id", "digest", "claimed", "all_authorized", "policy_version", "receipt_closed_at_ms"],
  ...["receipt_superseded_at_ms", "anchored_at_ms"],
]);

/** The calls that the holder of the PolicyCap makes. */
const OF_POLICY = new Set(["use_pseudonyms", "set_access", "close_version"]);

export function gateModule(kinds: Kinds): ExecutableModule {
  return {
    parameters: PARAMETERS,
    views: VIEWS,
    begin({ state, write, timestampMs }) {
      const objects = createPendingObjects(state, write);
      const pending = createPendingGates(objects, kinds);
      return {
        read: (name, args) => readCall(name, args, kinds, pending, timestampMs),
        contentOf: pending.contentOf,
        changes: objects.changes,
      };
    },
  };
}

function readCall(
  name: string,
  { object, pure }: CallArguments,
  kinds: Kinds,
  pending: PendingGates,
  atMs: number,
): RunCall {
  const gate = object(0, kinds.gate, true);
  const cap = object(1, OF_POLICY.has(name) ? kinds.policyCap : kinds.anchorCap);
  const opened = () => {
    const found = pending.gate(gate);
    check(gateOf(cap) === found.id, "EWrongGate");
    return found;
  };
  switch (name) {
    case "use_pseudonyms":
      return () => usePseudonyms(opened());
    case "set_access": {
      const [agent, namespace, allowed, version] = [pure(2, string), pure(3, string), pure(4, bool), pure(5, u64)];
      return () => setAccess({ agent, namespace, allowed, version }, opened(), pending);
    }
    case "close_version": {
      const version = pure(2, u64);
      object(3, kinds.clock);
      return () => closeVersion(version, opened(), pending, atMs);
    }
    case "add_key":
    case "end_key": {
      const publicKey = pure(2, bytes);
      object(3, kinds.clock);
      const rule = name === "add_key" ? addKey : endKey;
      return () => rule(publicKey, opened(), atMs);
    }
    default: {
      const call = {
        agent: pure(2, string),
        blobId: pure(3, string),
        digest: pure(4, bytes),
        claimed: pure(5, (reader) => reader.vector(() => reader.string())),
        policyVersion: pure(6, u64),
      };
      object(7, kinds.clock);
      return () => anchorReceipt(call, opened(), pending, atMs);
    }
  }
}

export const gateOf = ({ content }: StoredObject): string => Cap.parse(content).gate;

export const string = (reader: BcsReader) => reader.string();
export const bool = (reader: BcsReader) => reader.bool();
export const bytes = (reader: BcsReader) => reader.bytes();
const u64 = (reader: BcsReader) => reader.u64();
