import { brokenOffEvent, issuedEvent, openedEvent } from "#adapters/records/shared/logs/events.ts";
import { ABANDONED_AT_ONCE, MOST_COUNTED } from "#adapters/records/shared/receipts/receipt-pages.ts";
import type { HourOfAnswers, ReceiptRecords } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import { receiptPages } from "./pages/receipt-pages.ts";
import { hourTable } from "./tables/answer-hours.ts";
import type { Tables } from "./tables/tables.ts";
import { usesTable } from "./tables/uses.ts";

/**
 * Complete receipts are append-only. What they are searched by stands apart, in the narrow rows of `answers`. Those that
 * are not complete are in `opened_receipts`.
 */
export function receiptRecords(
  { database, read, inSnapshot, write, writeFromReserve, requireRoom }: Connection,
  { lists, decisions, events, questions }: Pick<Tables, "lists" | "decisions" | "events" | "questions">,
): ReceiptRecords {
  const insertOpened = database.prepare(
    `INSERT INTO opened_receipts (answer_id, agent_id, created_at, namespaces, blocked_list, body, seed, model)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const uses = usesTable(database);
  const deleteOpened = database.prepare("DELETE FROM opened_receipts WHERE answer_id = ? RETURNING reason");
  const insert = database.prepare(
    "INSERT INTO receipts (answer_id, agent_id, created_at, body, seed) VALUES (?, ?, ?, ?, ?)",
  );
  const insertAnswer = database.prepare(
    `INSERT INTO answers (answer_id, agent_id, is_verified, namespaces, blocked_list, reason, model)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const breakOpened = database.prepare(
    "UPDATE opened_receipts SET reason = ? WHERE answer_id = ? AND reason IS NULL RETURNING created_at AS createdAt",
  );
  const breakIssued = database.prepare(
    `UPDATE answers SET reason = ? WHERE answer_id = ? AND reason IS NULL
     RETURNING (SELECT created_at FROM receipts WHERE receipts.answer_id = answers.answer_id) AS createdAt`,
  );
  const abandoned = database.prepare(
    `UPDATE opened_receipts SET reason = 'abandoned' WHERE answer_id IN (
       SELECT answer_id FROM opened_receipts WHERE reason IS NULL AND created_at < ? LIMIT ${ABANDONED_AT_ONCE})
     RETURNING created_at AS createdAt`,
  );
  const countOpen = database.prepare(
    `SELECT count(*) AS count FROM (SELECT 1 FROM opened_receipts WHERE reason IS NULL LIMIT ${MOST_COUNTED})`,
  );
  const hours = hourTable(database);
  const hoursSince = database.prepare(
    `SELECT hour, answers, used, verified, intact, broken_off AS brokenOff FROM answer_hours WHERE hour >= ?
     ORDER BY hour`,
  );
  const findExact = database.prepare("SELECT 1 FROM receipts WHERE answer_id = ? AND body = ?");
  const namesAfter = database.prepare(
    `SELECT namespace FROM blocked_names WHERE list = (SELECT id FROM blocked_lists WHERE digest = ?) AND namespace > ?
     ORDER BY namespace LIMIT ?`,
  );
  const pages = receiptPages(database);

  const countBrokenOff = (createdAt: unknown) => hours.add(String(createdAt), { brokenOff: 1 });

  return {
    open: (receipt) =>
      write(() => {
        const { answerId, agentId, createdAt, namespaces, blockedList, body, seed, model } = receipt;
        const list = lists.keep(blockedList);
        insertOpened.run(answerId, agentId, createdAt, JSON.stringify(namespaces), list, body, seed, model);
        uses.add(receipt);
        events.add(openedEvent(receipt));
      }),
    add: (receipt, decision) =>
      writeFromReserve(() => {
        const { answerId, agentId, createdAt, namespaces, blockedList, used, verified, intact, body, seed } = receipt;
        const opened = deleteOpened.get(answerId);
        // There is always room for the end of an answer that began, and not for another one.
        if (opened === undefined) requireRoom();
        insert.run(answerId, agentId, createdAt, body, seed);
        // The opened receipt names all that the complete one does.
        if (opened === undefined) uses.add(receipt);
        const isVerified = Number(verified === used && intact === used);
        const list = lists.keep(blockedList);
        // One that was taken for abandoned has been counted as broken off. One whose answer was given up, because this
        // commit seemed to fail, stays broken off.
        const isAbandoned = opened?.reason === "abandoned";
        const reason = isAbandoned ? null : (opened?.reason ?? null);
        insertAnswer.run(answerId, agentId, isVerified, JSON.stringify(namespaces), list, reason, receipt.model);
        if (reason === null) questions.keep(receipt);
        hours.add(createdAt, { answers: 1, used, verified, intact, brokenOff: isAbandoned ? -1 : 0 });
        decisions.add(decision);
        events.add(issuedEvent(receipt));
      }),
    breakOff: (broken) =>
      writeFromReserve(() => {
        const { answerId, reason, decision } = broken;
        const found = breakOpened.get(reason, answerId) ?? breakIssued.get(reason, answerId);
        if (found === undefined) return;
        questions.dropOf([answerId]);
        countBrokenOff(found.createdAt);
        decisions.add(decision);
        events.add(brokenOffEvent(broken));
      }),
    abandon: (openedBefore) =>
      writeFromReserve(() => {
        const marked = abandoned.all(openedBefore);
        for (const { createdAt } of marked) countBrokenOff(createdAt);
        return marked.length;
      }),
    countOpened: () => read(() => Number(countOpen.get()?.count)),
    isIssued: (answerId, body) => read(() => findExact.get(answerId, body) !== undefined),
    find: (answerId) => read(() => inSnapshot(() => pages.find(answerId))),
    page: (query) => read(() => inSnapshot(() => pages.page(query))),
    listedNames: ({ digest, after = "", limit }) =>
      read(() => namesAfter.all(digest, after, limit).map(({ namespace }) => String(namespace))),
    byHour: (since) => read(() => hoursSince.all(since) as unknown as HourOfAnswers[]),
  };
}
