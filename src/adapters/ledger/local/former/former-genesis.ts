// The genesis of a local ledger of release 0.1.0. Its recorded transactions name the ids and digests of these objects, so
// nothing of it may ever change.
import { Cap } from "#adapters/ledger/gate-module.ts";
import {
  FIRST_VERSION,
  type GateObjects,
  type Genesis,
  genesisFrom,
  idGenerator,
  newObject,
} from "#adapters/ledger/local/chain/genesis.ts";
import { ownedBy, shared } from "#adapters/ledger/local/chain/objects.ts";
import { readTransaction } from "#adapters/ledger/local/execution/transaction.ts";
import { orUndefined } from "#core/or-undefined.ts";
import type { LedgerLog } from "#ports.ts";
import { formerGateModule } from "./former-calls.ts";
import { FormerGate, type FormerKinds, formerKindsOf } from "./former-module.ts";

/** Undefined when the log does not begin with transactions of that release. */
export async function formerGenesis(log: LedgerLog, owner: string): Promise<Genesis | undefined> {
  const [first] = await log.page({ limit: 1 });
  if (first === undefined) return undefined;
  const genesis = formerGenesisOf(owner);
  const commands = orUndefined(() => readTransaction(Uint8Array.from(first.bytes)).commands) ?? [];
  return commands.some(({ MoveCall }) => MoveCall?.package === genesis.packageId) ? genesis : undefined;
}

function formerGenesisOf(owner: string): Genesis {
  const newId = idGenerator("portcullis local ledger", owner);
  const packageId = newId();
  const kinds = formerKindsOf(packageId);
  return { packageId, module: formerGateModule(kinds), ...genesisFrom([publish(newId, kinds, owner)]) };
}

function publish(newId: () => string, kinds: FormerKinds, owner: string): GateObjects {
  const [gateId, policyCapId, anchorCapId] = [newId(), newId(), newId()];
  const gate = FormerGate.serialize({ id: gateId, access: { id: newId(), size: 0 }, version: 0 }).toBytes();
  const cap = (id: string) => Cap.serialize({ id, gate: gateId }).toBytes();
  const objects = [
    newObject(gateId, kinds.gate, shared(FIRST_VERSION), gate),
    newObject(policyCapId, kinds.policyCap, ownedBy(owner), cap(policyCapId)),
    newObject(anchorCapId, kinds.anchorCap, ownedBy(owner), cap(anchorCapId)),
  ];
  return { ids: { gateId, policyCapId, anchorCapId }, objects };
}
