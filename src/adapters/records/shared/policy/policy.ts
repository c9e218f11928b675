// The policy: changes of rules, which share turns behind the fence, and changes of the whole.
import { limitReached, ruleRefusal } from "#adapters/records/shared/limits.ts";
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { changedEvent, eventStatements } from "#adapters/records/shared/logs/events.ts";
import { nameStatements, namesOfRule, takingNames } from "#adapters/records/shared/memories/names.ts";
import { type Database, type Results, type Statement, statement } from "#adapters/records/shared/sql.ts";
import { PortcullisError } from "#core/errors.ts";
import { type AccessRule, changeBy, keyOf, policyFrom, type RuleChange, type WantedRule } from "#core/gate/policy.ts";
import { nextChainHash, policyDigestOf } from "#core/gate/policy-chain.ts";
import type { NewEntry } from "#core/log/entry.ts";
import { ConfusableNameError } from "#core/names/confusable-name.ts";
import type { Decision, NewEvent, PolicyRecords, RecordLimits, SetOptions, Stamp } from "#ports.ts";
import { CHANGES_A_TURN, type Fence, type FencedPlan } from "./fence.ts";
import * as stored from "./policy-statements.ts";

const RECORD_MOVE = statement`INSERT INTO ledger_gate_moves (tenant, gate_id, version, after_version) VALUES ($tenant, $1, $2, $3)`;

export function policyRecords(database: Database, limits: RecordLimits, fence: Fence): PolicyRecords {
  const { row, snapshot } = database;
  const change = policyChanges(limits);
  return {
    async current() {
      const [[counters], rules] = await snapshot([stored.readCounters, stored.readPolicy]);
      return { policy: policyFrom(rules), version: (counters as stored.Counters).policy };
    },
    version: async () => (await row(stored.readCounters))?.policy ?? 0,
    ...ruleSetter(database, limits, fence),
    async moveBeyond(past, { gateId, after }, stamp) {
      database.requireRoom();
      const moved = (version: number) => [RECORD_MOVE(gateId, version, after)];
      const { reads, decide } = change({ changed: stored.noRule, past, after: moved, events: () => [] }, stamp);
      await fence.change(reads, decide);
    },
    changesFrom: ({ version, rules }, limit) => database.rows(stored.CHANGES_FROM(version, limit, rules)),
    changes: async (query) => stored.toChangePage(await stored.readChanges(database, query), query),
    passFence: fence.pass,
    onChange: fence.onChange,
  };
}

interface WantedChange {
  /** The version to go beyond, if that is greater than the policy's own. */
  readonly past?: number;
  readonly changed: Statement<RuleChange>;
  /** To run together with the change. */
  readonly after?: (version: number) => readonly Statement[];
  readonly events: (changes: readonly RuleChange[]) => readonly NewEvent[];
}

/** A change of the policy as one version: what to read behind the fence, and what to make of it. */
export function policyChanges(limits: RecordLimits) {
  return ({ past = 0, changed, after = () => [], events }: WantedChange, stamp: Stamp) => ({
    reads: [changed, stored.readHead],
    /** The outcome is whether a rule changed. Throws when there would be too many rules. */
    decide(rows: Results): FencedPlan<boolean> {
      const [changes, [current]] = rows.slice(-2) as unknown as [RuleChange[], [stored.PolicyHead]];
      const head = headAfter(current, changes, { limits, past, stamp });
      const isChange = changes.length > 0;
      return {
        statements: [
          ...stored.policyStatements.apply(isChange ? [{ changes, head, stamp }] : []),
          ...after(head.version),
          ...decisionStatements.add([stamp.decision]),
          ...eventStatements.add(events(changes), isChange ? [policyEntry(head)] : []),
        ],
        outcome: isChange,
        isChange: true,
      };
    },
  });
}

const policyEntry = ({ version, chainHash }: stored.PolicyHead): NewEntry => ({
  kind: "policy",
  details: { version, link: policyDigestOf(chainHash) },
});

/** With limits, throws when there would be too many rules. */
function headAfter(
  head: stored.PolicyHead,
  changes: readonly RuleChange[],
  { limits, past = 0, stamp: { by, at } }: { limits?: RecordLimits; past?: number; stamp: Stamp },
) {
  if (changes.length === 0) return head;
  // The change of no rule adds one and removes one.
  const added = changes.filter(({ from }) => from === null).length - changes.filter(({ to }) => to === null).length;
  const rules = head.rules + added;
  const limit = head.quota ?? limits?.policyRules ?? Number.POSITIVE_INFINITY;
  if (limits !== undefined && added > 0 && rules > limit)
    throw limitReached("policyRules", { limit, isOwn: head.quota !== null });
  const version = Math.max(head.version, past) + 1;
  const logged = changes.map((change) => ({ ...change, by, at }));
  return { ...head, version, rules, chainHash: nextChainHash(head.chainHash, version, logged) };
}

interface Setting extends SetOptions {
  readonly rules: readonly WantedRule[];
  readonly stamp: Stamp;
}

interface Refused {
  readonly error: PortcullisError;
  /** Of the rule, if it is because of one. */
  readonly index?: number;
}

type Outcome = number | Refused;

/** Sets rules in turns behind the fence, each setting with a version of its own. One that is refused voids no other. */
function ruleSetter(database: Database, limits: RecordLimits, fence: Fence): Pick<PolicyRecords, "set" | "setAll"> {
  const inTurn = database.inTurns<Setting, Outcome>(
    { max: CHANGES_A_TURN, weightOf: ({ rules }) => rules.length, callerOf: ({ stamp }) => stamp.by, isUrgent: true },
    async (batch) => {
      const outcomes = await fence.change(readsFor(batch), ([rules, counts, [head]]) => {
        const planned = plan(batch, { rules, counts, head: head as stored.PolicyHead }, limits);
        return {
          statements: statementsOf(batch, planned),
          outcome: planned.outcomes,
          isChange: planned.versions.length > 0,
        };
      });
      return (setting) => outcomes.get(setting) as Outcome;
    },
  );

  function readsFor(batch: readonly Setting[]) {
    const all = batch.flatMap(({ rules }) => rules);
    const bounded = batch.flatMap(({ rules, admin }) =>
      admin === "namespace-admin" ? rules.filter(({ allowed }) => allowed) : [],
    );
    const namespaces = [...new Set(bounded.map(({ namespace }) => namespace))];
    // A namespace may have more rules than its own admins may give it, and some of them are about to be removed.
    const most = limits.namespaceRules + all.filter(({ allowed }) => allowed === null).length;
    return [
      stored.policyStatements.rules(all),
      stored.policyStatements.count(namespaces, most),
      stored.readHead,
    ] as const;
  }

  function statementsOf(batch: readonly Setting[], { outcomes, versions }: ReturnType<typeof plan>): Statement[] {
    const done = batch.filter((setting) => typeof outcomes.get(setting) === "number");
    const changed = new Map(versions.map((version) => [version.setting, version.changes]));
    // A repeat is answered also when only the disk's reserve is left, because its caller may not have heard the answer to the
    // first, but then off the record: else it could be repeated until the reserve is used up.
    const decided = hasRoom(database) ? done : done.filter((setting) => changed.has(setting));
    const byNaming = Map.groupBy(versions, ({ setting }) => setting.allowConfusable === true);
    const namesOf = (mayBeAlike: boolean) =>
      (byNaming.get(mayBeAlike) ?? []).flatMap(({ setting }) => setting.rules.flatMap(namesOfRule));
    return [
      ...stored.policyStatements.apply(versions),
      ...nameStatements.use(namesOf(false)),
      ...nameStatements.useAnyway(namesOf(true)),
      ...decisionStatements.add(
        decided.flatMap((setting) => decisionsOf(setting.stamp.decision, changed.get(setting))),
      ),
      ...eventStatements.add(
        versions.flatMap(({ changes, head, stamp }) =>
          changes.map((change) => changedEvent(change, head.version, stamp.at)),
        ),
        versions.map(({ head }) => policyEntry(head)),
      ),
    ];
  }

  async function set(rules: readonly WantedRule[], stamp: Stamp, options: SetOptions = {}): Promise<Outcome> {
    // There is always room to revoke.
    if (rules.some(({ allowed }) => allowed)) database.requireRoom();
    const taken = rules.flatMap(namesOfRule);
    return takingNames(database, taken, () => inTurn({ ...options, rules, stamp }), options);
  }

  return {
    async set(rule, stamp, options) {
      const outcome = await set([rule], stamp, options);
      if (typeof outcome !== "number") throw outcome.error;
      return { version: outcome };
    },
    async setAll(rules, stamp, options) {
      const outcome = await set(rules, stamp, options).catch((error: unknown) => refusedName(error, rules));
      if (typeof outcome === "number") return { version: outcome };
      const { error, index } = outcome;
      throw index === undefined ? error : error.at(`#/rules/${index}`);
    },
  };
}

/** Of a setting that changes no rule, the row that it came with. */
function decisionsOf(decision: Decision | undefined, changes: readonly RuleChange[] | undefined): Decision[] {
  if (decision === undefined) return [];
  if (changes === undefined) return [decision];
  return changes.map(({ agentId, namespace, to }) => ({ ...decision, agentId, namespace, details: { allowed: to } }));
}

function refusedName(error: unknown, rules: readonly WantedRule[]): never {
  if (!(error instanceof ConfusableNameError)) throw error;
  const field = error.kind === "agent" ? "agentId" : "namespace";
  const index = rules.findIndex((rule) => rule.allowed && rule[field] === error.given);
  throw error.at(`#/rules/${index}/${field}`);
}

function hasRoom({ requireRoom }: Database): boolean {
  try {
    requireRoom();
    return true;
  } catch {
    return false;
  }
}

const movedOn = (version: number) =>
  new PortcullisError("policy-changed", `The policy has version ${version} by now. Look at it again, then decide.`);

interface Found {
  readonly rules: readonly AccessRule[];
  /** Of rules, by namespace. */
  readonly counts: readonly (readonly [namespace: string, count: number])[];
  readonly head: stored.PolicyHead;
}

/** Decides what each setting changes, one after another, as if each had a transaction of its own. */
function plan(batch: readonly Setting[], found: Found, limits: RecordLimits) {
  const rules = new Map<string, boolean | null>(found.rules.map((rule) => [keyOf(rule), rule.allowed]));
  const counts = new Map(found.counts);
  const outcomes = new Map<Setting, Outcome>();
  const versions: (stored.NewVersion & { readonly setting: Setting })[] = [];
  let { head } = found;

  /** The changes of a setting, or why one of its rules is refused. */
  function changesOf({ rules: wanted, admin = "admin", ifVersion = head.version }: Setting) {
    if (ifVersion !== head.version) return { refused: { error: movedOn(head.version) } };
    const changes: RuleChange[] = [];
    const added = new Map<string, number>();
    let all = head.rules;
    for (const [index, rule] of wanted.entries()) {
      const change = changeBy(rule, rules.get(keyOf(rule)) ?? null);
      if (change === undefined) continue;
      const inNamespace = () => (counts.get(rule.namespace) ?? 0) + (added.get(rule.namespace) ?? 0);
      const error =
        change.from === null ? ruleRefusal(admin, { all, inNamespace, quota: head.quota }, limits) : undefined;
      if (error !== undefined) return { refused: { error, index } };
      const more = Number(change.from === null) - Number(change.to === null);
      added.set(rule.namespace, (added.get(rule.namespace) ?? 0) + more);
      all += more;
      changes.push(change);
    }
    return { changes, added };
  }

  for (const setting of batch) {
    const { refused, changes = [], added = [] } = changesOf(setting);
    if (changes.length > 0) {
      head = headAfter(head, changes, setting);
      for (const change of changes) rules.set(keyOf(change), change.to);
      for (const [namespace, more] of added) counts.set(namespace, (counts.get(namespace) ?? 0) + more);
      versions.push({ changes, head, stamp: setting.stamp, setting });
    }
    outcomes.set(setting, refused ?? head.version);
  }
  return { outcomes, versions };
}
