// Compares what is on record after a crash with the journal of what was asked and acknowledged before it.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { RecordAudit, RecordRows } from "#ports.ts";
import { SEED_FACTS } from "#service/operations/seed.ts";
import { allOf } from "#test/support/all-of.ts";
import type { Capture, Journal } from "./journal.ts";

/** What earlier checks have seen: it may not vanish, and only a reset makes memories go. */
export interface Seen {
  readonly memories: Map<string, Capture>;
  readonly gone: Set<string>;
  /** The policy's digest at each version. */
  policies: readonly string[];
  receipts: ReadonlyMap<string, string>;
  anchors: ReadonlyMap<string, string>;
  onLedger: ReadonlyMap<string, string>;
}

export function nothingSeen(): Seen {
  const none = new Map<string, string>();
  return { memories: new Map(), gone: new Set(), policies: [], receipts: none, anchors: none, onLedger: none };
}

/** Answers with what is wrong, a sentence each, and takes what is there as seen. */
export async function compare({ rows }: Pick<RecordAudit, "rows">, journal: Journal, seen: Seen): Promise<string[]> {
  return [
    ...compareMemories(await allOf(rows("memory")), journal, seen),
    ...comparePolicies(await allOf(rows("change")), journal, seen),
    ...compareReceipts(await allOf(rows("receipt")), journal, seen),
    ...compareAnchors(await allOf(rows("anchor")), journal, seen),
    ...compareLedger(await allOf(rows("onLedger")), await allOf(rows("request")), journal, seen),
  ];
}

function compareMemories(rows: readonly RecordRows["memory"][], journal: Journal, seen: Seen): string[] {
  const wrong: string[] = [];
  const seeds = new Set(SEED_FACTS.map(({ content }) => content));
  const there = new Map<string, RecordRows["memory"]>();
  for (const row of rows) {
    if (there.has(row.content)) wrong.push(`memory ${row.memoryId} is there twice`);
    there.set(row.content, row);
  }
  const isSeeded = [...seeds].every((content) => there.has(content));
  if (!isSeeded) wrong.push("the seed is not there, or not all of it");

  const asked = new Map([...seen.memories.values(), ...journal.captures].map((entry) => [entry.content, entry]));
  for (const { content, memoryId, namespace, sourceAgent, storeRef } of rows) {
    const entry = asked.get(content);
    if (seeds.has(content)) continue;
    if (seen.gone.has(content)) wrong.push(`memory ${memoryId} is there again, and was forgotten`);
    else if (entry === undefined) wrong.push(`memory ${memoryId} was never asked for`);
    else if (entry.namespace !== namespace || entry.sourceAgent !== sourceAgent)
      wrong.push(`memory ${memoryId} is another`);
    else if (entry.memoryId !== undefined && (entry.memoryId !== memoryId || entry.storeRef !== storeRef))
      wrong.push(`memory ${memoryId} was acknowledged as ${entry.memoryId}`);
  }
  wrong.push(...lostMemories([...asked.values()], journal, there));
  seen.memories.clear();
  for (const [content, entry] of asked) {
    const row = there.get(content);
    if (row === undefined) seen.gone.add(content);
    else seen.memories.set(content, { ...entry, ...row, asked: 0, acknowledged: 0 });
  }
  return wrong;
}

/** Those that must be there and are not, or the other way round. A reset that nobody acknowledged took all or none. */
function lostMemories(
  captures: readonly Capture[],
  { resets }: Journal,
  there: ReadonlyMap<string, unknown>,
): string[] {
  const wrong: string[] = [];
  const before = { kept: 0, gone: 0 };
  for (const { content, asked, acknowledged, memoryId = "of nobody" } of captures) {
    if (acknowledged === undefined) continue;
    const later = resets.filter((reset) => reset.acknowledged === undefined || reset.acknowledged > asked);
    const isThere = there.has(content);
    if (later.length === 0 && !isThere) wrong.push(`memory ${memoryId} was acknowledged, and is lost`);
    const [certain, open] = [later.some(isAfter(acknowledged, true)), later.some(isAfter(acknowledged, false))];
    if (certain && isThere) wrong.push(`memory ${memoryId} was acknowledged as forgotten, and is there`);
    if (open && !certain && later.length === 1) before[isThere ? "kept" : "gone"] += 1;
  }
  if (before.kept > 0 && before.gone > 0) wrong.push(`a reset took ${before.gone} memories, and left ${before.kept}`);
  return wrong;
}

/** Whether a reset was asked for after this moment, and was acknowledged, or not. */
const isAfter = (moment: number, isAcknowledged: boolean) => (reset: Journal["resets"][number]) =>
  reset.asked > moment && (reset.acknowledged !== undefined) === isAcknowledged;

function comparePolicies(rows: readonly RecordRows["change"][], journal: Journal, seen: Seen): string[] {
  const wrong: string[] = [];
  const policies = policiesFrom(rows);
  if (seen.policies.some((digest, version) => policies[version] !== digest)) wrong.push("the policy's past is another");

  const told = journal.sets.flatMap(({ got }) => got ?? []);
  for (const { policy, version } of told) {
    if (policies[version] !== digestOf(policy))
      wrong.push(`policy version ${version} was acknowledged, and is another`);
  }
  const last = Math.max(seen.policies.length - 1, ...told.map(({ version }) => version));
  const untold = journal.sets.filter(({ got }) => got === undefined).length + journal.resets.length;
  // The first content of a database is a change that nobody asked for.
  const most = last + untold + (seen.policies.length === 0 ? 1 : 0);
  const version = policies.length - 1;
  if (version < last || version > Math.max(most, 1))
    wrong.push(`the policy's version is ${version}, not ${last} to ${most}`);
  seen.policies = policies;
  return wrong;
}

/** The digest of the policy at each version, from 0. */
function policiesFrom(rows: readonly RecordRows["change"][]): string[] {
  const leaves = new Map<string, { agentId: string; namespace: string; allowed: boolean }>();
  const digests: string[] = [];
  const keep = (version: number) => {
    digests[version] = digestOf(policyFrom(leaves.values()));
  };
  keep(0);
  let version = 0;
  for (const { agentId, namespace, became, ...change } of rows) {
    if (change.version !== version) keep(version);
    version = change.version;
    const key = JSON.stringify([agentId, namespace]);
    if (became === null) leaves.delete(key);
    else leaves.set(key, { agentId, namespace, allowed: became === 1 });
  }
  keep(version);
  return digests;
}

function compareReceipts(rows: readonly RecordRows["receipt"][], journal: Journal, seen: Seen): string[] {
  const there = new Map(rows.map(({ answerId, body }) => [answerId, body ?? ""]));
  const wrong = lost("receipt", seen.receipts, there);
  for (const { receipt } of journal.questions) {
    if (receipt !== undefined && there.get(receipt.answerId) !== canonicalJson(receipt))
      wrong.push(`receipt ${receipt.answerId} was acknowledged, and is lost, or another`);
  }
  // An answer that a change of the policy undid leaves its receipt, and is tried three times.
  if (there.size > 3 * journal.questions.length)
    wrong.push(`there are ${there.size} receipts of ${journal.questions.length} questions`);
  seen.receipts = there;
  return wrong;
}

function compareAnchors(rows: readonly RecordRows["anchor"][], journal: Journal, seen: Seen): string[] {
  const there = new Map(rows.map(({ blobId, body }) => [blobId, body]));
  const wrong = lost("anchor", seen.anchors, there);
  const issued = new Map(journal.anchors.map((entry) => [canonicalJson(entry.receipt), entry.issued]));
  for (const { receipt } of journal.onLedger) issued.set(canonicalJson(receipt), true);
  for (const { blobId, body, issuedAnswer } of rows) {
    if (issued.get(body) !== (issuedAnswer !== null)) wrong.push(`anchor ${blobId} was never asked for like this`);
  }
  for (const { blobId, receipt } of journal.anchors) {
    if (blobId !== undefined && there.get(blobId) !== canonicalJson(receipt))
      wrong.push(`anchor ${blobId} was acknowledged, and is lost, or another`);
  }
  seen.anchors = there;
  return wrong;
}

function compareLedger(
  rows: readonly RecordRows["onLedger"][],
  requests: readonly RecordRows["request"][],
  { onLedger }: Journal,
  seen: Seen,
): string[] {
  const there = new Map(rows.map(({ receiptId, txDigest, digest }) => [receiptId, `${digest} ${txDigest}`]));
  const wrong = lost("receipt on the ledger", seen.onLedger, there);
  for (const { got, receipt } of onLedger) {
    if (got !== undefined && there.get(got.receiptId) !== `${digestOf(receipt)} ${got.txDigest}`)
      wrong.push(`receipt ${got.receiptId} was acknowledged as being on the ledger, and is not on record, or another`);
  }
  const asked = Map.groupBy(onLedger, ({ receipt }) => digestOf(receipt));
  for (const [what, entries] of [
    ["receipts on the ledger", rows],
    ["requests", requests],
  ] as const) {
    for (const [digest, same] of Map.groupBy(entries as readonly { digest: string }[], (entry) => entry.digest)) {
      const most = asked.get(digest)?.length ?? 0;
      if (same.length > most) wrong.push(`there are ${same.length} ${what} of ${digest}, and ${most} were asked for`);
    }
  }
  for (const { id, receiptId } of requests) if (receiptId === null) wrong.push(`request ${id} has not come to its end`);
  seen.onLedger = there;
  return wrong;
}

function lost(what: string, seen: ReadonlyMap<string, string>, there: ReadonlyMap<string, string>): string[] {
  return [...seen].flatMap(([id, value]) => (there.get(id) === value ? [] : [`${what} ${id} was there, and is lost`]));
}
