// What a gate has to be told: recorded changes of the policy, and the keys that sign receipts.
//
// The gate itself says how far it is: everything after its last closed version is sent. The records say up to which
// version we told it. When the gate knows of more, the database is behind it: it was restored from a backup, or is new, or
// somebody else used the gate. Then our policy moves past the gate's version in one recorded change.
import type { CoreClient } from "@mysten/sui/client";
import { type GateIds, LIMITS } from "#adapters/ledger/gate-module.ts";
import type { ChainReader, ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import type { KeyChange, TransactionPlan } from "#adapters/ledger/sui/commit/plan-transaction.ts";
import type { Naming } from "#core/ledger/naming.ts";
import type { ChangePosition, LedgerPolicyVersion, RecordStore, ToldVersions } from "#ports.ts";
import { greatestVersion, readAccess } from "./access-reader.ts";
import { allowedAt, differenceTo, keysOnLedger } from "./net-difference.ts";
import { firstUnsent, NOTHING_UNSENT, readUnsent, type UnsentChanges } from "./unsent-changes.ts";

/** A key that signs receipts. */
export interface GateKey {
  readonly publicKey: Uint8Array;
  readonly endedAt?: string | null | undefined;
}

export interface GateSyncOptions {
  readonly client: CoreClient;
  readonly ids: GateIds;
  readonly records: Pick<RecordStore, "chainAnchors" | "gates" | "policy">;
  readonly chain: ChainReader;
  readonly signingKeys: () => Promise<readonly GateKey[]>;
  /** Called for a key that has ended on the gate, and not in the records: they were restored from a backup. */
  readonly onKeyEnded?: ((publicKey: Uint8Array, endedAt: Date) => Promise<unknown>) | undefined;
  readonly now: () => Date;
  /** Called when the policy has moved past its gate. */
  readonly onMove: (past: number) => void;
}

/** What is due on the gate. */
export interface Due {
  readonly told: ToldVersions;
  readonly unsent: UnsentChanges;
  readonly keys: readonly KeyChange[];
}

export type GateSync = ReturnType<typeof createGateSync>;

export function createGateSync(options: GateSyncOptions) {
  const { client, ids, records, chain, signingKeys, onKeyEnded, now, onMove } = options;
  /** Where the last transaction ended in the middle of a version. */
  let progress: ChangePosition | undefined;
  /** What the gate was told when everything was. */
  let settled: { readonly version: number; readonly keys: string } | undefined;
  let foreign: LedgerPolicyVersion | undefined;
  let drift: { readonly key: string; readonly leaves: number } | undefined;

  const entriesOf = ({ accessId }: Pick<ChainState, "accessId">) => readAccess(client, ids, accessId);

  /** Whether the gate is told everything, as far as we know without asking it. */
  async function isSettled(): Promise<boolean> {
    if (settled === undefined || settled.version !== (await records.policy.version())) return false;
    return settled.keys === namesOf(await signingKeys());
  }

  /** The version up to which the gate is beyond what we told it, and beyond where we moved; 0 when it is not. */
  async function lead(state: ChainState, { told, moves }: ToldVersions): Promise<number> {
    const covered = Math.max(told, (moves.at(-1)?.version ?? 0) - 1);
    const last = state.policyCap?.previousTransaction;
    const isLastOurs = last != null && (await records.chainAnchors.hasTransaction(last));
    if (state.version <= covered && isLastOurs) return 0;
    // Somebody else may have told it of versions that are not closed yet.
    const known = Math.max(state.version, greatestVersion(await entriesOf(state)));
    return known > covered ? known : 0;
  }

  async function moveWhenBehind(state: ChainState): Promise<ToldVersions> {
    const told = await records.gates.find(ids.gateId);
    const past = await lead(state, told);
    if (past === 0) return told;
    const after = Math.min(told.told, state.version);
    await records.policy.moveBeyond(past, { gateId: ids.gateId, after }, { by: "ledger", at: now().toISOString() });
    onMove(past);
    return records.gates.find(ids.gateId);
  }

  function unsentOn(state: ChainState, told: ToldVersions, naming: Naming): Promise<UnsentChanges> {
    const netDifference = async (version: number) =>
      differenceTo(keysOnLedger(await allowedAt(records, version), naming), await entriesOf(state));
    return readUnsent(state, told, progress, { naming, records, netDifference });
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
        return { told: await records.gates.find(ids.gateId), unsent: NOTHING_UNSENT, keys };
      }
      foreign = undefined;
      const told = await moveWhenBehind(state);
      return { told, unsent: await unsentOn(state, told, naming), keys };
    },

    /** The plan was carried out, or there was nothing to do. */
    async done({ position, isAll, closed }: Pick<TransactionPlan, "position" | "isAll" | "closed">): Promise<void> {
      progress = position;
      settled = isAll && foreign === undefined ? { version: closed, keys: namesOf(await signingKeys()) } : undefined;
    },

    foreignVersion: () => foreign,

    /** How many recorded changes the gate lacks, up to a thousand; or in how many leaves somebody else's policy differs. */
    async drift(state: ChainState, naming: Naming): Promise<number> {
      if (state.policyCap !== undefined) {
        const told = await records.gates.find(ids.gateId);
        const from = { version: firstUnsent(state.version, told), leaves: 0 };
        return (await records.policy.changesFrom(from, 1_000)).length;
      }
      const ours = await records.policy.version();
      const key = `${state.version} ${ours}`;
      if (drift?.key !== key) {
        const allowed = keysOnLedger(await allowedAt(records, ours), naming);
        const difference = differenceTo(allowed, await entriesOf(state), state.version);
        drift = { key, leaves: difference.length };
      }
      return drift.leaves;
    },

    keys: async () => (await chain.readGate()).keys,
  };
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const namesOf = (keys: readonly GateKey[]): string =>
  keys.map(({ publicKey, endedAt }) => `${hexOf(publicKey)} ${endedAt ?? ""}`).join();

/** A key that has ended on the gate never comes back, whatever the records say. */
function endedElsewhere({ keys }: ChainState, wanted: readonly GateKey[]) {
  const ends = new Map(keys.map(({ publicKey, endedAtMs }) => [publicKey, endedAtMs]));
  return wanted.flatMap(({ publicKey, endedAt }) => {
    const endedAtMs = endedAt == null ? ends.get(hexOf(publicKey)) : undefined;
    return endedAtMs === undefined ? [] : [{ publicKey, endedAtMs }];
  });
}

/** A key that ended before the gate knew of it signs nothing that is anchored from now on, so it is not added. */
function keysDue(state: ChainState, wanted: readonly GateKey[], now: Date): KeyChange[] {
  const onGate = new Map(state.keys.map((key) => [key.publicKey, key]));
  const hasEnded = ({ endedAt }: GateKey) => endedAt != null && Date.parse(endedAt) <= now.getTime();
  const added = wanted.filter((key) => !hasEnded(key) && !onGate.has(hexOf(key.publicKey)));
  const ended = wanted.filter((key) => hasEnded(key) && onGate.get(hexOf(key.publicKey))?.endedAtMs === undefined);
  return [
    ...added.slice(0, LIMITS.keys - state.keys.length).map(({ publicKey }) => ({ kind: "add", publicKey }) as const),
    ...ended.flatMap(({ publicKey }) => (onGate.has(hexOf(publicKey)) ? [{ kind: "end", publicKey } as const] : [])),
  ];
}
