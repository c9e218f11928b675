// Fills a database of the released version with answers of the past, by SQL, as that version would have recorded them.
import { DatabaseSync } from "node:sqlite";
import { newId } from "#service/ids.ts";

const DAY_MS = 86_400_000;
/** The answers lie between these ages. */
const OLDEST_DAYS = 90;
const YOUNGEST_DAYS = 10;
const ROWS_A_COMMIT = 5_000;

/** Each is a copy of a receipt that is on record, with its own id and time, and with a row of the decision log. */
export function fillReleased(path: string, answers: number, now: number): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  const [sample] = database
    .prepare(
      `SELECT receipts.answer_id AS id, created_at AS at, sequence FROM receipts JOIN decisions USING (answer_id)
       ORDER BY receipts.answer_id LIMIT 1`,
    )
    .all() as { id: string; at: string; sequence: number }[];
  if (sample === undefined) throw new Error("The released database has no receipt.");
  const insert = [
    `INSERT INTO receipts SELECT :id, agent_id, :at, replace(replace(body, :sampleId, :id), :sampleAt, :at)
     FROM receipts WHERE answer_id = :sampleId`,
    `INSERT INTO answers SELECT :id, agent_id, is_verified, namespaces, blocked_list FROM answers WHERE answer_id = :sampleId`,
    `INSERT INTO decisions (at, principal_id, principal_name, role, agent_id, route, policy_version, allowed_list,
       allowed_count, blocked_list, blocked_count, outcome, answer_id)
     SELECT :at, principal_id, principal_name, role, agent_id, route, policy_version, allowed_list, allowed_count,
       blocked_list, blocked_count, outcome, :id FROM decisions WHERE sequence = :decision`,
    `INSERT INTO answer_hours SELECT substr(:at, 1, 13), 1, used, used, used
     FROM (SELECT json_array_length(body, '$.usedMemories') AS used FROM receipts WHERE answer_id = :sampleId) WHERE TRUE
     ON CONFLICT DO UPDATE SET answers = answers + 1, used = used + excluded.used, verified = verified + excluded.used,
       intact = intact + excluded.used`,
  ].map((sql) => database.prepare(sql));
  for (const statement of insert) statement.setAllowUnknownNamedParameters(true);

  const [from, to] = [now - OLDEST_DAYS * DAY_MS, now - YOUNGEST_DAYS * DAY_MS];
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  for (let i = 0; i < answers; i++) {
    const time = Math.floor(from + ((to - from) * i) / answers);
    const values = {
      id: newId("ans", time),
      at: new Date(time).toISOString(),
      sampleId: sample.id,
      sampleAt: sample.at,
      decision: sample.sequence,
    };
    for (const statement of insert)
      if (statement.run(values).changes !== 1) throw new Error("A row could not be copied.");
    if (i % ROWS_A_COMMIT === 0) database.exec("COMMIT; BEGIN");
  }
  database.exec("COMMIT");
  database.close();
}
