// What the chain holds of ours right now: the gate with its access table, the capabilities, and coins to pay with.
import type { CoreClient, SuiClientTypes } from "@mysten/sui/client";
import { normalizeStructTag } from "@mysten/sui/utils";
import { AccessKey, Cap, Gate, typeName } from "#adapters/ledger/gate-module.ts";
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
  /** What the chain allows; what it does not is not there. */
  readonly access: Policy;
  readonly anchorCap: ObjectRef;
  /** Absent when somebody else holds it: then the policy on the chain is theirs to change. */
  readonly policyCap?: ObjectRef;
  readonly gas: { readonly price: bigint; readonly coins: readonly (ObjectRef & { readonly balance: bigint })[] };
}

/** The access table is read again only when the gate's version says that it has changed. */
export function chainReader(client: CoreClient, ids: GateIds, owner: string): () => Promise<ChainState> {
  let known: { version: bigint; access: Policy } | undefined;

  return async () => {
    const [{ object }, anchorCap, policyCap, { referenceGasPrice }, coins] = await Promise.all([
      client.getObject({ objectId: ids.gateId, include: { content: true } }),
      findCap(client, ids, owner, "AnchorCap"),
      findCap(client, ids, owner, "PolicyCap"),
      client.getReferenceGasPrice(),
      client.listCoins({ owner }),
    ]);
    const { version, access, initialSharedVersion } = decodeGate(object, ids);
    if (known?.version !== version) known = { version, access: await readAccess(client, access.id) };
    if (anchorCap === undefined) {
      throw new PortcullisError("ledger-refused", `${owner} does not hold the AnchorCap of the gate ${ids.gateId}.`);
    }
    return {
      version,
      initialSharedVersion,
      access: known.access,
      anchorCap,
      ...(policyCap !== undefined && { policyCap }),
      gas: {
        price: BigInt(referenceGasPrice),
        coins: coins.objects.map((coin) => ({ ...refOf(coin), balance: BigInt(coin.balance) })),
      },
    };
  };
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
