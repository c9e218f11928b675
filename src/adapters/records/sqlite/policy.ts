// The policy and its fence. The fence is a readers-writer lock in the process: actions share it; a change of the policy,
// and a removal of memories, takes it alone. connection/process-lock.ts makes sure that no other process serves the same file.
import { FENCE_PATIENCE_MS, policyAwaits } from "#adapters/records/shared/policy/fence-patience.ts";
import { createReadersWriterLock } from "#async/readers-writer-lock.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import type { PolicyRecords, ReadSet } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import type { Tables } from "./tables/tables.ts";

interface FencedPolicy {
  readonly records: PolicyRecords;
  /** Runs `change`, which changes the policy or removes memories, alone behind the fence. Then calls the listeners. */
  exclusively<T>(change: () => Promise<T>): Promise<T>;
}

export function policyRecords(
  { read, readNow, inSnapshot, write, writeFromReserve, requireRoom }: Connection,
  { counters, policy: table, memories, decisions }: Tables,
  now: () => Date,
): FencedPolicy {
  const fence = createReadersWriterLock({ graceMs: FENCE_PATIENCE_MS, onAwaited: policyAwaits });
  const listeners: (() => void)[] = [];

  /** Whether the read set is as it was: allowed, and on record. */
  function holds(readSet: ReadSet): boolean {
    const { policy, removal } = counters.mirrored();
    const { agentId, namespaces, memoryIds, expiresAt } = readSet;
    if (policy !== readSet.policyVersion && !table.allowsAll(agentId, namespaces)) return false;
    if (expiresAt === undefined && removal === readSet.removals) return true;
    const at = now().toISOString();
    if (removal !== readSet.removals && !memories.areAll(memoryIds, at, readSet.allowsSuperseded)) return false;
    return expiresAt === undefined || expiresAt > at;
  }

  /**
   * Whether only the reserve is left, and the revoke changes nothing. It is answered all the same, because its caller may
   * not have heard the answer to the first, but off the record: else it could be repeated until the reserve is used up.
   */
  function isRepeatWithoutRoom(rule: AccessRule): boolean {
    if (table.leaf(rule) !== rule.allowed) return false;
    try {
      requireRoom();
      return false;
    } catch {
      return true;
    }
  }

  async function exclusively<T>(change: () => Promise<T>): Promise<T> {
    const result = await fence.exclusive(change);
    for (const listener of listeners) listener();
    return result;
  }

  const records: PolicyRecords = {
    current: () => read(() => inSnapshot(table.read)),
    version: () => read(() => counters.value("policy")),
    set: (rule, stamp) =>
      exclusively(() =>
        // There is always room to revoke.
        (rule.allowed ? write : writeFromReserve)(() => {
          if (isRepeatWithoutRoom(rule)) return { version: counters.value("policy") };
          decisions.add(stamp.decision);
          return table.set(rule, stamp);
        }),
      ),
    moveBeyond: (past, gate, stamp) => exclusively(() => write(() => table.moveBeyond(past, gate, stamp))),
    changesFrom: (from, limit) => read(() => table.changesFrom(from, limit)),
    changes: (query) => read(() => table.changes(query)),
    passFence: (readSet, action) =>
      fence.shared(async (awaited) => {
        if (!readNow(() => holds(readSet))) return false;
        // The lock is in this process, and nobody can take it away. So the signal says only that a change waits.
        await action(awaited);
        return true;
      }),
    onChange(listener) {
      listeners.push(listener);
    },
  };
  return { records, exclusively };
}
