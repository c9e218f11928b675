// Digests of rows that say who did what and when. A trigger writes the digest with the row, and fsck derives it again:
// so a row that was edited afterwards is noticed. It is no secret: whoever edits the digest as well is not.
import { hash } from "node:crypto";

/** Of a decision, but for its lists. */
export const DECISION_FIELDS = [
  ...["at", "principalId", "principalName", "role", "agentId", "route", "policyVersion", "allowedCount"],
  ...["blockedCount", "outcome", "answerId", "memoryId", "requestId", "namespace", "details"],
] as const;

/** The tables, by what one of their rows is, with the fields that the digest is of. `row` names the row. */
export const DIGESTED = {
  decision: {
    table: "decisions",
    // Not its number, which the database gives: decisions are in the order of their times.
    fields: (row: string) => [
      ...columns(
        row,
        DECISION_FIELDS.join(" ").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ),
      // A list is told by its content, and not by the number under which it is kept.
      ...["allowed_list", "blocked_list"].map(
        (list) => `(SELECT digest FROM blocked_lists WHERE tenant = ${row}.tenant AND id = ${row}.${list})`,
      ),
    ],
  },
  removal: {
    table: "forgotten",
    fields: (row: string) =>
      columns(row, "sequence captured namespace memory_id source_agent cause reason removed_by removed_at"),
  },
  pin: {
    table: "pin_changes",
    fields: (row: string) => columns(row, "sequence captured namespace pinned changed_by changed_at"),
  },
  encryption: {
    table: "encryption_changes",
    fields: (row: string) => columns(row, "sequence namespace encrypted changed_by changed_at"),
  },
} as const;

/** As SQLite's triggers have it: of the values of the fields, with null for those that are missing. */
export const rowDigest = (fields: readonly unknown[]): string => hash("sha256", JSON.stringify(fields));

export type DigestedRow = keyof typeof DIGESTED;
export const DIGESTED_ROWS = Object.keys(DIGESTED) as readonly DigestedRow[];

const columns = (row: string, names: string): string[] => names.split(" ").map((name) => `${row}.${name}`);

/** The rows that are not as they were recorded. `hash` is the SQL of the digest of these expressions. */
export function alteredRows(hash: (fields: readonly string[]) => string): string {
  const selects = DIGESTED_ROWS.map((kind) => {
    const { table, fields } = DIGESTED[kind];
    return `SELECT '${kind}' AS kind, sequence FROM ${table} WHERE tenant = $tenant AND digest <> ${hash(fields(table))}`;
  });
  return selects.join(" UNION ALL ");
}
