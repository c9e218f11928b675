// The policy: sets of single rules, which share turns behind the fence, and changes of the whole.
import { limitReached, ruleRefusal } from "#adapters/records/shared/limits.ts";
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { changedEvent, eventStatements } from "#adapters/records/shared/logs/events.ts";
import { nameStatements, namesOfRule, takingNames } from "#adapters/records/shared/memories/names.ts";
import type { Database, Results, Statement } from "#adapters/records/shared/sql/database.ts";
import { PortcullisError } from "#core/errors.ts";
import { type AccessRule, changeBy, policyFrom, type RuleChange } from "#core/gate/policy.ts";
import { nextChainHash } from "#core/gate/policy-chain.ts";
import type { NewEvent, PolicyAdmin, PolicyRecords, RecordLimits, Stamp } from "#ports.ts";
import { CHANGES_A_TURN, type Fence, type FencedPlan } from "./fence.ts";
import {
  type ChangeRow,
  type Counters,
  keyOf,
  type NewVersion,
  noRule,
  type PolicyHead,
  policyStatements,
  type RuleRow,
  readChanges,
  readChangesFrom,
  readCounters,
  readHead,
  readPolicy,
  toChange,
  toChangePage,
  toRule,
} from "./policy-statements.ts";

const RECORD_MOVE =
  "INSERT INTO ledger_gate_moves (tenant, gate_id, version, after_version) VALUES ($tenant, $1, $2, $3)";

export function policyRecords(database: Database, limits: RecordLimits, fence: Fence): PolicyRecords {
  const { row, snapshot } = database;
  const change = policyChanges(database, limits);
  return {
    async current() {
      const [[counters], rules] = (await snapshot([readCounters, readPolicy])) as unknown as [[Counters], RuleRow[]];
      return { policy: policyFrom(rules.map(toRule)), version: counters.policy };
    },
    version: async () => (await row<Counters>(readCounters))?.policy ?? 0,
    set: ruleSetter(database, limits, fence),
    async moveBeyond(past, { gateId, after }, stamp) {
      database.requireRoom();
      const moved = (version: number) => [{ text: RECORD_MOVE, values: [gateId, version, after] }];
      const { reads, decide } = change({ changed: noRule, past, after: moved, events: () => [] }, stamp);
      await fence.change(reads, decide);
    },
    changesFrom: (from, limit) => readChangesFrom(database, from, limit),
    changes: async (query) => toChangePage(await readChanges(database, query), query),
    passFence: fence.pass,
    onChange: fence.onChange,
  };
}

interface WantedChange {
  /** The version to go beyond, if that is greater than the policy's own. */
  readonly past?: number;
  readonly changed: Statement;
  /** To run together with the change. */
  readonly after?: (version: number) => readonly Statement[];
  readonly events: (changes: readonly RuleChange[]) => readonly NewEvent[];
}

/** A change of the policy as one version: what to read behind the fence, and what to make of it. */
export function policyChanges({ sql }: Pick<Database, "sql">, limits: RecordLimits) {
  const policy = policyStatements(sql);
  const decisions = decisionStatements(sql);
  const log = eventStatements(sql);
  return ({ past = 0, changed, after = () => [], events }: WantedChange, stamp: Stamp) => ({
    reads: [changed, readHead],
    /** The outcome is whether a rule changed. Throws when there would be too many rules. */
    decide(rows: Results): FencedPlan<boolean> {
      const [found, [current]] = rows.slice(-2) as unknown as [ChangeRow[], [PolicyHead]];
      const changes = found.map((each) => toChange(each));
      const head = headAfter(current, changes, { limits, past, stamp });
      const isChange = changes.length > 0;
      return {
        statements: [
          ...policy.apply(isChange ? [{ changes, head, stamp }] : []),
          ...after(head.version),
          ...decisions.add([stamp.decision]),
          ...log.add(events(changes)),
        ],
        outcome: isChange,
        isChange: true,
      };
    },
  });
}

function headAfter(
  head: PolicyHead,
  changes: readonly RuleChange[],
  { limits, past, stamp: { by, at } }: { readonly limits: RecordLimits; readonly past: number; readonly stamp: Stamp },
): PolicyHead {
  if (changes.length === 0) return head;
  // The change of no rule adds one and removes one.
  const added = changes.filter(({ from }) => from === null).length - changes.filter(({ to }) => to === null).length;
  const rules = head.rules + added;
  if (added > 0 && rules > limits.policyRules) throw limitReached("policyRules", limits);
  const version = Math.max(head.version, past) + 1;
  const logged = changes.map((change) => ({ ...change, by, at }));
  return { version, rules, chainHash: nextChainHash(head.chainHash, version, logged) };
}

interface Setting {
  readonly rule: AccessRule;
  readonly stamp: Stamp;
  readonly admin: PolicyAdmin;
}

/** The version after a setting, or why it is refused. */
type Outcomes = ReadonlyMap<Setting, number | PortcullisError>;

/** Sets rules in turns behind the fence, each with a version of its own. One that is refused voids no other. */
function ruleSetter(database: Database, limits: RecordLimits, fence: Fence): PolicyRecords["set"] {
  const policy = policyStatements(database.sql);
  const names = nameStatements(database.sql);
  const decisions = decisionStatements(database.sql);
  const events = eventStatements(database.sql);

  const set = database.inTurns<Setting, number | PortcullisError>(
    { max: CHANGES_A_TURN, callerOf: ({ stamp }) => stamp.by },
    async (batch) => {
      const outcomes = await fence.change<Outcomes>(readsFor(batch), (rows) => {
        const [rules, counts, [head]] = rows.slice(-3) as unknown as [RuleRow[], RuleCount[], [PolicyHead]];
        const planned = plan(batch, { rules: rules.map(toRule), counts, head }, limits);
        return {
          statements: statementsOf(batch, planned),
          outcome: planned.outcomes,
          isChange: planned.versions.length > 0,
        };
      });
      return (setting) => outcomes.get(setting) as number | PortcullisError;
    },
  );

  /** Their rows are what `plan` is given. */
  function readsFor(batch: readonly Setting[]): Statement[] {
    const bounded = batch.filter(({ rule, admin }) => rule.allowed && admin !== "admin");
    const namespaces = [...new Set(bounded.map(({ rule }) => rule.namespace))];
    return [policy.rules(batch.map(({ rule }) => rule)), policy.count(namespaces, limits.namespaceRules), readHead];
  }

  function statementsOf(batch: readonly Setting[], { outcomes, versions }: ReturnType<typeof plan>): Statement[] {
    const done = batch.filter((setting) => !(outcomes.get(setting) instanceof PortcullisError));
    const changed = new Set(versions.map(({ setting }) => setting));
    // A repeat is answered also when only the disk's reserve is left, because its caller may not have heard the answer to the
    // first, but then off the record: else it could be repeated until the reserve is used up.
    const decided = hasRoom(database) ? done : done.filter((setting) => changed.has(setting));
    return [
      ...policy.apply(versions),
      ...names.use(versions.flatMap(({ setting }) => namesOfRule(setting.rule))),
      ...decisions.add(decided.map(({ stamp }) => stamp.decision)),
      ...events.add(
        versions.flatMap(({ changes, head, stamp }) =>
          changes.map((change) => changedEvent(change, head.version, stamp.at)),
        ),
      ),
    ];
  }

  return async (rule, stamp, admin = "admin") => {
    // There is always room to revoke.
    if (rule.allowed) database.requireRoom();
    const outcome = await takingNames(database, namesOfRule(rule), () => set({ rule, stamp, admin }));
    if (outcome instanceof PortcullisError) throw outcome;
    return { version: outcome };
  };
}

function hasRoom({ requireRoom }: Database): boolean {
  try {
    requireRoom();
    return true;
  } catch {
    return false;
  }
}

interface RuleCount {
  readonly name: string;
  readonly count: number;
}

interface Found {
  readonly rules: readonly AccessRule[];
  readonly counts: readonly RuleCount[];
  readonly head: PolicyHead;
}

/** Decides what each setting changes, one after another, as if each had a transaction of its own. */
function plan(batch: readonly Setting[], found: Found, limits: RecordLimits) {
  const rules = new Map(found.rules.map((rule) => [keyOf(rule), rule.allowed]));
  const counts = new Map(found.counts.map(({ name, count }) => [name, count]));
  const outcomes = new Map<Setting, number | PortcullisError>();
  const versions: (NewVersion & { readonly setting: Setting })[] = [];
  let { head } = found;

  for (const setting of batch) {
    const { rule, stamp, admin } = setting;
    const change = changeBy(rule, rules.get(keyOf(rule)) ?? null);
    const isNew = change?.from === null;
    const inNamespace = counts.get(rule.namespace) ?? 0;
    const refusal = isNew ? ruleRefusal(admin, { all: head.rules, inNamespace: () => inNamespace }, limits) : undefined;
    if (change !== undefined && refusal === undefined) {
      const version = head.version + 1;
      const { by, at } = stamp;
      const chainHash = nextChainHash(head.chainHash, version, [{ ...change, by, at }]);
      head = { version, chainHash, rules: head.rules + Number(isNew) };
      rules.set(keyOf(rule), rule.allowed);
      if (isNew) counts.set(rule.namespace, inNamespace + 1);
      versions.push({ changes: [change], head, stamp, setting });
    }
    outcomes.set(setting, refusal ?? head.version);
  }
  return { outcomes, versions };
}
