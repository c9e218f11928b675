// The rules of the module as it was in release 0.1.0, to execute its recorded transactions again with the same results.
import { AccessChanged, AccessKey, LIMITS, ReceiptKey } from "#adapters/ledger/gate-module.ts";
import { fieldIdsOf, idBytes } from "#adapters/ledger/local/chain/derived-ids.ts";
import { ClaimedField } from "#adapters/ledger/local/chain/object-kinds.ts";
import { childOf, IMMUTABLE, type StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import {
  type CallArguments,
  type ExecutableModule,
  gateEvent,
  type ModuleContext,
  type ModuleSession,
  type RunCall,
} from "#adapters/ledger/local/execution/executable-module.ts";
import { bool, bytes, gateOf, string } from "#adapters/ledger/local/execution/gate-calls.ts";
import { check, isAscending, isName, isWithin } from "#adapters/ledger/local/execution/gate-rules.ts";
import { createPendingObjects } from "#adapters/ledger/local/execution/pending-objects.ts";
import {
  FORMER_PARAMETERS,
  FormerAccessField,
  FormerGate,
  type FormerKinds,
  FormerReceipt,
  FormerReceiptAnchored,
} from "./former-module.ts";

export function formerGateModule(kinds: FormerKinds): ExecutableModule {
  return { parameters: FORMER_PARAMETERS, views: new Set(), begin: (context) => begin(kinds, context) };
}

/** There was one gate. */
function begin(kinds: FormerKinds, { state, write, timestampMs }: ModuleContext): ModuleSession {
  const objects = createPendingObjects(state, write);
  let pending: ReturnType<typeof openGate> | undefined;

  function opened(gate: StoredObject, cap: StoredObject) {
    pending ??= openGate(gate, kinds);
    check(gateOf(cap) === pending.id, "EWrongGate");
    return pending;
  }

  function setAccess(args: CallArguments, gate: StoredObject): RunCall {
    const cap = args.object(1, kinds.policyCap);
    const [agent, namespace, allowed] = [args.pure(2, string), args.pure(3, string), args.pure(4, bool)];
    return () => {
      const on = opened(gate, cap);
      check(isName(agent), "EInvalidAgent");
      check(isName(namespace), "EInvalidNamespace");
      const id = on.accessIdOf(AccessKey.serialize({ agent, namespace }).toBytes());
      if ((objects.field(id) !== undefined) === allowed) return undefined;
      const field = FormerAccessField.serialize({ id, name: { agent, namespace }, value: true }).toBytes();
      if (allowed) objects.write(id, kinds.access, childOf(on.accessId), field);
      else objects.remove(id);
      on.size += allowed ? 1n : -1n;
      on.version += 1n;
      return gateEvent(AccessChanged, { gate: on.id, agent, namespace, allowed, version: on.version });
    };
  }

  function anchorReceipt(args: CallArguments, gate: StoredObject): RunCall {
    const cap = args.object(1, kinds.anchorCap);
    const [agent, blobId, digest] = [args.pure(2, string), args.pure(3, string), args.pure(4, bytes)];
    const claimed = args.pure(5, (reader) => reader.vector(() => reader.string()));
    const issued = args.pure(6, bool);
    args.object(7, kinds.clock);
    return () => {
      const on = opened(gate, cap);
      check(isName(agent), "EInvalidAgent");
      check(isWithin(blobId, LIMITS.blobId), "EInvalidBlobId");
      check(digest.length === LIMITS.digest, "EInvalidDigest");
      check(claimed.length <= LIMITS.claims, "ETooManyClaims");
      check(claimed.every(isName), "EInvalidNamespace");
      check(isAscending(claimed), "EUnorderedClaims");
      const receipt = on.receiptIdOf(ReceiptKey.serialize({ digest, claimed, policy_version: on.version }).toBytes());
      const markerId = on.markerIdOf(idBytes(receipt));
      check(objects.field(markerId) === undefined, "EAlreadyAnchored");
      const isAllowed = (namespace: string) =>
        objects.field(on.accessIdOf(AccessKey.serialize({ agent, namespace }).toBytes())) !== undefined;
      const verdict = { agent, digest, all_authorized: claimed.every(isAllowed), issued, policy_version: on.version };
      const marker = ClaimedField.serialize({ id: markerId, name: { pos0: receipt }, value: { Reserved: true } });
      objects.write(markerId, kinds.claimed, childOf(on.id), marker.toBytes());
      const fields = { id: receipt, gate: on.id, ...verdict, blob_id: blobId, claimed, anchored_at_ms: timestampMs };
      objects.write(receipt, kinds.receipt, IMMUTABLE, FormerReceipt.serialize(fields).toBytes());
      return gateEvent(FormerReceiptAnchored, { receipt, gate: on.id, ...verdict });
    };
  }

  return {
    read(name, args) {
      const gate = args.object(0, kinds.gate, true);
      return name === "set_access" ? setAccess(args, gate) : anchorReceipt(args, gate);
    },
    contentOf({ objectId, content }) {
      if (pending?.id !== objectId) return content;
      const { id, accessId, size, version } = pending;
      return FormerGate.serialize({ id, access: { id: accessId, size }, version }).toBytes();
    },
    changes: objects.changes,
  };
}

function openGate({ objectId: id, content }: StoredObject, kinds: FormerKinds) {
  const { access, version } = FormerGate.parse(content);
  return {
    id,
    accessId: access.id,
    size: BigInt(access.size),
    version: BigInt(version),
    accessIdOf: fieldIdsOf(access.id, kinds.access.nameTag),
    receiptIdOf: fieldIdsOf(id, kinds.receiptKey),
    markerIdOf: fieldIdsOf(id, kinds.claimed.nameTag),
  };
}
