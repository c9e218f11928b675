// Receipts. Complete ones are append-only; what they are searched by stands apart, in the narrow rows of `answers`. Those
// that are not complete are in `begun_receipts`.
import { randomInt } from "node:crypto";
import { adding, addTo, defaultOf, throwIfLimitReached } from "#adapters/records/shared/limits.ts";
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { begunEvent, brokenOffEvent, eventStatements, issuedEvent } from "#adapters/records/shared/logs/events.ts";
import { listsOf, type NameLists } from "#adapters/records/shared/logs/name-lists.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { PortcullisError } from "#core/errors.ts";
import type { NewEntry } from "#core/log/entry.ts";
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

const BY_HOUR = sql.statement<ports.HourOfAnswers>`
  SELECT hour, ${sql.HOUR_SUMS} FROM answer_hours WHERE tenant = $tenant AND hour >= $1 GROUP BY hour ORDER BY hour`;
const NAMES_AFTER = sql.value<string>`
  SELECT namespace FROM blocked_names
  WHERE tenant = $tenant AND list = (SELECT id FROM blocked_lists WHERE tenant = $tenant AND digest = $1) AND namespace > $2
  ORDER BY namespace LIMIT $3`;
const IS_ISSUED = sql.statement`SELECT 1 FROM receipts WHERE tenant = $tenant AND answer_id = $1 AND body = $2`;
const BEGUN = sql.value<string | null>`SELECT reason FROM begun_receipts WHERE tenant = $tenant AND answer_id = $1`;
const TAKE_BEGUN = sql.statement<{ answerId: string; reason: string | null }>`
  DELETE FROM begun_receipts WHERE tenant = $tenant AND answer_id = $1 RETURNING ${sql.columns("answerId reason")}`;
const COUNT_BEGUN = sql.value<number>`
  SELECT count(*) FROM (
    SELECT 1 FROM begun_receipts WHERE tenant = $tenant AND reason IS NULL LIMIT ${MOST_COUNTED}) AS begun`;
const ABANDON = sql.statement<Marked & { isImported: number | boolean }>`
  UPDATE begun_receipts SET reason = 'abandoned' WHERE tenant = $tenant AND reason IS NULL AND answer_id IN (
    SELECT answer_id FROM begun_receipts WHERE tenant = $tenant AND reason IS NULL AND created_at < $1 LIMIT ${ABANDONED_AT_ONCE})
  RETURNING ${sql.columns("answerId createdAt")}, EXISTS (
    SELECT 1 FROM imported_receipts WHERE tenant = $tenant AND answer_id = begun_receipts.answer_id) AS "isImported"`;

/** A step of a receipt: it is begun, or recorded as a whole. Both share commits. */
type Step =
  | { readonly begun: ports.OpenedReceipt; readonly issued?: undefined }
  | { readonly issued: ports.LoggedReceipt; readonly decision: ports.Decision | undefined; readonly begun?: undefined };

const openedEntry = ({ answerId, policyVersion }: ports.OpenedReceipt): NewEntry => {
  return { kind: "opened", about: answerId, details: { policyVersion } };
};

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

interface Marked {
  readonly answerId: string;
  readonly createdAt: string;
}

export function receiptRecords(
  database: sql.Database,
  limits: ports.RecordLimits,
  lists: NameLists,
): ports.ReceiptRecords {
  const { name, rows, row, reserve } = database;
  const shard = randomInt(SHARDS);

  const step = database.groupCommit<Step>(MAX_BATCH, async (batch) => {
    const begun = batch.flatMap((each) => each.begun ?? []);
    const issued = batch.flatMap((each) => each.issued ?? []);
    const decided = batch.map((each) => (each.issued === undefined ? undefined : each.decision));
    const record = (taken?: ReadonlySet<string>): sql.Statement[] => [
      ...receiptStatements.begin(begun, limits),
      ...receiptStatements.add(issued, { shard, limits, endsOnce: true, taken }),
      ...questionStatements.keep(issued),
      ...decisionStatements.add(decided),
      ...eventStatements.add(
        [...begun.map(begunEvent), ...issued.map(issuedEvent)],
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
    record: (taken: ReadonlySet<string>) => readonly sql.Statement[],
  ): Promise<void> {
    const reads = issued.map(({ answerId }) => TAKE_BEGUN(answerId));
    return reserve.readThenWrite(reads, (results) => {
      const begun = results.flat();
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
      throw typeof (await row(BEGUN(answerId))) === "string" ? endedBefore(error) : error;
    };

  const breakOff = database.groupCommit<ports.BrokenOff>(MAX_BATCH, async (batch) => {
    await lists.keep(batch.flatMap(({ decision }) => listsOf(decision)));
    await reserve.readThenWrite(receiptStatements.breakOff(batch), (results) => {
      const marked = results.flat();
      // One that was issued stays so in the log: that is its end.
      const [open = []] = results;
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
      reserve.readThenWrite([ABANDON(begunBefore)], ([marked]) => {
        // The log has no beginning of one that was imported.
        const begun = marked.filter(({ isImported }) => !isImported);
        const logged = eventStatements.add([], begun.map(brokenOffEntry));
        return { statements: [...receiptStatements.countBrokenOff(marked, shard), ...logged], outcome: marked.length };
      }),
    countBegun: async () => (await row(COUNT_BEGUN())) ?? 0,
    isIssued: async (answerId, body) => (await row(IS_ISSUED(answerId, body))) !== undefined,
    ...receiptPages(database),
    listedNames: ({ digest, after = "", limit }) => rows(NAMES_AFTER(digest, after, limit)),
    byHour: (since) => rows(BY_HOUR(since)),
  };
}

type Row = ReturnType<typeof toRow>;

const UNLESS_KNOWN = "ON CONFLICT DO NOTHING";

/** Which answers were given which memories. There are a dozen for each chat: SQLite adds them at once. */
function usesOf(where?: string): (receipts: readonly ports.BegunRecord[]) => sql.Statement[] {
  const into = "memory_uses (tenant, memory_id, answer_id)";
  const values = "DISTINCT $tenant, unnest(:memoryIds), :answerId";
  const postgres = sql.insertJson("answerId memoryIds:text[]", into, values, {
    ...(where && { where }),
    tail: UNLESS_KNOWN,
  });
  const sqlite = `INSERT INTO ${into} SELECT $tenant, value, $1 FROM json_each($2) WHERE true ${UNLESS_KNOWN}`;
  const add = sql.rowWise(["answerId", "memoryIds"], sql.either(sqlite, postgres));
  return (receipts) => add(receipts.map(({ answerId, memoryIds }) => ({ answerId, memoryIds })));
}

const addGatesAtOnce = sql.rowWise<ports.BegunRecord>(
  ["agentId", "createdAt", "usedNamespaces"],
  `INSERT INTO used_gates (tenant, agent_id, namespace, first_used_at)
   SELECT $tenant, $1, value, $2 FROM json_each($3) WHERE true ${UNLESS_KNOWN}`,
);
type UsedGate = ports.UsedGate & { readonly at: string };
const addGate = sql.insertRows<UsedGate>("used_gates", "agentId namespace at=first_used_at", { tail: UNLESS_KNOWN });

/** Which agents were given memories of which namespaces. SQLite adds those of a receipt at once, too. */
const addGates = (receipts: readonly ports.BegunRecord[]): sql.Statement =>
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
const RECEIPT = "answerId agentId createdAt body seed";
const begin = sql.insertRows<Row>("begun_receipts", `${RECEIPT} model namespaces:text[]`, {
  values: { blocked_list: ofList },
  further: "blockedDigest",
});
const addReceipts = sql.insertRows<Pick<Row, "answerId" | "agentId" | "createdAt" | "body" | "seed">>(
  "receipts",
  RECEIPT,
);
// One that was taken for abandoned was given all the same. One whose answer was given up, because this commit seemed to
// fail, stays broken off.
const addAnswers = sql.insertRows<Omit<Row, "body" | "seed"> & { readonly isVerified: boolean }>(
  "answers",
  "answerId agentId isVerified:boolean namespaces:text[] model",
  {
    values: {
      blocked_list: ofList,
      reason: `nullif((SELECT reason FROM begun_receipts WHERE tenant = $tenant AND answer_id = :answerId), 'abandoned')`,
    },
    further: "blockedDigest",
  },
);
const addUses = usesOf();
// The begun receipt names all that the complete one does.
const addUsesUnlessBegun = usesOf(`NOT ${wasBegun}`);
const addHours = sql.insertRows<ports.HourOfAnswers & { readonly part: number }>(
  "answer_hours AS hours",
  "hour part:bigint answers:bigint used:bigint verified:bigint intact:bigint brokenOff:bigint",
  { tail: `ON CONFLICT (tenant, hour, part) DO UPDATE SET ${sql.ADDED_TO_HOUR}` },
);
const UNCOUNT_ABANDONED = sql.statement`
  INSERT INTO answer_hours AS hours (tenant, hour, part, answers, used, verified, intact, broken_off)
  SELECT tenant, substr(created_at, 1, 13), CAST($2 AS integer), 0, 0, 0, 0, -count(*) FROM begun_receipts
  WHERE tenant = $tenant AND ${sql.among("answer_id", "$1")} AND reason = 'abandoned' GROUP BY 1, 2
  ON CONFLICT (tenant, hour, part) DO UPDATE SET broken_off = hours.broken_off + excluded.broken_off`;
// One that was begun is counted already.
const COUNT = sql.statement`
  UPDATE totals SET ${adding("receipts", "new.count", "$3")}
  FROM (
    SELECT CAST($2 AS bigint) - count(*) AS count FROM begun_receipts
    WHERE tenant = $tenant AND ${sql.among("answer_id", "$1")}
  ) AS new
  WHERE tenant = $tenant AND name = 'receipts' AND new.count > 0`;
const END = `DELETE FROM begun_receipts WHERE tenant = $tenant AND ${sql.among("answer_id", "$1")}`;
// A division by zero undoes the transaction if the receipt was broken off, also by a commit that this statement waited for.
const ONCE = sql.either("", "RETURNING 1 / (CASE WHEN reason IS NULL THEN 1 ELSE 0 END)");
const breakIn = (table: string, createdAt: string) =>
  sql.forRows<Pick<ports.BrokenOff, "answerId" | "reason">, Marked>(
    "answerId reason",
    (given) => `
      UPDATE ${table} SET reason = given.reason FROM ${given}
      WHERE tenant = $tenant AND answer_id = "answerId" AND ${table}.reason IS NULL
      RETURNING ${sql.columns("answerId")}, ${createdAt} AS "createdAt"`,
  );
const breakBegun = breakIn("begun_receipts", "created_at");
const breakIssued = breakIn(
  "answers",
  "(SELECT created_at FROM receipts WHERE tenant = $tenant AND receipts.answer_id = answers.answer_id)",
);

const recordUses = (receipts: readonly ports.BegunRecord[], add: typeof addUses): sql.Statement[] =>
  receipts.length === 0 ? [] : [...add(receipts), addGates(receipts)];

interface Adding {
  /** The part of `answer_hours` to count in. */
  readonly shard: number;
  readonly limits: ports.RecordLimits;
  /** One that was broken off is refused. */
  readonly endsOnce?: true;
  /** Those that had begun, and whose begun receipts are deleted. Without it, the statements look for themselves. */
  readonly taken?: ReadonlySet<string> | undefined;
}

export const receiptStatements = {
  begin: (receipts: readonly ports.BegunRecord[], limits: ports.RecordLimits): sql.Statement[] => [
    ...(receipts.length === 0 ? [] : [addTo("receipts", receipts.length, limits)]),
    ...recordUses(receipts, addUses),
    ...begin(receipts.map(toRow)),
  ],

  add(receipts: readonly ports.IssuedReceipt[], { shard, limits, endsOnce, taken }: Adding): sql.Statement[] {
    if (receipts.length === 0) return [];
    const all = receipts.map((receipt) => ({ ...toRow(receipt), isVerified: isVerified(receipt) }));
    const ids = receipts.map(({ answerId }) => answerId);
    const counts = receipts.map((receipt) => ({ ...receipt, answers: 1 }));
    const added = receipts.filter(({ answerId }) => !taken?.has(answerId));
    return [
      ...(added.length === 0 ? [] : [COUNT(ids, added.length, defaultOf("receipts", limits))]),
      ...recordUses(added, taken === undefined ? addUsesUnlessBegun : addUses),
      ...addReceipts(all),
      ...addAnswers(all.map(({ body: _, seed: __, ...narrow }) => narrow)),
      ...addHours(byHour(counts, shard)),
      ...(taken === undefined
        ? [UNCOUNT_ABANDONED(ids, shard), { text: `${END} ${endsOnce ? ONCE : ""}`, values: [ids] }]
        : []),
    ];
  },

  /** Answer with `Marked`: the receipts that are marked by them. */
  breakOff: (batch: readonly Pick<ports.BrokenOff, "answerId" | "reason">[]) => [
    ...breakBegun(batch),
    ...breakIssued(batch),
  ],
  countBrokenOff(marked: readonly Pick<Marked, "createdAt">[], shard: number): sql.Statement[] {
    const counts = marked.map(({ createdAt }) => ({ createdAt, brokenOff: 1 }));
    return addHours(byHour(counts, shard));
  },
};

/** Each pair once, as of its first use. */
function distinct(gates: readonly UsedGate[]): UsedGate[] {
  const lastFirst = gates.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const first = new Map(lastFirst.map((gate) => [JSON.stringify([gate.agentId, gate.namespace]), gate]));
  return [...first.keys()].sort().map((key) => first.get(key) as UsedGate);
}

const isVerified = ({ used, verified, intact }: ports.IssuedReceipt) => verified === used && intact === used;

function toRow({ blockedList, memoryIds: _, usedNamespaces: __, ...row }: ports.BegunRecord) {
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
