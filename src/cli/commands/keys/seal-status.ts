import type { Run } from "#cli/invocation.ts";
import { withDeps } from "#cli/shared/with-deps.ts";
import { table } from "#cli/terminal/table.ts";
import { readConfig } from "#config.ts";
import type { Deps } from "#service/deps.ts";

const COLUMNS = [
  { title: "KEY", isWhole: true },
  { title: "MEMORIES", isWhole: true },
  { title: "WHICH KEY IT IS" },
] as const;

const MEANING = {
  current: "SEAL_KEY",
  former: "a former key",
  missing: "not configured: these memories cannot be opened",
};

export const run: Run<"seal status"> = async ({ values, out, json, serviceEnvironment }) => {
  const rows = await withDeps(readConfig(await serviceEnvironment()), keysOf);
  if (values.json) for (const row of rows) await json(row);
  else await table(out, COLUMNS).add(rows.map(({ keyId, memories, key }) => [keyId, String(memories), MEANING[key]]));
  return undefined;
};

interface SealKey {
  readonly keyId: string;
  readonly memories: number;
  readonly key: keyof typeof MEANING;
}

async function keysOf({ records, cipher }: Deps): Promise<SealKey[]> {
  const [today, ...former] = cipher.keyIds();
  const counts = await records.seals.counts();
  const ids = new Set([...(today === undefined ? [] : [today]), ...counts.keys()]);
  return [...ids].map((keyId) => ({
    keyId,
    memories: counts.get(keyId) ?? 0,
    key: keyId === today ? "current" : former.includes(keyId) ? "former" : "missing",
  }));
}
