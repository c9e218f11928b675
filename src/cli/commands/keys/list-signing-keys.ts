import type { Run } from "#cli/invocation.ts";
import { withDeps } from "#cli/shared/with-deps.ts";
import { table } from "#cli/terminal/table.ts";
import { readConfig } from "#config.ts";

const COLUMNS = [
  { title: "KEY", isWhole: true },
  { title: "PUBLIC KEY" },
  { title: "CREATED" },
  { title: "ENDED" },
] as const;

export const run: Run<"signing-keys list"> = async ({ values, out, json, serviceEnvironment }) => {
  const keys = await withDeps(readConfig(await serviceEnvironment()), ({ records }) => records.signingKeys.list());
  const shown = keys.map(({ keyId, publicKey, createdAt, endedAt }) => ({
    keyId,
    publicKey: Buffer.from(publicKey).toString("hex"),
    createdAt,
    ...(endedAt !== undefined && { endedAt }),
  }));
  if (values.json) for (const key of shown) await json(key);
  else {
    const rows = shown.map(({ keyId, publicKey, createdAt, endedAt }) => [
      keyId,
      publicKey,
      createdAt,
      endedAt === undefined ? "" : `ended ${endedAt}`,
    ]);
    await table(out, COLUMNS).add(rows);
  }
  return undefined;
};
