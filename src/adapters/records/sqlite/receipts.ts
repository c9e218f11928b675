import type { HourOfAnswers, ReceiptRecords } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import { receiptPages } from "./pages/receipt-pages.ts";

/** Receipts are append-only. What they are searched by stands apart, in the narrow rows of `answers`. */
export function receiptRecords({ database, read, inSnapshot, write }: Connection): ReceiptRecords {
  const insert = database.prepare(
    `INSERT INTO receipts (answer_id, agent_id, created_at, body) VALUES (:answerId, :agentId, :createdAt, :body)`,
  );
  const insertAnswer = database.prepare(
    "INSERT INTO answers (answer_id, agent_id, is_verified, namespaces) VALUES (?, ?, ?, ?)",
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
  const pages = receiptPages(database);

  return {
    add: ({ answerId, agentId, createdAt, namespaces, used, verified, intact, body }) =>
      write(() => {
        insert.run({ answerId, agentId, createdAt, body });
        insertAnswer.run(answerId, agentId, Number(verified === used && intact === used), JSON.stringify(namespaces));
        countAnswer.run(createdAt.slice(0, 13), used, verified, intact);
      }),
    isIssued: (answerId, body) => read(() => findExact.get(answerId, body) !== undefined),
    find: (answerId) => read(() => inSnapshot(() => pages.find(answerId))),
    page: (query) => read(() => inSnapshot(() => pages.page(query))),
    byHour: (since) => read(() => hoursSince.all(since) as unknown as HourOfAnswers[]),
  };
}
