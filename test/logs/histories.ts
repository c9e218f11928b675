// Histories of a log, as an honest service makes them, and as operators forge them who have the database and all keys.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { completed } from "#core/gate/gate.ts";
import { type Bounds, createChainAudit, type FindingCode, type Report } from "#core/log/audit/chain-audit.ts";
import { boundsOf, type Sight } from "#core/log/audit/follow-log.ts";
import {
  checkGate,
  checkOtherTenants,
  checkPolicyVersions,
  checkReceipt,
  checkRemoved,
  checkRules,
  checkSigningKeys,
  type GateOnLedger,
  type RecordedAnswer,
} from "#core/log/audit/records-audit.ts";
import { type DisclosedEntry, disclosed, type EntryKind, type RecordedEntry } from "#core/log/entry.ts";
import { integrate } from "#core/log/integrate.ts";

const START = Date.parse("2026-01-02T03:04:05.678Z");
const DELAY_MS = 60_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEPLOYMENT = 0;
const TENANT = 1;
const OTHER = 2;
const KEY = "07".repeat(32);
export const LOG = "memory.example/log";

const hex = (text: string) => createHash("sha256").update(text).digest("hex");

/** What an operator has in hand: entries in the order of commits, and what is on record. */
/** As one that a commit recorded alone. */
export interface HistoryEntry extends RecordedEntry {
  readonly tenant: number;
}

export interface History {
  readonly entries: HistoryEntry[];
  readonly receipts: RecordedAnswer[];
  readonly changes: { version: number; agentId: string; namespace: string; to: boolean | null; at: string }[];
  readonly rules: { agentId: string; namespace: string; allowed: boolean }[];
  readonly signingKeys: { publicKey: string; createdAt: string; endedAt?: string }[];
  readonly sights: Sight[];
  readonly end: number;
  /** What the ledger says of the tenant's gate, if it is not what the service told it. */
  readonly gate?: Partial<GateOnLedger>;
  /** Those that the log had before, and when they ended. */
  readonly names?: readonly (readonly [string, number])[];
}

const ACTIONS = [
  ...["answer", "answer", "answer", "recall", "end", "end", "end", "break", "policy", "rule-meanwhile"],
  ...[
    "api-key",
    "rotate-api-key",
    "end-api-key",
    "rotate-signing-key",
    "captured",
    "other",
    "outage",
    "sight",
    "prune",
    "import",
    "import-of-tenant",
    "restore",
  ],
] as const;

export const actions = fc.array(
  fc.record({ kind: fc.constantFrom(...ACTIONS), wait: fc.integer({ min: 0, max: 90_000 }), pick: fc.nat(1_000) }),
  { minLength: 20, maxLength: 80 },
);

type Action = { readonly kind: (typeof ACTIONS)[number]; readonly wait: number; readonly pick: number };

/** What an honest service records while these things happen. */
export function honestHistory(given: readonly Action[]): History {
  const [entries, receipts, changes]: [HistoryEntry[], RecordedAnswer[], History["changes"]] = [[], [], []];
  const rules = new Map<string, History["rules"][number]>();
  const numbers = new Map<number, number>();
  const signingKeys: History["signingKeys"] = [];
  let open: { id: string; version: number; at: number }[] = [];
  let apiKeys: string[] = [];
  let sights: Sight[] = [];
  let [now, version, answers] = [START, 0, 0];
  const names: [string, number][] = [];
  /** How many versions the ledger has beyond those of a backup. */
  let ahead = 0;
  const iso = () => new Date(now).toISOString();

  function record(kind: EntryKind, more: Partial<HistoryEntry> = {}): void {
    const { tenant = TENANT, ...fields } = more;
    const number = (numbers.get(tenant) ?? 0) + 1;
    numbers.set(tenant, number);
    entries.push({ tenant, number, at: iso(), kind, ...fields });
  }
  function beginKey(): void {
    const last = signingKeys.at(-1);
    const publicKey = hex(`key ${signingKeys.length}`);
    record("signing-key", { tenant: DEPLOYMENT, details: { publicKey, state: "begun" } });
    if (last !== undefined && signingKeys.length % 2 === 1) {
      record("signing-key", { tenant: DEPLOYMENT, details: { publicKey: last.publicKey, state: "ended" } });
      last.endedAt = iso();
    }
    signingKeys.push({ publicKey, createdAt: iso() });
  }
  function changePolicy(): void {
    version += 1 + ahead;
    ahead = 0;
    const [agentId, namespace] = [`agent ${version % 3}`, `namespace ${version % 2}`];
    const to = version % 5 === 0 ? null : version % 4 !== 0;
    changes.unshift({ version, agentId, namespace, to, at: iso() });
    rules.delete(`${agentId} ${namespace}`);
    if (to !== null) rules.set(`${agentId} ${namespace}`, { agentId, namespace, allowed: to });
    record("policy", { details: { version, link: hex(`policy ${version}`) } });
  }
  function begin(policyVersion: number) {
    answers += 1;
    const answer = { id: `answer ${answers}`, version: policyVersion, at: now };
    record("opened", { about: answer.id, details: { policyVersion }, inForce: version });
    return answer;
  }
  function issue(answer: (typeof open)[number]): void {
    const signature = hex(`signature of ${answer.id}`);
    record("issued", { about: answer.id, details: { receipt: hex(answer.id), signature } });
    receipts.push({
      answerId: answer.id,
      createdAt: new Date(answer.at).toISOString(),
      signatureDigest: signature,
      publicKey: signingKeys.at(-1)?.publicKey,
      promisedBy: LOG,
      policyVersion: answer.version,
      policyDigest: hex(`policy ${answer.version}`),
      isAnchored: answers % 7 === 0,
    });
  }
  /** A receipt that others gave, or this service, as far as a backup does not know. */
  function importReceipt(
    answerId: string,
    given: Pick<RecordedAnswer, "createdAt" | "promisedBy" | "publicKey">,
  ): void {
    const signatureDigest = hex(`signature of ${answerId}`);
    record("imported", { about: answerId, details: { signature: signatureDigest } });
    const policy = { policyVersion: 1, policyDigest: hex("policy of others") };
    receipts.push({ answerId, signatureDigest, isAnchored: false, ...policy, ...given });
  }
  const ago = (minutes: number) => new Date(now - minutes * MINUTE_MS).toISOString();
  /** A deployment's log under another name, from a backup that has some answers as open, and lacks versions of the policy. */
  function restore(pick: number): void {
    const name = `memory.example/before-${names.length}`;
    const publicKey = signingKeys.at(-1)?.publicKey;
    now += MINUTE_MS;
    record("restored", { tenant: DEPLOYMENT, details: { checkpoint: `${name}\n` } });
    names.push([name, now]);
    for (const [i, { id, at }] of open.entries()) {
      if (i % 2 === 0) record("broken-off", { about: id });
      if ((i + pick) % 3 > 0) importReceipt(id, { createdAt: new Date(at).toISOString(), promisedBy: name, publicKey });
      else if (i % 2 !== 0) record("broken-off", { about: id });
    }
    open = [];
    importReceipt(`lost ${now}`, { createdAt: ago(2 + pick), promisedBy: name, publicKey });
    ahead = pick % 4;
  }
  /** An answer takes up to ten minutes; one whose process is gone is noticed in fewer than fifteen. */
  function endOverdue(): void {
    for (const answer of open.filter(({ at }) => now - at > 9 * MINUTE_MS)) record("broken-off", { about: answer.id });
    open = open.filter(({ at }) => now - at <= 9 * MINUTE_MS);
  }
  function act({ kind, pick }: Action): void {
    const chosen = pick % Math.max(1, open.length);
    const [answer] = kind === "end" || kind === "break" ? open.splice(chosen, 1) : [];
    if (answer !== undefined && kind === "end") issue(answer);
    else if (answer !== undefined) record("broken-off", { about: answer.id });
    else if (kind === "answer") open.push(begin(version));
    else if (kind === "recall") issue(begin(version));
    else if (kind === "policy") changePolicy();
    else if (kind === "rule-meanwhile") {
      const before = version;
      changePolicy();
      now += pick * 50;
      if (before > 0) open.push(begin(before));
    } else if (kind === "api-key") {
      apiKeys.push(`key ${now} ${pick}`);
      record("api-key", { about: apiKeys.at(-1) ?? "", details: { state: "begun" } });
    } else if (kind === "rotate-api-key" && apiKeys[0])
      record("api-key", { about: apiKeys[0], details: { state: "rotated" } });
    else if (kind === "end-api-key" && apiKeys[0]) {
      record("api-key", { about: apiKeys[0], details: { state: "ended" } });
      apiKeys = apiKeys.slice(1);
    } else if (kind === "rotate-signing-key") beginKey();
    else if (kind === "captured") record("captured", { about: `memory ${pick}` });
    else if (kind === "other") record("opened", { tenant: OTHER, about: `other ${now} ${pick}`, inForce: 0 });
    else if (kind === "outage") {
      now += pick * MINUTE_MS;
      for (const left of open) record("broken-off", { about: left.id });
      open = [];
    } else if (kind === "sight") {
      const placed = entries.filter(({ at }) => Date.parse(at) <= now - (pick % DELAY_MS)).length;
      sights = [...sights, { size: placed, at: now + (pick % 2_000) - 1_000 }].slice(-2);
    } else if (kind === "restore") restore(pick);
    else if (kind === "import") {
      // Their keys are entered as ended, or not at all in another tenant than the first.
      const publicKey = pick % 2 === 0 ? undefined : hex(`foreign key ${pick}`);
      const isNew = !signingKeys.some((key) => key.publicKey === publicKey);
      if (publicKey !== undefined && isNew) {
        record("signing-key", { tenant: DEPLOYMENT, details: { publicKey, state: "ended" } });
        signingKeys.unshift({ publicKey, createdAt: ago(1), endedAt: iso() });
      }
      importReceipt(`foreign ${now} ${pick}`, { createdAt: ago(pick), promisedBy: "other.example/log", publicKey });
    } else if (kind === "import-of-tenant") {
      const about = `answer of another ${now} ${pick}`;
      record("opened", { tenant: OTHER, about, inForce: 0 });
      record("issued", {
        tenant: OTHER,
        about,
        details: { receipt: hex(about), signature: hex(`signature of ${about}`) },
      });
      importReceipt(about, { createdAt: ago(pick), promisedBy: LOG, publicKey: signingKeys.at(-1)?.publicKey });
    } else if (kind === "prune") prune(receipts, now - 30 * MINUTE_MS);
  }

  beginKey();
  record("captured", { about: "first" });
  for (const action of given) {
    now += action.wait;
    endOverdue();
    act(action);
  }
  const isFarApart = sights.length === 2 && (sights[1]?.at ?? 0) - (sights[0]?.at ?? 0) >= 10_000;
  const seen = isFarApart ? sights : [];
  return {
    entries,
    receipts,
    changes,
    rules: [...rules.values()],
    signingKeys,
    sights: seen,
    end: now,
    names,
    gate: { version: version + ahead },
  };
}

function prune(receipts: RecordedAnswer[], before: number): void {
  const kept = receipts.filter(({ createdAt, isAnchored }) => isAnchored || Date.parse(createdAt) >= before);
  receipts.splice(0, receipts.length, ...kept);
}

/** The tree that has the entries, as they are: an operator who forges places what he likes. */
export function disclose(entries: readonly HistoryEntry[]): ReadonlyMap<number, DisclosedEntry[]> {
  const key = Buffer.from(KEY, "hex");
  const chains = new Map<number, DisclosedEntry[]>();
  for (const [index, { tenant, ...entry }] of entries.entries())
    chains.set(tenant, [...(chains.get(tenant) ?? []), disclosed(key, entry, index)]);
  return chains;
}

/** As the service itself places them. */
export function placed(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const batches = entries.map(({ tenant, number, at, inForce = null, ...entry }) => ({
    ...{ tenant, last: number, at, inForce },
    entries: JSON.stringify([entry]),
  }));
  const grown = completed(integrate({ size: 0, edge: [], chains: [] }, batches, () => KEY));
  return grown.placed.map(({ tenant, last, at }) => ({
    ...(entries.find((entry) => entry.tenant === tenant && entry.number === last) as HistoryEntry),
    at,
  }));
}

/** The codes of all that an auditor finds. */
export function audit(history: History, chains = disclose(history.entries)): FindingCode[] {
  const codes: FindingCode[] = [];
  const report: Report = (code) => void codes.push(code);
  const bounds: Bounds = boundsOf(history.sights, history.end, DELAY_MS);
  const deployment = createChainAudit({ report, bounds });
  const tenant = createChainAudit({ report, bounds, restored: deployment.restorations });
  for (const entry of chains.get(DEPLOYMENT) ?? []) deployment.add(entry);
  for (const entry of chains.get(TENANT) ?? []) tenant.add(entry);
  for (const { at } of history.sights) tenant.checkOpen(at);
  tenant.checkOpen(history.end);
  const both = { tenant, deployment, names: new Map([...(history.names ?? []), [LOG, Number.POSITIVE_INFINITY]]) };
  const whose = history.receipts.map((receipt) => checkReceipt(both, receipt, report));
  if (whose.includes(undefined)) report("receipt-not-in-log", "");
  const others = [...chains.keys()].filter((each) => each !== TENANT && each !== DEPLOYMENT);
  const entriesOfOthers = others.flatMap((each) => chains.get(each) ?? []).length;
  checkOtherTenants(whose.filter((each) => each === "another-tenant").length, entriesOfOthers, report);
  checkRemoved(both, history.receipts, report);
  checkSigningKeys(both, history.signingKeys, history.end, report);
  checkPolicyVersions(both, history.changes, history.end, report);
  checkRules(history.changes, history.rules, report);
  const begun = [...deployment.keys.values()]
    .filter((key) => key.begun !== key.ended)
    .map((key) => key.begun.publicKey);
  const told = {
    chain: { origin: LOG, size: tenant.end().number, root: Buffer.from(tenant.end().chain, "hex") },
    keys: begun.map((publicKey) => ({ publicKey: Buffer.from(publicKey, "hex"), addedAtMs: START })),
    version: history.changes[0]?.version ?? 0,
  };
  const gate = { ...told, closedAtMs: START, isAnothers: false, ...history.gate };
  checkGate(both, gate, history.end + HOUR_MS, report);
  return codes;
}
