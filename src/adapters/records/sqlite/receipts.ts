import { issuedEvent } from "#adapters/records/shared/logs/events.ts";
import type { HourOfAnswers, ReceiptRecords } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import { receiptPages } from "./pages/receipt-pages.ts";
import type { Tables } from "./tables/tables.ts";

/** Receipts are append-only. What they are searched by stands apart, in the narrow rows of `answers`. */
export function receiptRecords(
  { database, read, inSnapshot, write }: Connection,
  { lists, decisions, events }: Pick<Tables, "lists" | "decisions" | "events">,
): ReceiptRecords {
  const insert = database.prepare("INSERT INTO receipts (answer_id, agent_id, created_at, body) VALUES (?, ?, ?, ?)");
  const insertAnswer = database.prepare(
    "INSERT INTO answers (answer_id, agent_id, is_verified, namespaces, blocked_list) VALUES (?, ?, ?, ?, ?)",
  );
  const countAnswer = database.prepare(
    `INSERT INTO answer_hours (hour, answers, used, verified, intact) VALUES (?, 1, ?, ?, ?)
     ON CONFLICT DO UPDATE SET answers = answers + 1, used = used + excluded.used,
       verified = verified + excluded.verified, intact = intact + excluded.intact`,
  );
  const hoursSince = database.prepare(
    "SELECT hour, answers, used, verified, intact FROM answer_hours WHERE hour >= ? ORDER BY hour",
  );
  const findExact = database.prepare("SELECT 1 FROM receipts WHERE answer_id = ? AND body = ?");
  const namesAfter = database.prepare(
    `SELECT namespace FROM blocked_names WHERE list = (SELECT id FROM blocked_lists WHERE digest = ?) AND namespace > ?
     ORDER BY namespace LIMIT ?`,
  );
  const pages = receiptPages(database);

  return {
    add: (receipt, decision) =>
      write(() => {
        const { answerId, agentId, createdAt, namespaces, blockedList, used, verified, intact, body } = receipt;
        insert.run(answerId, agentId, createdAt, body);
        const isVerified = Number(verified === used && intact === used);
        const list = lists.keep(blockedList && { digest: blockedList.digest, names: blockedList.namespaces });
        insertAnswer.run(answerId, agentId, isVerified, JSON.stringify(namespaces), list);
        countAnswer.run(createdAt.slice(0, 13), used, verified, intact);
        decisions.add(decision);
        events.add(issuedEvent(receipt));
      }),
    isIssued: (answerId, body) => read(() => findExact.get(answerId, body) !== undefined),
    find: (answerId) => read(() => inSnapshot(() => pages.find(answerId))),
    page: (query) => read(() => inSnapshot(() => pages.page(query))),
    blockedPage: ({ digest, after = "", limit }) =>
      read(() => namesAfter.all(digest, after, limit).map(({ namespace }) => String(namespace))),
    byHour: (since) => read(() => hoursSince.all(since) as unknown as HourOfAnswers[]),
  };
}
