// What a gate has to be told: recorded changes of the policy, and the keys that sign receipts. Everything after its
// last closed version is sent. When it knows of more than the records say that we told it, the database is behind it:
// restored from a backup, or new, or somebody else used the gate. Then our policy moves past the gate's version in one
// recorded change.
import { type GateIds, LIMITS } from "#adapters/ledger/gate-module.ts";
import type { AccessEntry, ChainReader, ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import type { KeyChange, TransactionPlan } from "#adapters/ledger/sui/commit/plan-transaction.ts";
import { toHex } from "#core/encoding/digest.ts";
import { type AccessRule, keyOf, rulesOf } from "#core/gate/policy.ts";
import type { Naming } from "#core/ledger/pseudonym.ts";
import type { ChangePosition, LedgerPolicyVersion, PublicSigningKey, RecordStore, SentVersions } from "#ports.ts";
import { firstUnsent, NOTHING_UNSENT, readUnsent, type UnsentChanges } from "./unsent-changes.ts";

type GateKey = Pick<PublicSigningKey, "publicKey" | "endedAt">;

export interface GateSyncOptions {
  readonly ids: GateIds;
  readonly records: Pick<RecordStore, "chainAnchors" | "ledgerGates" | "policy">;
  readonly chain: ChainReader;
  readonly signingKeys: () => Promise<readonly GateKey[]>;
  /** Called for a key that has ended on the gate, and not in the records: they were restored from a backup. */
  readonly onKeyEnded?: ((publicKey: Uint8Array, endedAt: Date) => Promise<unknown>) | undefined;
  readonly now: () => Date;
  readonly onMove: (past: number) => void;
}

export interface Due {
  readonly sent: SentVersions;
  readonly unsent: UnsentChanges;
  readonly keys: readonly KeyChange[];
}

export type GateSync = ReturnType<typeof createGateSync>;

export function createGateSync(options: GateSyncOptions) {
  const { ids, records, chain, signingKeys, onKeyEnded, now, onMove } = options;
  /** Where the last transaction ended in the middle of a version. */
  let progress: ChangePosition | undefined;
  /** What the gate was told when everything was. */
  let settled: { readonly version: number; readonly keys: string } | undefined;
  let foreign: LedgerPolicyVersion | undefined;
  let drift: { readonly key: string; readonly rules: number } | undefined;

  /** Whether the gate is told everything, as far as we know without asking it. */
  async function isSettled(): Promise<boolean> {
    if (settled === undefined || settled.version !== (await records.policy.version())) return false;
    return settled.keys === namesOf(await signingKeys());
  }

  /** The version up to which the gate is beyond what we told it, and beyond where we moved; 0 when it is not. */
  async function lead(state: ChainState, { greatest, moves }: SentVersions): Promise<number> {
    const covered = Math.max(greatest, (moves.at(-1)?.version ?? 0) - 1);
    // Not that of the PolicyCap, which all gates share.
    const last = state.previousTransaction;
    const isLastOurs = last != null && (await records.chainAnchors.hasTransaction(last));
    if (state.version <= covered && isLastOurs) return 0;
    // Somebody else may have told it of versions that are not closed yet.
    const known = Math.max(state.version, greatestVersion(await chain.entries(state)));
    return known > covered ? known : 0;
  }

  async function moveWhenBehind(state: ChainState): Promise<SentVersions> {
    const sent = await records.ledgerGates.find(ids.gateId);
    const past = await lead(state, sent);
    if (past === 0) return sent;
    const after = Math.min(sent.greatest, state.version);
    await records.policy.moveBeyond(past, { gateId: ids.gateId, after }, { by: "ledger", at: now().toISOString() });
    onMove(past);
    return records.ledgerGates.find(ids.gateId);
  }

  function unsentOn(state: ChainState, sent: SentVersions, naming: Naming): Promise<UnsentChanges> {
    const netDifference = async (version: number) =>
      differenceTo(keysOnLedger(await allowedAt(records, version), naming), await chain.entries(state));
    return readUnsent(state, sent, progress, { naming, records, netDifference });
  }

  return {
    isSettled,

    /** Brings the database past its gate if it is behind it, and returns what is to be sent. */
    async due(state: ChainState, naming: Naming): Promise<Due> {
      const wanted = await signingKeys();
      const keys = keysDue(state, wanted, now());
      for (const { publicKey, endedAtMs } of endedElsewhere(state, wanted))
        await onKeyEnded?.(publicKey, new Date(endedAtMs));
      if (state.policyCap === undefined) {
        foreign = { version: state.version, readAt: now().toISOString() };
        return { sent: await records.ledgerGates.find(ids.gateId), unsent: NOTHING_UNSENT, keys };
      }
      foreign = undefined;
      const sent = await moveWhenBehind(state);
      return { sent, unsent: await unsentOn(state, sent, naming), keys };
    },

    /** The plan was carried out, or there was nothing to do. */
    async done({ position, isAll, closed }: Pick<TransactionPlan, "position" | "isAll" | "closed">): Promise<void> {
      progress = position;
      settled = isAll && foreign === undefined ? { version: closed, keys: namesOf(await signingKeys()) } : undefined;
    },

    foreignVersion: () => foreign,

    /** How many recorded changes the gate lacks, up to a thousand; or in how many rules somebody else's policy differs. */
    async drift(state: ChainState, naming: Naming): Promise<number> {
      if (state.policyCap !== undefined) {
        const sent = await records.ledgerGates.find(ids.gateId);
        const from = { version: firstUnsent(state.version, sent), rules: 0 };
        return (await records.policy.changesFrom(from, 1_000)).length;
      }
      const ours = await records.policy.version();
      const key = `${state.version} ${ours}`;
      if (drift?.key !== key) {
        const allowed = keysOnLedger(await allowedAt(records, ours), naming);
        const difference = differenceTo(allowed, await chain.entries(state), state.version);
        drift = { key, rules: difference.length };
      }
      return drift.rules;
    },

    keys: async () => (await chain.readGate()).keys,
  };
}

const namesOf = (keys: readonly GateKey[]): string =>
  keys.map(({ publicKey, endedAt }) => `${toHex(publicKey)} ${endedAt ?? ""}`).join();

/** A key that has ended on the gate never comes back, whatever the records say. */
function endedElsewhere({ keys }: ChainState, wanted: readonly GateKey[]) {
  const ends = new Map(keys.map(({ publicKey, endedAtMs }) => [publicKey, endedAtMs]));
  return wanted.flatMap(({ publicKey, endedAt }) => {
    const endedAtMs = endedAt === undefined ? ends.get(toHex(publicKey)) : undefined;
    return endedAtMs === undefined ? [] : [{ publicKey, endedAtMs }];
  });
}

/** A key that ended before the gate knew of it signs nothing that is anchored from now on, so it is not added. */
function keysDue(state: ChainState, wanted: readonly GateKey[], now: Date): KeyChange[] {
  const onGate = new Map(state.keys.map((key) => [key.publicKey, key]));
  const hasEnded = ({ endedAt }: GateKey) => endedAt !== undefined && Date.parse(endedAt) <= now.getTime();
  const added = wanted.filter((key) => !hasEnded(key) && !onGate.has(toHex(key.publicKey)));
  const ended = wanted.filter((key) => hasEnded(key) && onGate.get(toHex(key.publicKey))?.endedAtMs === undefined);
  return [
    ...added.slice(0, LIMITS.keys - state.keys.length).map(({ publicKey }) => ({ kind: "add", publicKey }) as const),
    ...ended.flatMap(({ publicKey }) => (onGate.has(toHex(publicKey)) ? [{ kind: "end", publicKey } as const] : [])),
  ];
}

type Key = Pick<AccessRule, "agentId" | "namespace">;
type Policy = Pick<RecordStore, "policy">;

function keysOnLedger(keys: ReadonlyMap<string, Key>, { onLedger }: Naming): ReadonlyMap<string, Key> {
  const named = [...keys.values()].map(({ agentId, namespace }) => ({
    agentId: onLedger(agentId),
    namespace: onLedger(namespace),
  }));
  return new Map(named.map((key) => [keyOf(key), key]));
}

/** The changes that make the entries equal to what is allowed. All names are those on the ledger. `version` is the one to read the entries as of. */
function differenceTo(allowed: ReadonlyMap<string, Key>, entries: readonly AccessEntry[], version?: number) {
  const onGate = new Map(entries.filter((entry) => isAllowedIn(entry, version)).map((entry) => [keyOf(entry), entry]));
  const rule = ({ agentId, namespace }: Key, isAllowed: boolean) => ({ agentId, namespace, allowed: isAllowed });
  return [
    ...[...allowed].filter(([key]) => !onGate.has(key)).map(([, key]) => rule(key, true)),
    ...[...onGate].filter(([key]) => !allowed.has(key)).map(([, entry]) => rule(entry, false)),
  ];
}

const PAGE = 1_000;

/** What the policy allowed as of a version: today's policy, with later changes undone. */
async function allowedAt({ policy }: Policy, version: number): Promise<ReadonlyMap<string, Key>> {
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

async function changesBetween({ policy }: Policy, after: number, last: number) {
  const found = [];
  for (let from = { version: after + 1, rules: 0 }; ; ) {
    const rows = await policy.changesFrom(from, PAGE);
    found.push(...rows.filter(({ version }) => version <= last));
    const end = rows.at(-1);
    if (rows.length < PAGE || end === undefined || end.version > last) return found;
    const rules = rows.filter(({ version }) => version === end.version).length;
    from = { version: end.version, rules: end.version === from.version ? from.rules + rules : rules };
  }
}

function greatestVersion(entries: readonly AccessEntry[]): number {
  return entries.reduce((greatest, { changes }) => Math.max(greatest, changes.at(-1)?.version ?? 0), 0);
}

/** Whether the entry is allowed: as of a version, or after all of its changes. */
function isAllowedIn({ changes }: AccessEntry, version = Number.POSITIVE_INFINITY): boolean {
  return changes.findLast((change) => change.version <= version)?.allowed ?? false;
}
