// Reads the state of the chain that a transaction needs: the gate with its access table, the capabilities, and the
// coins to pay with.
import type { CoreClient, SuiClientTypes } from "@mysten/sui/client";
import { normalizeStructTag } from "@mysten/sui/utils";
import { AccessKey, Cap, Gate, typeName } from "#adapters/ledger/gate-module.ts";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import { type AccessRule, type Policy, policyFrom } from "#core/gate/policy.ts";

export interface GateIds {
  readonly packageId: string;
  readonly gateId: string;
}

interface ObjectRef {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
}

export interface ChainState {
  readonly version: bigint;
  readonly initialSharedVersion: string;
  /** The pairs that the chain allows. It stores no others. */
  readonly access: Policy;
  readonly anchorCap: ObjectRef;
  /** Absent when somebody else holds it. Then the policy on the chain is theirs to change. */
  readonly policyCap?: ObjectRef;
  readonly gas: { readonly price: bigint; readonly coins: readonly (ObjectRef & { readonly balance: bigint })[] };
}

export interface ChainReader {
  read(): Promise<ChainState>;
  /**
   * Makes the next read wait until the node has this transaction. A node may return a transaction's effects before it
   * shows the objects that the transaction changed.
   */
  readAfter(txDigest: string): void;
}

export function createChainReader(client: CoreClient, ids: GateIds, owner: string, readMs: number): ChainReader {
  /** The access table, under the gate's version. It is read again only when the version has changed. */
  let cached: { version: bigint; access: Policy } | undefined;
  let latestDigest: string | undefined;

  async function readState(): Promise<ChainState> {
    const [{ object }, anchorCap, policyCap, { referenceGasPrice }, coins] = await Promise.all([
      client.getObject({ objectId: ids.gateId, include: { content: true } }),
      findCap(client, ids, owner, "AnchorCap"),
      findCap(client, ids, owner, "PolicyCap"),
      client.getReferenceGasPrice(),
      client.listCoins({ owner }),
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
      gas: {
        price: BigInt(referenceGasPrice),
        coins: coins.objects.map((coin) => ({ ...refOf(coin), balance: BigInt(coin.balance) })),
      },
    };
  }

  return {
    async read() {
      if (latestDigest !== undefined) {
        await client.waitForTransaction({ digest: latestDigest, timeout: readMs }).catch(() => undefined);
        latestDigest = undefined;
      }
      return withDeadline(readMs, readState).catch((error) => {
        throw error instanceof PortcullisError ? error : unavailableError(error);
      });
    },
    readAfter(txDigest) {
      latestDigest = txDigest;
    },
  };
}

export function unavailableError(cause?: unknown): PortcullisError {
  const message = "The ledger does not answer. The anchor is on record; ask again.";
  return new PortcullisError("ledger-unavailable", message, { cause });
}

function decodeGate(object: SuiClientTypes.Object<{ content: true }>, { packageId, gateId }: GateIds) {
  const { type, owner, content } = object;
  if (normalizeStructTag(type) !== typeName(packageId, "Gate") || owner.$kind !== "Shared") {
    throw new PortcullisError(
      "ledger-refused",
      `${gateId} is not a gate of the package ${packageId}. Check SUI_GATE_ID.`,
    );
  }
  const { access, version } = Gate.parse(content);
  return { access, version: BigInt(version), initialSharedVersion: owner.Shared.initialSharedVersion };
}

async function findCap(client: CoreClient, { packageId, gateId }: GateIds, owner: string, name: string) {
  const type = typeName(packageId, name);
  for (let cursor: string | null = null, more = true; more; ) {
    const page: SuiClientTypes.ListOwnedObjectsResponse<{ content: true }> = await client.listOwnedObjects({
      owner,
      type,
      cursor,
      include: { content: true },
    });
    const found = page.objects.find(({ content }) => Cap.parse(content).gate === gateId);
    if (found !== undefined) return refOf(found);
    cursor = page.cursor;
    more = page.hasNextPage;
  }
  return undefined;
}

async function readAccess(client: CoreClient, parentId: string): Promise<Policy> {
  const rules: AccessRule[] = [];
  for (let cursor: string | null = null, more = true; more; ) {
    const page: SuiClientTypes.ListDynamicFieldsResponse = await client.listDynamicFields({ parentId, cursor });
    for (const { name } of page.dynamicFields) {
      const { agent, namespace } = AccessKey.parse(name.bcs);
      rules.push({ agentId: agent, namespace, allowed: true });
    }
    cursor = page.cursor;
    more = page.hasNextPage;
  }
  return policyFrom(rules);
}

function refOf({ objectId, version, digest }: ObjectRef): ObjectRef {
  return { objectId, version, digest };
}
