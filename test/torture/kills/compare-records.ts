// Compares the records after a crash with the journal of what was asked and acknowledged before it.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { recordedForm } from "#core/receipt/sealed-form.ts";
import type { RecordAudit, RecordRows } from "#ports.ts";
import { compareMemories, type SeenMemories } from "./compare-memories.ts";
import type { Journal, Receipt } from "./journal.ts";

/** What earlier checks found on record. It must stay. */
export interface Seen extends SeenMemories {
  /** The policy's digest at each version. */
  policies: readonly string[];
  receipts: ReadonlyMap<string, string>;
  anchors: ReadonlyMap<string, string>;
  onLedger: ReadonlyMap<string, string>;
}

export function nothingSeen(): Seen {
  const none = new Map<string, string>();
  const noMemories = { memories: new Map(), history: new Map(), gone: new Set<string>(), forgotten: new Map() };
  return { ...noMemories, policies: [], receipts: none, anchors: none, onLedger: none };
}

/** Answers with the violations, a sentence each, and updates `seen` to what is on record now. */
export async function compareRecords(
  { rows }: Pick<RecordAudit, "rows">,
  journal: Journal,
  seen: Seen,
): Promise<string[]> {
  const memories = {
    current: await Array.fromAsync(rows("memory")),
    superseded: await Array.fromAsync(rows("superseded")),
  };
  return [
    ...compareMemories(memories, journal, seen),
    ...comparePolicies(await Array.fromAsync(rows("change")), journal, seen),
    ...compareReceipts(await Array.fromAsync(rows("receipt")), journal, seen),
    ...compareAnchors(await Array.fromAsync(rows("anchor")), journal, seen),
    ...compareLedger(await Array.fromAsync(rows("onLedger")), await Array.fromAsync(rows("request")), journal, seen),
  ];
}

function comparePolicies(rows: readonly RecordRows["change"][], journal: Journal, seen: Seen): string[] {
  const violations: string[] = [];
  const policies = policiesFrom(rows);
  if (seen.policies.some((digest, version) => policies[version] !== digest))
    violations.push("an earlier version of the policy has changed");

  const acknowledged = journal.sets.flatMap(({ reply }) => reply ?? []);
  for (const { policy, version } of acknowledged) {
    if (policies[version] !== digestOf(policy))
      violations.push(`policy version ${version} was acknowledged, and differs on record`);
  }
  const last = Math.max(seen.policies.length - 1, ...acknowledged.map(({ version }) => version));
  const unacknowledged = journal.sets.filter(({ reply }) => reply === undefined).length + journal.resets.length;
  // The seed of a new database is a change that no client asked for.
  const most = last + unacknowledged + (seen.policies.length === 0 ? 1 : 0);
  const version = policies.length - 1;
  if (version < last || version > Math.max(most, 1))
    violations.push(`the policy's version is ${version}, not ${last} to ${most}`);
  seen.policies = policies;
  return violations;
}

/** The digest of the policy at each version, from 0. */
function policiesFrom(rows: readonly RecordRows["change"][]): string[] {
  const rules = new Map<string, { agentId: string; namespace: string; allowed: boolean }>();
  const digests: string[] = [];
  const keep = (version: number) => {
    digests[version] = digestOf(policyFrom(rules.values()));
  };
  keep(0);
  let version = 0;
  for (const { agentId, namespace, became, ...change } of rows) {
    if (change.version !== version) keep(version);
    version = change.version;
    const key = JSON.stringify([agentId, namespace]);
    if (became === null) rules.delete(key);
    else rules.set(key, { agentId, namespace, allowed: became === 1 });
  }
  keep(version);
  return digests;
}

function compareReceipts(rows: readonly RecordRows["receipt"][], journal: Journal, seen: Seen): string[] {
  const recorded = new Map(rows.map(({ answerId, body }) => [answerId, body ?? ""]));
  const violations = missing("receipt", seen.receipts, recorded);
  for (const { receipt } of journal.questions) {
    if (receipt !== undefined && recorded.get(receipt.answerId) !== textOnRecord(receipt))
      violations.push(`receipt ${receipt.answerId} was acknowledged, and is missing or differs`);
  }
  // A policy change can make an answer stale. Its receipt stays, and the service makes up to three attempts.
  if (recorded.size > 3 * journal.questions.length)
    violations.push(`there are ${recorded.size} receipts of ${journal.questions.length} questions`);
  seen.receipts = recorded;
  return violations;
}

/** Receipts are on record without the text of memories. */
const textOnRecord = (receipt: Receipt) => canonicalJson(recordedForm(receipt as unknown as AnswerReceipt));

function compareAnchors(rows: readonly RecordRows["anchor"][], journal: Journal, seen: Seen): string[] {
  const recorded = new Map(rows.map(({ blobId, body }) => [blobId, body]));
  const violations = missing("anchor", seen.anchors, recorded);
  const issued = new Map(journal.anchors.map((entry) => [canonicalJson(entry.receipt), entry.issued]));
  for (const { receipt } of journal.onLedger) issued.set(canonicalJson(receipt), true);
  for (const { blobId, body, issuedAnswer } of rows) {
    if (issued.get(body) !== (issuedAnswer !== null))
      violations.push(`anchor ${blobId} was never asked for, or not with this \`issued\``);
  }
  for (const { blobId, receipt } of journal.anchors) {
    if (blobId !== undefined && recorded.get(blobId) !== canonicalJson(receipt))
      violations.push(`anchor ${blobId} was acknowledged, and is missing or differs`);
  }
  seen.anchors = recorded;
  return violations;
}

function compareLedger(
  rows: readonly RecordRows["onLedger"][],
  requests: readonly RecordRows["request"][],
  { onLedger }: Journal,
  seen: Seen,
): string[] {
  const recorded = new Map(rows.map(({ receiptId, txDigest, digest }) => [receiptId, `${digest} ${txDigest}`]));
  const violations = missing("receipt on the ledger", seen.onLedger, recorded);
  for (const { reply, receipt } of onLedger) {
    if (reply !== undefined && recorded.get(reply.receiptId) !== `${digestOf(receipt)} ${reply.txDigest}`)
      violations.push(`receipt ${reply.receiptId} on the ledger was acknowledged, and is missing or differs`);
  }
  const asked = Map.groupBy(onLedger, ({ receipt }) => digestOf(receipt));
  for (const [what, entries] of [
    ["receipts on the ledger", rows],
    ["requests", requests],
  ] as const) {
    for (const [digest, same] of Map.groupBy(entries as readonly { digest: string }[], (entry) => entry.digest)) {
      const most = asked.get(digest)?.length ?? 0;
      if (same.length > most)
        violations.push(`there are ${same.length} ${what} of ${digest}, and ${most} were asked for`);
    }
  }
  for (const { id, receiptId } of requests) if (receiptId === null) violations.push(`request ${id} is still pending`);
  seen.onLedger = recorded;
  return violations;
}

function missing(what: string, seen: ReadonlyMap<string, string>, recorded: ReadonlyMap<string, string>): string[] {
  return [...seen].flatMap(([id, value]) =>
    recorded.get(id) === value ? [] : [`${what} ${id} was on record, and is missing or differs`],
  );
}
