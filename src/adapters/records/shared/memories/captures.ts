// Captures. One that changes memories on record, because it makes others history or says when one expires, goes behind the
// fence. The others share group commits, where a fact that is on record is not recorded again.
import { leaseStatements } from "#adapters/records/shared/anchoring/leases.ts";
import { throwIfLimitReached } from "#adapters/records/shared/limits.ts";
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import * as eventLog from "#adapters/records/shared/logs/events.ts";
import { CHANGES_A_TURN, type Fence } from "#adapters/records/shared/policy/fence.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { PortcullisError } from "#core/errors.ts";
import { type CorrectionPlan, planCorrections } from "#core/memories/correction-plan.ts";
import { factHashOf, type MemoryOnRecord } from "#core/memory.ts";
import type * as ports from "#ports.ts";
import { countRemoval, memoryStatements } from "./memory-statements.ts";
import { nameStatements, namesOfFact, takingNames } from "./names.ts";
import { alreadyDecided, proposalEvent, proposalStatements } from "./proposals.ts";

export const SERVICE = "service";

interface Capture {
  readonly memory: MemoryOnRecord;
  readonly lease: ports.BlobLease | undefined;
  readonly decision: ports.Decision | undefined;
  readonly accepted: ports.ProposalDecision | undefined;
}

type Outcome = MemoryOnRecord | PortcullisError;

/** How many captures one commit records. The longest ones make a statement of some megabytes. */
const MAX_BATCH = 500;

export function captures(database: sql.Database, limits: ports.RecordLimits, fence: Fence): ports.MemoryRecords["add"] {
  const correct = database.inTurns<Capture, Outcome>(
    { max: CHANGES_A_TURN, callerOf: ({ memory }) => memory.sourceAgent },
    async (batch) => {
      const { outcomes } = await fence.removal(reads(batch), (rows) => {
        const { corrected, statements } = plan(batch, rows, limits);
        return { statements, outcome: corrected, isChange: corrected.phases.length > 0 };
      });
      return ({ memory }) => outcomes.get(memory) ?? memory;
    },
  );

  // SQLite finds what one capture concerns in a third less time than what several do.
  const most = database.name === "sqlite" ? 1 : MAX_BATCH;
  /** Those that need the fence have no outcome. */
  const record = database.groupCommit<Capture, Outcome | undefined>(most, async (batch) => {
    const outcomes = await database.readThenWrite(reads(batch), (rows) => {
      const { corrected, statements } = planUnfenced(batch, rows, limits);
      return { statements, outcome: corrected.outcomes };
    });
    return ({ memory }) => outcomes.get(memory);
  });

  return (memory, lease, decision, accepted) => {
    const given = { memory, lease, decision, accepted };
    const capture = async () => orThrow((await record(given)) ?? (await correct(given)));
    return takingNames(database, namesOfFact(memory), capture).catch(throwIfLimitReached(database, limits));
  };
}

function orThrow(outcome: Outcome): MemoryOnRecord {
  if (outcome instanceof PortcullisError) throw outcome;
  return outcome;
}

/** The time, and a memory that is concerned, if there is one. */
type ConcernedRow = Omit<sql.MemoryRow, "memoryId"> & {
  readonly now: string;
  readonly memoryId: string | null;
  readonly hasExpired: number | boolean | null;
};

/** What captures change, from the memories on record that they concern. */
// Answers with the time in any case. Each part reads an index of its own. Most captures come alone, and concern no other
// memory but one of the same fact.
const concerned = (condition: string) => sql.statement<ConcernedRow>`
  SELECT now, ${sql.MEMORY_COLUMNS}, expires_at <= now AS "hasExpired"
  FROM (SELECT ${sql.NOW} AS now) AS clock LEFT JOIN memories ON tenant = $tenant AND ${condition} ORDER BY sequence`;
const ofFact = sql.among("fact_hash", "$1");
const SAME_FACT = concerned("fact_hash = $1");
const CONCERNED = concerned(
  sql.within(
    "sequence",
    `SELECT sequence FROM memories WHERE tenant = $tenant AND ${ofFact}
     UNION ALL
     SELECT sequence FROM memories WHERE tenant = $tenant AND ${sql.among("memory_id", "$2")}
     UNION ALL
     SELECT sequence FROM ${sql.memoriesNamedIn("$3")}`,
  ),
);
const update = sql.forRows<{ memoryId: string; expiresAt: string | undefined; supersedes: string | undefined }>(
  "memoryId expiresAt supersedes",
  (given) => `
    UPDATE memories SET expires_at = "expiresAt", supersedes = given.supersedes FROM ${given}
    WHERE tenant = $tenant AND memory_id = "memoryId"`,
);

function reads(batch: readonly Capture[]): sql.Statement[] {
  const given = batch.map(({ memory }) => memory);
  const named = sql.namedOf(given);
  const superseded = given.flatMap(({ supersedes }) => supersedes ?? []);
  const hashes = given.map(factHashOf);
  const read =
    hashes.length === 1 && named.length === 0 && superseded.length === 0
      ? SAME_FACT(...hashes)
      : CONCERNED(hashes, superseded, JSON.stringify(named));
  const accepted = batch.flatMap((each) => each.accepted?.proposalId ?? []);
  return [sql.LOCK_MEMORIES, ...(accepted.length === 0 ? [] : [proposalStatements.lockWaiting(accepted)]), read];
}

/** Without the captures that need the fence. */
function planUnfenced(
  batch: readonly Capture[],
  rows: sql.Results,
  limits: ports.RecordLimits,
): ReturnType<typeof plan> {
  const planned = plan(batch, rows, limits);
  const { changing } = planned.corrected;
  const others = batch.filter(({ memory }) => !changing.has(memory));
  return changing.size === 0 ? planned : planUnfenced(others, rows, limits);
}

function plan(batch: readonly Capture[], rows: sql.Results, limits: ports.RecordLimits) {
  const found = rows.at(-1) as [ConcernedRow, ...ConcernedRow[]];
  const [{ now, memoryId }] = found;
  const concerned = (memoryId === null ? [] : found).map((row) => ({
    memory: sql.toMemory(row as sql.MemoryRow),
    hasExpired: Boolean(row.hasExpired),
  }));
  const accepts = batch.some(({ accepted }) => accepted !== undefined);
  const waits = accepts ? (rows.at(-2) as ports.WaitingProposal[]) : [];
  const waiting = new Map(waits.map((each) => [each.proposalId, each]));
  const left = new Set(waiting.keys());
  // Of two that accept the same, the first does.
  const refused = batch.filter(({ accepted }) => accepted !== undefined && !left.delete(accepted.proposalId));
  const given = batch.filter((each) => !refused.includes(each)).map(({ memory }) => memory);
  const { phases, changing, outcomes } = planCorrections(given, concerned, now);
  const refusals = refused.map(({ memory }) => [memory, alreadyDecided()] as const);
  const corrected = { phases, changing, outcomes: new Map([...outcomes, ...refusals]) };
  const accepted = batch.flatMap((each) => {
    const proposal = waiting.get(each.accepted?.proposalId ?? "");
    const memory = outcomes.get(each.memory);
    if (each.accepted === undefined || proposal === undefined || !(memory && "memoryId" in memory)) return [];
    return { decided: { ...each.accepted, memoryId: memory.memoryId, digest: null }, proposal };
  });
  const events = accepted.map(({ decided, proposal }) => proposalEvent("proposal-accepted", proposal, decided.at));
  const statements = [
    ...proposalStatements.decide(accepted.map(({ decided }) => decided)),
    ...statementsOf(corrected, { batch, now, limits, accepted: events }),
  ];
  return { corrected, statements };
}

interface Recording {
  readonly batch: readonly Capture[];
  readonly now: string;
  readonly limits: ports.RecordLimits;
  readonly accepted: readonly ports.NewEvent[];
}

function statementsOf(
  { phases, outcomes }: CorrectionPlan,
  { batch, now, limits, accepted }: Recording,
): sql.Statement[] {
  const done = batch.filter(({ memory }) => !(outcomes.get(memory) instanceof PortcullisError));
  const added = new Set(phases.flatMap((phase) => phase.added.map(({ memoryId }) => memoryId)));
  const fresh = done.filter(({ memory }) => added.has(memory.memoryId));
  const happened: ports.NewEvent[] = [...accepted];
  const changes: sql.Statement[] = [];
  for (const phase of phases) {
    const superseded = phase.superseded.map(({ memory, by, agent }) => {
      return { ...memory, cause: "superseded" as const, by: agent, at: now, supersededBy: by };
    });
    const expired = phase.expired.map((memory) => ({ ...memory, cause: "expired" as const, by: SERVICE, at: now }));
    changes.push(
      ...memoryStatements.removeCurrent([...superseded, ...expired]),
      ...(expired.length === 0 ? [] : [leaseStatements.dropStray(expired.map(({ storeRef }) => storeRef))]),
      ...memoryStatements.add(phase.added, limits),
      ...(phase.changed.length === 0 ? [] : [...update(phase.changed.map(toUpdate)), countRemoval]),
    );
    for (const { memory, by } of phase.superseded) happened.push(eventLog.supersededEvent(memory, by, now));
    for (const { memoryId, namespace, sourceAgent, cause } of expired) {
      const tombstone = { memoryId, namespace, cause, forgottenBy: SERVICE, forgottenAt: now };
      happened.push(eventLog.forgottenEvent(tombstone, sourceAgent));
    }
    happened.push(...phase.added.map(eventLog.capturedEvent));
  }
  return [
    ...changes,
    ...nameStatements.use(fresh.flatMap(({ memory }) => namesOfFact(memory))),
    ...leaseStatements.putOfMemories(done.flatMap(({ lease }) => lease ?? [])),
    ...decisionStatements.add(
      done.map(({ memory, decision }) =>
        // Of a fact that was on record, the memory that the caller proposed is none.
        decision === undefined || added.has(memory.memoryId) ? decision : { ...decision, memoryId: undefined },
      ),
    ),
    ...eventLog.eventStatements.add(happened),
  ];
}

const toUpdate = ({ memoryId, expiresAt, supersedes }: MemoryOnRecord) => ({ memoryId, expiresAt, supersedes });
