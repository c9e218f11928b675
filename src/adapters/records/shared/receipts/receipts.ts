// Receipts. Complete ones are append-only; what they are searched by stands apart, in the narrow rows of `answers`. Those
// that are not complete are in `begun_receipts`.

import { randomInt } from "node:crypto";
import { adding, addTo, defaultOf, throwIfLimitReached } from "#adapters/records/shared/limits.ts";
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { brokenOffEvent, eventStatements, receiptEvent } from "#adapters/records/shared/logs/events.ts";
import type { NewEntry } from "#adapters/records/shared/logs/log-entries.ts";
import { listsOf, type NameLists } from "#adapters/records/shared/logs/name-lists.ts";
import { column } from "#adapters/records/shared/rows.ts";
import type { Database, Statement } from "#adapters/records/shared/sql/database.ts";
import * as sql from "#adapters/records/shared/sql/dialect.ts";
import { PortcullisError } from "#core/errors.ts";
import type * as ports from "#ports.ts";
import { questionStatements } from "./questions.ts";
import { receiptPages } from "./receipt-pages.ts";

/** How many receipts one commit records. The longest ones make a statement of some megabytes. */
const MAX_BATCH = 500;
/** Sharded counter: each process counts answers in a row of its own, mostly, so that none waits for another's commit. */
const SHARDS = 64;
const ABANDONED_AT_ONCE = 1_000;
/** Receipts without an end are counted up to this number. */
const MOST_COUNTED = 10_000;

const BY_HOUR = `
  SELECT hour, CAST(sum(answers) AS bigint) AS answers, CAST(sum(used) AS bigint) AS used,
    CAST(sum(verified) AS bigint) AS verified, CAST(sum(intact) AS bigint) AS intact,
    CAST(sum(broken_off) AS bigint) AS "brokenOff"
  FROM answer_hours WHERE tenant = $tenant AND hour >= $1 GROUP BY hour ORDER BY hour`;
const NAMES_AFTER = `
  SELECT namespace FROM blocked_names
  WHERE tenant = $tenant AND list = (SELECT id FROM blocked_lists WHERE tenant = $tenant AND digest = $1) AND namespace > $2
  ORDER BY namespace LIMIT $3`;
const IS_ISSUED = "SELECT 1 FROM receipts WHERE tenant = $tenant AND answer_id = $1 AND body = $2";
const BEGUN = `SELECT answer_id AS "answerId", reason FROM begun_receipts WHERE tenant = $tenant AND answer_id = $1`;
const TAKE_BEGUN = `
  DELETE FROM begun_receipts WHERE tenant = $tenant AND answer_id = $1 RETURNING answer_id AS "answerId", reason`;
const COUNT_BEGUN = `
  SELECT count(*) AS count FROM (
    SELECT 1 FROM begun_receipts WHERE tenant = $tenant AND reason IS NULL LIMIT ${MOST_COUNTED}) AS begun`;
const ABANDON = `
  UPDATE begun_receipts SET reason = 'abandoned' WHERE tenant = $tenant AND reason IS NULL AND answer_id IN (
    SELECT answer_id FROM begun_receipts WHERE tenant = $tenant AND reason IS NULL AND created_at < $1 LIMIT ${ABANDONED_AT_ONCE})
  RETURNING answer_id AS "answerId", created_at AS "createdAt", EXISTS (
    SELECT 1 FROM imported_receipts WHERE tenant = $tenant AND answer_id = begun_receipts.answer_id) AS "isImported"`;

/** A step of a receipt: it is begun, or recorded as a whole. Both share commits. */
type Step =
  | { readonly begun: ports.OpenedReceipt; readonly issued?: undefined }
  | { readonly issued: ports.LoggedReceipt; readonly decision: ports.Decision | undefined; readonly begun?: undefined };

const openedEntry = ({ answerId, policyVersion }: ports.OpenedReceipt): NewEntry => ({
  kind: "opened",
  about: answerId,
  details: { policyVersion },
});

const issuedEntries = (issued: ports.LoggedReceipt): NewEntry[] => {
  const { answerId, sealedDigest, signatureDigest, wasBegun } = issued;
  const details = { receipt: sealedDigest, signature: signatureDigest };
  return [...(wasBegun ? [] : [openedEntry(issued)]), { kind: "issued", about: answerId, details }];
};

const brokenOffEntry = ({ answerId }: Marked): NewEntry => ({ kind: "broken-off", about: answerId });

const endedBefore = (cause?: unknown) =>
  new PortcullisError("model-timeout", "The answer took too long, and is on record as broken off. Ask again.", {
    cause,
  });

interface BegunRow {
  readonly answerId: string;
  readonly reason: string | null;
}

interface Marked {
  readonly answerId: string;
  readonly createdAt: string;
}

interface Abandoned extends Marked {
  readonly isImported: number | boolean;
}

export function receiptRecords(database: Database, limits: ports.RecordLimits, lists: NameLists): ports.ReceiptRecords {
  const { name, rows, row, reserve } = database;
  const shard = randomInt(SHARDS);

  const step = database.groupCommit<Step>(MAX_BATCH, async (batch) => {
    const begun = batch.flatMap((each) => each.begun ?? []);
    const issued = batch.flatMap((each) => each.issued ?? []);
    const decided = batch.map((each) => (each.issued === undefined ? undefined : each.decision));
    const record = (taken?: ReadonlySet<string>): Statement[] => [
      ...receiptStatements.begin(begun, limits),
      ...receiptStatements.add(issued, { shard, limits, endsOnce: true }, taken),
      ...questionStatements.keep(issued),
      ...decisionStatements.add(decided),
      ...eventStatements.add(
        [
          ...begun.map((receipt) => receiptEvent("receipt-begun", receipt)),
          ...issued.map((receipt) => receiptEvent("receipt-issued", receipt)),
        ],
        [...begun.map(openedEntry), ...issued.flatMap(issuedEntries)],
      ),
    ];
    if (begun.length > 0) database.requireRoom();
    const used = [...[...begun, ...issued].map(({ blockedList }) => blockedList), ...decided.flatMap(listsOf)];
    await lists.keepWith(used, (first) =>
      name === "postgres"
        ? reserve.write(...first, ...record())
        : recordIfRoom(issued, (taken) => [...first, ...record(taken)]),
    );
    return () => undefined;
  });

  /** There is always room for the end of an answer that began. PostgreSQL has no such reserve, and is not asked. */
  function recordIfRoom(
    issued: readonly ports.IssuedReceipt[],
    record: (taken: ReadonlySet<string>) => readonly Statement[],
  ): Promise<void> {
    const reads = issued.map(({ answerId }) => ({ text: TAKE_BEGUN, values: [answerId] }));
    return reserve.readThenWrite(reads, (results) => {
      const begun = results.flat() as BegunRow[];
      if (begun.some(({ reason }) => reason !== null)) throw endedBefore();
      if (begun.length < issued.length) database.requireRoom();
      return { statements: record(new Set(begun.map(({ answerId }) => answerId))), outcome: undefined };
    });
  }

  /** An answer has one end. PostgreSQL refuses the second in the statement that ends the begun receipt. */
  const throwIfEnded =
    ({ answerId }: ports.IssuedReceipt) =>
    async (error: unknown) => {
      if (name === "sqlite" || !database.isUndone(error)) throw error;
      const begun = await row<BegunRow>({ text: BEGUN, values: [answerId] });
      throw typeof begun?.reason === "string" ? endedBefore(error) : error;
    };

  const breakOff = database.groupCommit<ports.BrokenOff>(MAX_BATCH, async (batch) => {
    await lists.keep(batch.flatMap(({ decision }) => listsOf(decision)));
    await reserve.readThenWrite(receiptStatements.breakOff(batch), (results) => {
      const marked = results.flat() as Marked[];
      // One that was issued stays so in the log: that is its end.
      const open = (results[0] ?? []) as Marked[];
      const ids = new Set(marked.map(({ answerId }) => answerId));
      const ended = batch.filter(({ answerId }) => ids.has(answerId));
      const written = [
        questionStatements.dropOf([...ids]),
        ...receiptStatements.countBrokenOff(marked, shard),
        ...decisionStatements.add(ended.map(({ decision }) => decision)),
        ...eventStatements.add(ended.map(brokenOffEvent), open.map(brokenOffEntry)),
      ];
      return { statements: ids.size === 0 ? [] : written, outcome: undefined };
    });
    return () => undefined;
  });

  return {
    begin: (begun) => step({ begun }).catch(throwIfLimitReached(database, limits)),
    add: (issued, decision) =>
      step({ issued, decision }).catch(throwIfEnded(issued)).catch(throwIfLimitReached(database, limits)),
    breakOff,
    abandon: (begunBefore) =>
      reserve.readThenWrite([{ text: ABANDON, values: [begunBefore] }], ([marked = []]) => ({
        statements: [
          ...receiptStatements.countBrokenOff(marked as Marked[], shard),
          // The log has no beginning of one that was imported.
          ...eventStatements.add(
            [],
            (marked as Abandoned[]).filter(({ isImported }) => !isImported).map(brokenOffEntry),
          ),
        ],
        outcome: marked.length,
      })),
    countBegun: async () => (await row<{ count: number }>({ text: COUNT_BEGUN, values: [] }))?.count ?? 0,
    isIssued: async (answerId, body) => (await row({ text: IS_ISSUED, values: [answerId, body] })) !== undefined,
    ...receiptPages(database),
    listedNames: ({ digest, after = "", limit }) => column(rows({ text: NAMES_AFTER, values: [digest, after, limit] })),
    byHour: (since) => rows<ports.HourOfAnswers>({ text: BY_HOUR, values: [since] }),
  };
}

interface Row extends Omit<ports.BegunRecord, "blockedList" | "memoryIds" | "usedNamespaces"> {
  readonly blockedDigest: string | undefined;
  readonly isVerified?: boolean;
}

const UNLESS_KNOWN = "ON CONFLICT DO NOTHING";

/** Which answers were given which memories. There are a dozen for each chat: SQLite adds them at once. */
function usesOf(where?: string): (receipts: readonly ports.BegunRecord[]) => Statement[] {
  const into = "memory_uses (tenant, memory_id, answer_id)";
  const columns = { answerId: "text", memoryIds: "text[]" } as const;
  const values = "DISTINCT $tenant, unnest(:memoryIds), :answerId";
  const postgres = sql.insertJson(columns, into, values, { ...(where && { where }), tail: UNLESS_KNOWN });
  const sqlite = `INSERT INTO ${into} SELECT $tenant, value, $1 FROM json_each($2) WHERE true ${UNLESS_KNOWN}`;
  const add = sql.rowWise(Object.keys(columns), sql.either(sqlite, postgres));
  return (receipts) => add(receipts.map(({ answerId, memoryIds }) => ({ answerId, memoryIds })));
}

const INTO_GATES = "used_gates (tenant, agent_id, namespace, first_used_at)";
const addGatesAtOnce = sql.rowWise<ports.BegunRecord>(
  ["agentId", "createdAt", "usedNamespaces"],
  `INSERT INTO ${INTO_GATES} SELECT $tenant, $1, value, $2 FROM json_each($3) WHERE true ${UNLESS_KNOWN}`,
);
const addGate = sql.insertRows<{ agentId: string; namespace: string; at: string }>(
  { agentId: "text", namespace: "text", at: "text" },
  INTO_GATES,
  "$tenant, :agentId, :namespace, :at",
  { tail: UNLESS_KNOWN },
);

/** Which agents were given memories of which namespaces. SQLite adds those of a receipt at once, too. */
const addGates = (receipts: readonly ports.BegunRecord[]): Statement =>
  sql.chosen({
    sqlite: () => addGatesAtOnce(receipts),
    // A pair that is on record takes no lock. New ones are taken in the order of names, so that no two commits deadlock.
    postgres() {
      const gates = receipts.flatMap(({ agentId, usedNamespaces, createdAt: at }) =>
        usedNamespaces.map((namespace) => ({ agentId, namespace, at })),
      );
      return addGate(gates.length < 2 ? gates : distinct(gates));
    },
  });

const ofList = "(SELECT id FROM blocked_lists WHERE tenant = $tenant AND digest = :blockedDigest)";
const wasBegun = "EXISTS (SELECT 1 FROM begun_receipts WHERE tenant = $tenant AND answer_id = :answerId)";
const begin = sql.insertRows<Omit<Row, "isVerified">>(
  { ...sql.columnsOf("text", "answerId agentId createdAt blockedDigest body seed model"), namespaces: "text[]" },
  "begun_receipts (tenant, answer_id, agent_id, created_at, namespaces, blocked_list, body, seed, model)",
  `$tenant, :answerId, :agentId, :createdAt, :namespaces, ${ofList}, :body, :seed, :model`,
);
const addReceipts = sql.insertRows<Pick<Row, "answerId" | "agentId" | "createdAt" | "body" | "seed">>(
  sql.columnsOf("text", "answerId agentId createdAt body seed"),
  "receipts (tenant, answer_id, agent_id, created_at, body, seed)",
  "$tenant, :answerId, :agentId, :createdAt, :body, :seed",
);
// One that was taken for abandoned was given all the same. One whose answer was given up, because this commit seemed to
// fail, stays broken off.
const addAnswers = sql.insertRows<Omit<Row, "body" | "seed" | "createdAt">>(
  { ...sql.columnsOf("text", "answerId agentId blockedDigest model"), isVerified: "boolean", namespaces: "text[]" },
  "answers (tenant, answer_id, agent_id, is_verified, namespaces, blocked_list, reason, model)",
  `$tenant, :answerId, :agentId, :isVerified, :namespaces, ${ofList},
    nullif((SELECT reason FROM begun_receipts WHERE tenant = $tenant AND answer_id = :answerId), 'abandoned'), :model`,
);
const addUses = usesOf();
// The begun receipt names all that the complete one does.
const addUsesUnlessBegun = usesOf(`NOT ${wasBegun}`);
const addHours = sql.insertRows<ports.HourOfAnswers & { readonly part: number }>(
  { hour: "text", ...sql.columnsOf("bigint", "part answers used verified intact brokenOff") },
  "answer_hours AS hours (tenant, hour, part, answers, used, verified, intact, broken_off)",
  "$tenant, :hour, :part, :answers, :used, :verified, :intact, :brokenOff",
  {
    tail: `ON CONFLICT (tenant, hour, part) DO UPDATE SET answers = hours.answers + excluded.answers,
      used = hours.used + excluded.used,
      verified = hours.verified + excluded.verified, intact = hours.intact + excluded.intact,
      broken_off = hours.broken_off + excluded.broken_off`,
  },
);
const UNCOUNT_ABANDONED = `
  INSERT INTO answer_hours AS hours (tenant, hour, part, answers, used, verified, intact, broken_off)
  SELECT tenant, substr(created_at, 1, 13), CAST($2 AS integer), 0, 0, 0, 0, -count(*) FROM begun_receipts
  WHERE tenant = $tenant AND ${sql.among("answer_id", "$1")} AND reason = 'abandoned' GROUP BY 1, 2
  ON CONFLICT (tenant, hour, part) DO UPDATE SET broken_off = hours.broken_off + excluded.broken_off`;
// One that was begun is counted already.
const COUNT = `
  UPDATE totals SET ${adding("receipts", "new.count", "$3")}
  FROM (
    SELECT CAST($2 AS bigint) - count(*) AS count FROM begun_receipts
    WHERE tenant = $tenant AND ${sql.among("answer_id", "$1")}
  ) AS new
  WHERE tenant = $tenant AND name = 'receipts' AND new.count > 0`;
const END = `DELETE FROM begun_receipts WHERE tenant = $tenant AND ${sql.among("answer_id", "$1")}`;
// A division by zero undoes the transaction if the receipt was broken off, also by a commit that this statement waited for.
const ONCE = sql.either("", "RETURNING 1 / (CASE WHEN reason IS NULL THEN 1 ELSE 0 END)");
const broken = { answerId: "text", reason: "text" } as const;
const breakBegun = sql.forRows<Pick<ports.BrokenOff, "answerId" | "reason">>(
  broken,
  (given) => `
    UPDATE begun_receipts SET reason = given.reason FROM ${given}
    WHERE tenant = $tenant AND answer_id = "answerId" AND begun_receipts.reason IS NULL
    RETURNING answer_id AS "answerId", created_at AS "createdAt"`,
);
const breakIssued = sql.forRows<Pick<ports.BrokenOff, "answerId" | "reason">>(
  broken,
  (given) => `
    UPDATE answers SET reason = given.reason FROM ${given}
    WHERE tenant = $tenant AND answer_id = "answerId" AND answers.reason IS NULL
    RETURNING answer_id AS "answerId",
      (SELECT created_at FROM receipts WHERE tenant = $tenant AND receipts.answer_id = answers.answer_id) AS "createdAt"`,
);

const recordUses = (receipts: readonly ports.BegunRecord[], add: typeof addUses): Statement[] =>
  receipts.length === 0 ? [] : [...add(receipts), addGates(receipts)];

export const receiptStatements = {
  begin: (receipts: readonly ports.BegunRecord[], limits: ports.RecordLimits): Statement[] => [
    ...(receipts.length === 0 ? [] : [addTo("receipts", receipts.length, limits)]),
    ...recordUses(receipts, addUses),
    ...begin(receipts.map(toRow)),
  ],

  /**
   * `shard` is the part of `answer_hours` to count in. `endsOnce`: one that was broken off is refused. `taken` are those
   * that had begun, and whose begun receipts are deleted; without it, the statements look for themselves.
   */
  add(
    receipts: readonly ports.IssuedReceipt[],
    {
      shard,
      limits,
      endsOnce,
    }: { readonly shard: number; readonly limits: ports.RecordLimits; readonly endsOnce?: true },
    taken?: ReadonlySet<string>,
  ): Statement[] {
    if (receipts.length === 0) return [];
    const all = receipts.map((receipt) => ({ ...toRow(receipt), isVerified: isVerified(receipt) }));
    const ids = receipts.map(({ answerId }) => answerId);
    const counts = receipts.map(({ createdAt, used, verified, intact }) => ({
      createdAt,
      answers: 1,
      used,
      verified,
      intact,
    }));
    const added = receipts.filter(({ answerId }) => !taken?.has(answerId));
    return [
      ...(added.length === 0 ? [] : [{ text: COUNT, values: [ids, added.length, defaultOf("receipts", limits)] }]),
      ...recordUses(added, taken === undefined ? addUsesUnlessBegun : addUses),
      ...addReceipts(all),
      ...addAnswers(all.map(({ body: _, seed: __, ...narrow }) => narrow)),
      ...addHours(byHour(counts, shard)),
      ...(taken === undefined
        ? [
            { text: UNCOUNT_ABANDONED, values: [ids, shard] },
            { text: `${END} ${endsOnce ? ONCE : ""}`, values: [ids] },
          ]
        : []),
    ];
  },

  /** Answer with `Marked`: the receipts that are marked by them. */
  breakOff: (batch: readonly Pick<ports.BrokenOff, "answerId" | "reason">[]): Statement[] => [
    ...breakBegun(batch),
    ...breakIssued(batch),
  ],
  countBrokenOff: (marked: readonly Pick<Marked, "createdAt">[], shard: number): Statement[] =>
    addHours(
      byHour(
        marked.map(({ createdAt }) => ({ createdAt, brokenOff: 1 })),
        shard,
      ),
    ),
};

/** Each pair once, as of its first use. */
function distinct<G extends { readonly agentId: string; readonly namespace: string; readonly at: string }>(
  gates: readonly G[],
) {
  const first = new Map<string, G>();
  for (const gate of gates) {
    const key = JSON.stringify([gate.agentId, gate.namespace]);
    const known = first.get(key);
    if (known === undefined || gate.at < known.at) first.set(key, gate);
  }
  return [...first.keys()].sort().map((key) => first.get(key) as G);
}

const isVerified = ({ used, verified, intact }: ports.IssuedReceipt) => verified === used && intact === used;

function toRow({ blockedList, memoryIds: _, usedNamespaces: __, ...row }: ports.BegunRecord): Row {
  return { ...row, blockedDigest: blockedList?.digest };
}

type Counts = Partial<Omit<ports.HourOfAnswers, "hour">> & { readonly createdAt: string };

function byHour(counts: readonly Counts[], part: number) {
  const hours = Map.groupBy(counts, ({ createdAt }) => createdAt.slice(0, 13));
  const sum = (all: readonly Counts[], field: keyof Omit<ports.HourOfAnswers, "hour">) =>
    all.reduce((total, each) => total + (each[field] ?? 0), 0);
  return [...hours.keys()].sort().map((hour) => {
    const all = hours.get(hour) ?? [];
    const [answers, used, verified] = [sum(all, "answers"), sum(all, "used"), sum(all, "verified")];
    return { hour, part, answers, used, verified, intact: sum(all, "intact"), brokenOff: sum(all, "brokenOff") };
  });
}
