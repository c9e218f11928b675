// An oracle of the gate: it keeps the whole policy of every closed version, and knows nothing of how the gate stores it.
import type { TestCall } from "#test/adapters/local-ledger/fixture.ts";
import type { SequenceRecord, TransactionRecord } from "./differential-local.ts";

type Allowed = ReadonlySet<string>;
const keyOf = (agent: string, namespace: string) => JSON.stringify([agent, namespace]);

/** What a receipt says of its claims and of its version. */
interface Judged {
  readonly allAuthorized: boolean | undefined;
  readonly supersededAtMs: number | undefined;
}

/** All receipts that the sequence minted, as they should be and as they are, in the order of the calls. */
export function judgedByOracle({ transactions }: SequenceRecord): { expected: Judged[]; actual: Judged[] } {
  const closed = new Map<number, Allowed>([[0, new Set()]]);
  /** What was set in versions that are not closed yet, in the order of the calls. */
  let open: Extract<TestCall, { function: "set_access" }>[] = [];
  let last = 0;
  const closings: { version: number; atMs: number }[] = [];
  const expected: Judged[] = [];
  const actual: Judged[] = [];
  for (const { atMs, calls, abort, verdicts, minted } of transactions) {
    if (abort !== undefined) continue;
    let anchors = 0;
    for (const call of calls) {
      if (call.function === "set_access") open.push(call);
      if (call.function === "close_version") {
        const { version } = call;
        const due = open.filter((set) => set.version <= version).sort((a, b) => a.version - b.version);
        open = open.filter((set) => set.version > version);
        closed.set(version, after(closed.get(last) ?? new Set(), due));
        last = version;
        closings.push({ version, atMs });
      }
      if (call.function === "anchor_receipt") {
        const allowed = closed.get(call.policyVersion);
        if (allowed === undefined) throw new Error("a receipt was judged by a version that is not closed");
        expected.push({
          allAuthorized: call.claimed.every((namespace) => allowed.has(keyOf(call.agent, namespace))),
          supersededAtMs: closings.find(({ version }) => version > call.policyVersion)?.atMs,
        });
        const receipt = minted.find((found) => isOf(call, found));
        actual.push({ allAuthorized: verdicts[anchors], supersededAtMs: receipt?.supersededAtMs });
        anchors += 1;
      }
    }
  }
  return { expected, actual };
}

function isOf(
  { digest, claimed, policyVersion }: Extract<TestCall, { function: "anchor_receipt" }>,
  receipt: TransactionRecord["minted"][number],
): boolean {
  const isSame = Buffer.compare(digest, receipt.digest) === 0 && BigInt(policyVersion) === receipt.policyVersion;
  return isSame && JSON.stringify(claimed) === JSON.stringify(receipt.claimed);
}

function after(before: Allowed, changes: readonly Extract<TestCall, { function: "set_access" }>[]): Allowed {
  const allowed = new Set(before);
  for (const { agent, namespace, allowed: isAllowed } of changes) {
    if (isAllowed) allowed.add(keyOf(agent, namespace));
    else allowed.delete(keyOf(agent, namespace));
  }
  return allowed;
}
