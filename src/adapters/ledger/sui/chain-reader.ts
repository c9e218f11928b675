// Reads the chain: single objects, and what a transaction needs: the gate, the capabilities, and the coins to pay with.
import { bcs } from "@mysten/sui/bcs";
import { type CoreClient, ObjectError, type SuiClientTypes } from "@mysten/sui/client";
import { deriveDynamicFieldID, normalizeStructTag } from "@mysten/sui/utils";
import { AccessField, Cap, ClosedField, Gate, type GateIds, MODULE, typeName } from "#adapters/ledger/gate-module.ts";
import { mapAll } from "#async/map-in-order.ts";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { RuleChange } from "#core/gate/policy.ts";
import { type AnchoredCheckpoint, readAnchoredCheckpoint, readLogField } from "#core/ledger/checkpoint-object.ts";
import { logFieldIdOf, readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { AnchorToJudge } from "#core/verify/next-fetches.ts";
import type { PolicyHolder } from "#core/verify/observation.ts";
import type { LedgerKey, LedgerObject } from "#ports.ts";
import { type GasFunds, type ObjectRef, readGasFunds } from "./commit/payment.ts";

export interface GateState {
  readonly version: number;
  readonly initialSharedVersion: string;
  readonly accessId: string;
  /** It was told nothing of a policy. */
  readonly isEmpty: boolean;
  readonly pseudonyms: boolean;
  readonly closedId: string;
  readonly keys: readonly LedgerKey[];
}

export interface ChainState extends GateState {
  readonly anchorCap: ObjectRef;
  /** Absent when somebody else holds it. Then the policy on the chain is theirs to change. */
  readonly policyCap?: ObjectRef;
  readonly gas: GasFunds;
  readonly previousTransaction: string | null;
}

export type ChainReader = ReturnType<typeof createChainReader>;

/** `node` names the full node in errors. It has no credentials. */
export function createChainReader(client: CoreClient, ids: GateIds, owner: string, readMs: number, node?: string) {
  const who = node === undefined ? "The ledger" : `The full node ${node}`;
  const unavailable = (advice: string, cause?: unknown) =>
    new PortcullisError("ledger-unavailable", `${who} does not answer. ${advice}`, { cause });
  const unavailableError = (cause?: unknown) => unavailable("The anchor is on record; ask again.", cause);
  let latestDigest: string | undefined;

  const rootId = ids.rootId ?? ids.gateId;

  async function readState(gateId: string, signal: AbortSignal): Promise<ChainState> {
    const [{ object }, anchorCap, policyCap, gas] = await Promise.all([
      client.getObject({ objectId: gateId, include: { content: true, previousTransaction: true }, signal }),
      findCap(client, ids, { owner, signal }, "AnchorCap"),
      findCap(client, ids, { owner, signal }, "PolicyCap"),
      readGasFunds(client, { owner, signal }),
    ]);
    const gate = decodeGate(object, { ...ids, gateId });
    if (anchorCap === undefined) {
      throw new PortcullisError("ledger-refused", `${owner} does not hold the AnchorCap of the gate ${rootId}.`);
    }
    return {
      ...gate,
      previousTransaction: object.previousTransaction,
      anchorCap,
      ...(policyCap !== undefined && { policyCap }),
      gas,
    };
  }

  /** Whatever reads page after page passes the signal on: otherwise it would go on behind its deadline. */
  const orUnavailable = <T>(read: (signal: AbortSignal) => Promise<T>, ms = readMs): Promise<T> =>
    withDeadline(ms, ({ signal }) => read(signal)).catch((error) => {
      throw error instanceof PortcullisError ? error : unavailableError(error);
    });

  async function awaitLatest(): Promise<void> {
    if (latestDigest === undefined) return;
    await client.waitForTransaction({ digest: latestDigest, timeout: readMs }).catch(() => undefined);
    latestDigest = undefined;
  }

  async function find(objectId: string): Promise<LedgerObject | undefined> {
    try {
      const include = { content: true, objectBcs: true, previousTransaction: true } as const;
      const { object } = await withDeadline(readMs, ({ signal }) => client.getObject({ objectId, include, signal }));
      return ledgerObject(object);
    } catch (cause) {
      if (cause instanceof ObjectError && cause.reason !== "unknown") return undefined;
      throw unavailable("Try again shortly.", cause);
    }
  }

  return {
    unavailableError,

    async read(): Promise<ChainState> {
      await awaitLatest();
      return orUnavailable((signal) => readState(ids.gateId, signal));
    },

    readRoot: (): Promise<ChainState> => orUnavailable((signal) => readState(rootId, signal)),

    async hasGate(): Promise<boolean> {
      await awaitLatest();
      return (await find(ids.gateId)) !== undefined;
    },

    readGate: (): Promise<GateState> =>
      orUnavailable(async (signal) => {
        const { object } = await client.getObject({ objectId: ids.gateId, include: { content: true }, signal });
        return decodeGate(object, ids);
      }),

    /** When the gate closed the version after this one; undefined when it did not, or did not close this one. */
    supersededAt({ closedId }: Pick<GateState, "closedId">, version: number): Promise<number | undefined> {
      const objectId = deriveDynamicFieldID(closedId, "u64", bcs.u64().serialize(version).toBytes());
      return orUnavailable(async (signal) => {
        const { objects } = await client.getObjects({ objectIds: [objectId], include: { content: true }, signal });
        const [field] = objects;
        if (field === undefined || field instanceof Error) return undefined;
        const { superseded_at_ms } = ClosedField.parse(field.content).value;
        return superseded_at_ms === null ? undefined : Number(superseded_at_ms);
      });
    },

    /** The last anchored checkpoint of a log. */
    async lastCheckpoint(origin: string): Promise<AnchoredCheckpoint | undefined> {
      await awaitLatest();
      const field = await find(logFieldIdOf({ ...ids, origin }));
      const object = field && (await find(readLogField(field.content) ?? ""));
      return object && readAnchoredCheckpoint(object.content);
    },

    /** Makes the next read wait for this transaction: a node may return its effects before it shows its objects. */
    readAfter(txDigest: string): void {
      latestDigest = txDigest;
    },

    /** The module makes one `PolicyCap` of a package, so whoever does not hold it is not its holder. */
    async policyHolder({ txDigest, packageId }: AnchorToJudge): Promise<PolicyHolder> {
      return orUnavailable(async (signal) => {
        const result = await client.getTransaction({ digest: txDigest, include: { transaction: true }, signal });
        const signer = (result.Transaction ?? result.FailedTransaction).transaction.sender;
        if (signer == null) throw unavailable("Try again shortly.");
        const type = typeName(packageId, "PolicyCap");
        const { objects } = await client.listOwnedObjects({ owner: signer, type, signal });
        return objects.length > 0 ? "signer" : "another";
      });
    },

    find,

    /** The entries of the gate's table. It may be long: a call has its own time, and all of them ten times that. */
    entries({ accessId }: Pick<GateState, "accessId">): Promise<AccessEntry[]> {
      return orUnavailable((signal) => readAccess(client, ids, accessId, readMs, signal), 10 * readMs);
    },
  };
}

type WholeObject = SuiClientTypes.Object<{ content: true; objectBcs: true; previousTransaction: true }>;

const OWNERS = new Map<string, LedgerObject["owner"]>([
  ["Immutable", "immutable"],
  ["Shared", "shared"],
]);

function ledgerObject(object: WholeObject): LedgerObject {
  const { objectId, content, objectBcs, digest, previousTransaction } = object;
  const type = normalizeStructTag(object.type);
  const receipt = type.endsWith(`::${MODULE}::Receipt`) ? readChainReceipt(content) : undefined;
  const owner = OWNERS.get(object.owner.$kind) ?? "other";
  const fetched = { objectId, type, owner, content, bcs: objectBcs, digest, previousTransaction };
  return { ...fetched, ...(receipt !== undefined && { receipt }) };
}

function decodeGate(object: SuiClientTypes.Object<{ content: true }>, { packageId, gateId }: GateIds): GateState {
  const { type, owner, content } = object;
  if (normalizeStructTag(type) !== typeName(packageId, "Gate") || owner.$kind !== "Shared") {
    const message = `${gateId} is not a gate of the package ${packageId}. Check SUI_GATE_ID.`;
    throw new PortcullisError("ledger-refused", message);
  }
  const { access, version, closed, keys, pseudonyms } = Gate.parse(content);
  return {
    accessId: access.id,
    closedId: closed.id,
    isEmpty: version === "0" && access.size === "0",
    pseudonyms,
    version: safeVersion(version, gateId),
    initialSharedVersion: owner.Shared.initialSharedVersion,
    keys: keys.map(({ public_key, added_at_ms, ended_at_ms }) => ({
      publicKey: Buffer.from(public_key).toString("hex"),
      addedAtMs: Number(added_at_ms),
      ...(ended_at_ms !== null && { endedAtMs: Number(ended_at_ms) }),
    })),
  };
}

/** Versions count changes. One that is no safe integer was made up, and no version of ours could follow it. */
function safeVersion(version: string, gateId: string): number {
  const number = Number(version);
  if (Number.isSafeInteger(number)) return number;
  throw new PortcullisError("ledger-refused", `The gate ${gateId} has a version that is too great: ${version}.`);
}

/** A package has one of each, which is the root's. */
async function findCap(
  client: CoreClient,
  { packageId, gateId, rootId = gateId }: GateIds,
  asked: { readonly owner: string; readonly signal: AbortSignal },
  name: string,
) {
  const type = typeName(packageId, name);
  const include = { content: true } as const;
  for await (const page of pages((cursor) => client.listOwnedObjects({ ...asked, type, cursor, include }))) {
    const found = page.objects.find(({ content }) => Cap.parse(content).gate === rootId);
    if (found !== undefined) return { objectId: found.objectId, version: found.version, digest: found.digest };
  }
  return undefined;
}

async function* pages<Page extends { readonly cursor: string | null; readonly hasNextPage: boolean }>(
  list: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let page = await list(null); ; page = await list(page.cursor)) {
    yield page;
    if (!page.hasNextPage) return;
  }
}

export interface AccessEntry extends Pick<RuleChange, "agentId" | "namespace"> {
  readonly changes: readonly { readonly version: number; readonly allowed: boolean }[];
}

/** The SDK asks for as many objects at a time, and for one batch after another: a long table would take minutes. */
const BATCH = 50;
const BATCHES_AT_A_TIME = 8;

/** With the history of each. */
async function readAccess(client: CoreClient, { gateId }: GateIds, accessId: string, readMs: number, all: AbortSignal) {
  const entries: AccessEntry[] = [];
  const within = <T>(call: (signal: AbortSignal) => Promise<T>) =>
    withDeadline(readMs, ({ signal }) => call(signal), { signal: all });
  const list = (cursor: string | null) =>
    within((signal) => client.listDynamicFields({ parentId: accessId, cursor, limit: 1_000, signal }));
  for await (const page of pages(list)) {
    const ids = page.dynamicFields.map(({ fieldId }) => fieldId);
    const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, i) =>
      ids.slice(i * BATCH, (i + 1) * BATCH),
    );
    const found = await mapAll(batches, BATCHES_AT_A_TIME, (objectIds) =>
      within((signal) => client.getObjects({ objectIds, include: { content: true }, signal })),
    );
    for (const object of found.flatMap(({ objects }) => objects)) {
      if (object instanceof Error) throw object;
      const { name, value } = AccessField.parse(object.content);
      const changes = value.changes.map(({ version, allowed }) => ({ version: safeVersion(version, gateId), allowed }));
      entries.push({ agentId: name.agent, namespace: name.namespace, changes });
    }
  }
  return entries;
}
