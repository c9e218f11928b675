import { randomInt } from "node:crypto";
import { brokenOffEvent, issuedEvent, openedEvent } from "#adapters/records/shared/logs/events.ts";
import type { BrokenOff, Decision, HourOfAnswers, IssuedReceipt, OpenedRecord, ReceiptRecords } from "#ports.ts";
import type { Database } from "./connection/database.ts";
import { groupCommit } from "./connection/group-commit.ts";
import { addDecisions } from "./logs/decisions.ts";
import { addEvents } from "./logs/events.ts";
import type { NameLists } from "./logs/name-lists.ts";
import { findReceipt, readReceiptPage } from "./tables/receipt-pages.ts";
import { abandonReceipts, addReceipts, breakOffReceipts, COUNT_OPENED, openReceipts } from "./tables/receipts.ts";

/** How many receipts one commit records. The longest ones make a statement of some megabytes. */
const MAX_BATCH = 500;
/** Sharded counter: each process counts answers in a row of its own, mostly, so that none waits for another's commit. */
const SHARDS = 64;

const BY_HOUR = `
  SELECT hour, sum(answers)::bigint AS answers, sum(used)::bigint AS used, sum(verified)::bigint AS verified,
    sum(intact)::bigint AS intact, sum(broken_off)::bigint AS "brokenOff"
  FROM answer_hours WHERE hour >= $1 GROUP BY hour ORDER BY hour`;

const NAMES_AFTER = `
  SELECT namespace FROM blocked_names WHERE list = (SELECT id FROM blocked_lists WHERE digest = $1) AND namespace > $2
  ORDER BY namespace LIMIT $3`;

/** A step of a receipt: it is opened, or recorded as a whole. Both share commits. */
type Step =
  | { readonly opened: OpenedRecord; readonly issued?: undefined }
  | { readonly issued: IssuedReceipt; readonly decision: Decision | undefined; readonly opened?: undefined };

/** `idle` answers when no receipt waits any more. */
export function receiptRecords(
  database: Database,
  lists: NameLists,
): { readonly records: ReceiptRecords; idle(): Promise<void> } {
  const shard = randomInt(SHARDS);

  const steps = groupCommit<Step>({ max: MAX_BATCH, onCommit: database.onCommit }, async (batch) => {
    const opened = batch.flatMap((step) => step.opened ?? []);
    const issued = batch.flatMap((step) => step.issued ?? []);
    const decisions = batch.map((step) => (step.issued === undefined ? undefined : step.decision));
    await lists.keep([...[...opened, ...issued].map(({ blockedList }) => blockedList), ...listsOf(decisions)]);
    await database.write(
      ...openReceipts(opened),
      ...addReceipts(issued, shard),
      ...addDecisions(decisions),
      ...addEvents([...opened.map(openedEvent), ...issued.map(issuedEvent)]),
    );
    return () => undefined;
  });

  const ends = groupCommit<BrokenOff>({ max: MAX_BATCH, onCommit: database.onCommit }, async (batch) => {
    await lists.keep(listsOf(batch.map(({ decision }) => decision)));
    await database.readThenWrite([breakOffReceipts(batch, shard)], ([rows = []]) => {
      const marked = new Set((rows as { answerId: string }[]).map(({ answerId }) => answerId));
      const ended = batch.filter(({ answerId }) => marked.has(answerId));
      const decisions = addDecisions(ended.map(({ decision }) => decision));
      return { statements: [...decisions, ...addEvents(ended.map(brokenOffEvent))], outcome: undefined };
    });
    return () => undefined;
  });

  const records: ReceiptRecords = {
    open: (opened) => steps.write({ opened }),
    add: (issued, decision) => steps.write({ issued, decision }),
    breakOff: ends.write,
    async abandon(openedBefore) {
      return (await database.row<{ count: number }>(abandonReceipts(openedBefore, shard)))?.count ?? 0;
    },
    async countOpened() {
      return (await database.row<{ count: number }>(COUNT_OPENED))?.count ?? 0;
    },
    async isIssued(answerId, body) {
      const text = "SELECT FROM receipts WHERE answer_id = $1 AND body = $2";
      return (await database.rows({ text, values: [answerId, body] })).length > 0;
    },
    find: (answerId) => findReceipt(database, answerId),
    page: (query) => readReceiptPage(database, query),
    async listedNames({ digest, after = "", limit }) {
      const rows = await database.rows<{ namespace: string }>({ text: NAMES_AFTER, values: [digest, after, limit] });
      return rows.map(({ namespace }) => namespace);
    },
    byHour: (since) => database.rows<HourOfAnswers>({ text: BY_HOUR, values: [since] }),
  };
  return {
    records,
    async idle() {
      await Promise.all([steps.idle(), ends.idle()]);
    },
  };
}

const listsOf = (decisions: readonly (Decision | undefined)[]) =>
  decisions.flatMap((decision) => [decision?.allowed, decision?.blocked]);
