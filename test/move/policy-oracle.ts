// An oracle of the gate: it keeps the whole policy of every closed version, and knows nothing of how the gate stores it.
import type { TestCall } from "#test/adapters/local-ledger/fixture.ts";
import type { SequenceRecord } from "./differential-local.ts";

type Allowed = ReadonlySet<string>;
const keyOf = (agent: string, namespace: string) => JSON.stringify([agent, namespace]);

/** The verdicts of all receipts that the sequence minted, as they should be and as they are. */
export function judgedByOracle({ transactions }: SequenceRecord): { expected: boolean[]; actual: boolean[] } {
  const closed = new Map<number, Allowed>([[0, new Set()]]);
  /** What was set in versions that are not closed yet, in the order of the calls. */
  let open: Extract<TestCall, { function: "set_access" }>[] = [];
  let last = 0;
  const expected: boolean[] = [];
  const actual: boolean[] = [];
  for (const { calls, abort, verdicts } of transactions) {
    if (abort !== undefined) continue;
    for (const call of calls) {
      if (call.function === "set_access") open.push(call);
      if (call.function === "close_version") {
        const { version } = call;
        const due = open.filter((set) => set.version <= version).sort((a, b) => a.version - b.version);
        open = open.filter((set) => set.version > version);
        closed.set(version, after(closed.get(last) ?? new Set(), due));
        last = version;
      }
      if (call.function === "anchor_receipt") {
        const allowed = closed.get(call.policyVersion);
        if (allowed === undefined) throw new Error("a receipt was judged by a version that is not closed");
        expected.push(call.claimed.every((namespace) => allowed.has(keyOf(call.agent, namespace))));
      }
    }
    actual.push(...verdicts);
  }
  return { expected, actual };
}

function after(before: Allowed, changes: readonly Extract<TestCall, { function: "set_access" }>[]): Allowed {
  const allowed = new Set(before);
  for (const { agent, namespace, allowed: isAllowed } of changes) {
    if (isAllowed) allowed.add(keyOf(agent, namespace));
    else allowed.delete(keyOf(agent, namespace));
  }
  return allowed;
}
