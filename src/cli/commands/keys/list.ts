import type { Run } from "#cli/invocation.ts";
import { type Cell, table } from "#cli/terminal/table.ts";
import type { KeyRecord } from "#ports.ts";
import { listKeys } from "#service/identity/keys.ts";
import { withRecords } from "./with-records.ts";

const PAGE = 500;
const COLUMNS = [
  { title: "KEY", isWhole: true },
  { title: "ROLE" },
  { title: "NAME" },
  { title: "CAPTURES" },
  { title: "STATE" },
  { title: "LAST USED" },
] as const;

export const run: Run<"keys list"> = async (invocation) => {
  const { values, out, json } = invocation;
  await withRecords(invocation, async (deps) => {
    const rows = table(out, COLUMNS);
    let before: number | undefined;
    do {
      const { keys, next } = await listKeys(deps, { limit: PAGE, ...(before !== undefined && { before }) });
      if (values.json) for (const key of keys) await json(key);
      else await rows.add(keys.map((key) => rowOf(key, deps.now())));
      before = next;
    } while (before !== undefined);
  });
  return undefined;
};

function rowOf(key: KeyRecord, now: Date): Cell[] {
  const { keyId, name, role, captures, lastUsedAt } = key;
  return [keyId, role, name, captures.join(", ") || "nothing", stateOf(key, now), lastUsedAt ?? "never"];
}

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: Date): Cell {
  if (revokedAt !== undefined) return { text: `revoked ${revokedAt}`, tone: "bad" };
  if (expiresAt === undefined) return "good";
  return expiresAt <= now.toISOString() ? { text: `expired ${expiresAt}`, tone: "bad" } : `expires ${expiresAt}`;
}
