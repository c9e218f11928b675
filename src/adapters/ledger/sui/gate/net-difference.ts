// How the entries of the gate differ from the policy.
import type { AccessRule } from "#core/gate/policy.ts";
import { rulesOf } from "#core/gate/policy.ts";
import type { Naming } from "#core/ledger/naming.ts";
import type { RecordStore } from "#ports.ts";
import { type AccessEntry, isAllowedIn } from "./access-reader.ts";

type Key = Pick<AccessRule, "agentId" | "namespace">;
type Policy = Pick<RecordStore, "policy">;

const keyOf = ({ agentId, namespace }: Key): string => JSON.stringify([agentId, namespace]);

/** The same keys, as they are called on the ledger. */
export function keysOnLedger(keys: ReadonlyMap<string, Key>, { onLedger }: Naming): ReadonlyMap<string, Key> {
  const named = [...keys.values()].map(({ agentId, namespace }) => ({
    agentId: onLedger(agentId),
    namespace: onLedger(namespace),
  }));
  return new Map(named.map((key) => [keyOf(key), key]));
}

/** The changes that make the entries equal to what is allowed. All names are those on the ledger. `version` is the one to read the entries as of. */
export function differenceTo(
  allowed: ReadonlyMap<string, Key>,
  entries: readonly AccessEntry[],
  version?: number,
): AccessRule[] {
  const onGate = new Map(entries.filter((entry) => isAllowedIn(entry, version)).map((entry) => [keyOf(entry), entry]));
  const rule = ({ agentId, namespace }: Key, isAllowed: boolean) => ({ agentId, namespace, allowed: isAllowed });
  return [
    ...[...allowed].filter(([key]) => !onGate.has(key)).map(([, key]) => rule(key, true)),
    ...[...onGate].filter(([key]) => !allowed.has(key)).map(([, entry]) => rule(entry, false)),
  ];
}

const PAGE = 1_000;

/** What the policy allowed as of a version: today's policy, with later changes undone. */
export async function allowedAt({ policy }: Policy, version: number): Promise<ReadonlyMap<string, Key>> {
  const current = await policy.current();
  const allowed = new Map<string, Key>();
  for (const rule of rulesOf(current.policy)) if (rule.allowed) allowed.set(keyOf(rule), rule);
  for (const { agentId, namespace, from } of (await changesBetween({ policy }, version, current.version)).reverse()) {
    const key = { agentId, namespace };
    if (from === true) allowed.set(keyOf(key), key);
    else allowed.delete(keyOf(key));
  }
  return allowed;
}

/** After `after`, up to `last`. */
async function changesBetween({ policy }: Policy, after: number, last: number) {
  const found = [];
  for (let from = { version: after + 1, leaves: 0 }; ; ) {
    const rows = await policy.changesFrom(from, PAGE);
    found.push(...rows.filter(({ version }) => version <= last));
    const end = rows.at(-1);
    if (rows.length < PAGE || end === undefined || end.version > last) return found;
    const leaves = rows.filter(({ version }) => version === end.version).length;
    from = { version: end.version, leaves: end.version === from.version ? from.leaves + leaves : leaves };
  }
}
