// Reads the chain: single objects, and the state that a transaction needs, which is the gate with its access table, the
// capabilities, and the coins to pay with.
import { type CoreClient, ObjectError, type SuiClientTypes } from "@mysten/sui/client";
import { normalizeStructTag } from "@mysten/sui/utils";
import { AccessKey, Cap, Gate, type GateIds, MODULE, typeName } from "#adapters/ledger/gate-module.ts";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import { type AccessRule, type Policy, policyFrom } from "#core/gate/policy.ts";
import { readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { LedgerObject } from "#ports.ts";
import { type GasFunds, type ObjectRef, readGasFunds } from "./gas.ts";

export interface ChainState {
  readonly version: bigint;
  readonly initialSharedVersion: string;
  /** The pairs that the chain allows. It stores no others. */
  readonly access: Policy;
  readonly anchorCap: ObjectRef;
  /** Absent when somebody else holds it. Then the policy on the chain is theirs to change. */
  readonly policyCap?: ObjectRef;
  readonly gas: GasFunds;
}

export type ChainReader = ReturnType<typeof createChainReader>;

/** `node` names the full node in errors. It has no credentials. */
export function createChainReader(client: CoreClient, ids: GateIds, owner: string, readMs: number, node?: string) {
  const who = node === undefined ? "The ledger" : `The full node ${node}`;
  const unavailable = (advice: string, cause?: unknown) =>
    new PortcullisError("ledger-unavailable", `${who} does not answer. ${advice}`, { cause });
  const unavailableError = (cause?: unknown) => unavailable("The anchor is on record; ask again.", cause);
  /** The access table, under the gate's version. It is read again only when the version has changed. */
  let cached: { version: bigint; access: Policy } | undefined;
  let latestDigest: string | undefined;

  async function readState(): Promise<ChainState> {
    const [{ object }, anchorCap, policyCap, gas] = await Promise.all([
      client.getObject({ objectId: ids.gateId, include: { content: true } }),
      findCap(client, ids, owner, "AnchorCap"),
      findCap(client, ids, owner, "PolicyCap"),
      readGasFunds(client, owner),
    ]);
    const { version, access, initialSharedVersion } = decodeGate(object, ids);
    if (cached?.version !== version) cached = { version, access: await readAccess(client, access.id) };
    if (anchorCap === undefined) {
      throw new PortcullisError("ledger-refused", `${owner} does not hold the AnchorCap of the gate ${ids.gateId}.`);
    }
    return {
      version,
      initialSharedVersion,
      access: cached.access,
      anchorCap,
      ...(policyCap !== undefined && { policyCap }),
      gas,
    };
  }

  return {
    unavailableError,

    async read(): Promise<ChainState> {
      if (latestDigest !== undefined) {
        await client.waitForTransaction({ digest: latestDigest, timeout: readMs }).catch(() => undefined);
        latestDigest = undefined;
      }
      return withDeadline(readMs, readState).catch((error) => {
        throw error instanceof PortcullisError ? error : unavailableError(error);
      });
    },

    /**
     * Makes the next read wait until the node has this transaction. A node may return a transaction's effects before it
     * shows the objects that the transaction changed.
     */
    readAfter(txDigest: string): void {
      latestDigest = txDigest;
    },

    /** The current version of the object, or undefined when the ledger has no such object or has deleted it. */
    async find(objectId: string): Promise<LedgerObject | undefined> {
      try {
        const include = { content: true, previousTransaction: true } as const;
        const { object } = await withDeadline(readMs, ({ signal }) => client.getObject({ objectId, include, signal }));
        return ledgerObject(object);
      } catch (cause) {
        if (cause instanceof ObjectError && cause.reason !== "unknown") return undefined;
        throw unavailable("Try again shortly.", cause);
      }
    },
  };
}

function ledgerObject(object: SuiClientTypes.Object<{ content: true; previousTransaction: true }>): LedgerObject {
  const { objectId, owner, content, previousTransaction } = object;
  const type = normalizeStructTag(object.type);
  const receipt = type.endsWith(`::${MODULE}::Receipt`) ? readChainReceipt(content) : undefined;
  const isFrozen = owner.$kind === "Immutable";
  return { objectId, type, isFrozen, content, previousTransaction, ...(receipt !== undefined && { receipt }) };
}

function decodeGate(object: SuiClientTypes.Object<{ content: true }>, { packageId, gateId }: GateIds) {
  const { type, owner, content } = object;
  if (normalizeStructTag(type) !== typeName(packageId, "Gate") || owner.$kind !== "Shared") {
    const message = `${gateId} is not a gate of the package ${packageId}. Check SUI_GATE_ID.`;
    throw new PortcullisError("ledger-refused", message);
  }
  const { access, version } = Gate.parse(content);
  return { access, version: BigInt(version), initialSharedVersion: owner.Shared.initialSharedVersion };
}

async function findCap(client: CoreClient, { packageId, gateId }: GateIds, owner: string, name: string) {
  const type = typeName(packageId, name);
  const include = { content: true } as const;
  for await (const page of pages((cursor) => client.listOwnedObjects({ owner, type, cursor, include }))) {
    const found = page.objects.find(({ content }) => Cap.parse(content).gate === gateId);
    if (found !== undefined) return refOf(found);
  }
  return undefined;
}

async function readAccess(client: CoreClient, parentId: string): Promise<Policy> {
  const rules: AccessRule[] = [];
  for await (const page of pages((cursor) => client.listDynamicFields({ parentId, cursor }))) {
    for (const { name } of page.dynamicFields) {
      const { agent, namespace } = AccessKey.parse(name.bcs);
      rules.push({ agentId: agent, namespace, allowed: true });
    }
  }
  return policyFrom(rules);
}

async function* pages<Page extends { readonly cursor: string | null; readonly hasNextPage: boolean }>(
  list: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let page = await list(null); ; page = await list(page.cursor)) {
    yield page;
    if (!page.hasNextPage) return;
  }
}

function refOf({ objectId, version, digest }: ObjectRef): ObjectRef {
  return { objectId, version, digest };
}
