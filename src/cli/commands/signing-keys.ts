// The keys that sign receipts, and those that encrypt memories.
import type { Runs } from "#cli/invocation.ts";
import { inEveryTenant, withTenant } from "#cli/shared/database.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { table, whole } from "#cli/terminal/table.ts";
import { readConfig } from "#config.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import { rotateEncryptionKey } from "#service/memories/encryption.ts";
import { inHex } from "#service/operations/overview.ts";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";
import type { Tenant } from "#service/tenant.ts";

export const runs: Runs<
  "signing-keys list" | "signing-keys rotate" | "signing-keys end" | "encryption status" | "encryption rotate"
> = {
  async "signing-keys list"({ values, out, json, serviceEnvironment }) {
    const keys = await withTenant(readConfig(await serviceEnvironment()), ({ records }) => records.signingKeys.list());
    const shown = keys.map(inHex);
    if (values.json) for (const key of shown) await json(key);
    else await table(out, COLUMNS).add(shown.map(rowOf));
  },

  async "signing-keys rotate"({ tell, serviceEnvironment }) {
    const config = readConfig(await serviceEnvironment());
    const { keyId } = await withTenant(config, ({ records, now }) => addSigningKey(records, now()));
    return tell({ keyId }, { say: `${keyId} signs from now on.` });
  },

  async "signing-keys end"({ positionals, tell, serviceEnvironment }) {
    const [keyId = ""] = positionals;
    const endedAt = await withTenant(readConfig(await serviceEnvironment()), (tenant) => end(tenant, keyId));
    return tell({ keyId, endedAt }, { say: `${keyId} ended at ${endedAt}.` });
  },

  async "encryption status"({ values, out, json, serviceEnvironment }) {
    const memoriesOf = new Map<string, Awaited<ReturnType<typeof keysOf>>[number]>();
    await inEveryTenant(readConfig(await serviceEnvironment()), async (tenant) => {
      for (const row of await keysOf(tenant)) {
        const memories = row.memories + (memoriesOf.get(row.keyId)?.memories ?? 0);
        memoriesOf.set(row.keyId, { ...row, memories });
      }
    });
    const rows = [...memoriesOf.values()];
    if (values.json) for (const row of rows) await json(row);
    else
      await table(out, ENCRYPTION_COLUMNS).add(
        rows.map(({ keyId, memories, key }) => [keyId, String(memories), MEANING[key]]),
      );
  },

  async "encryption rotate"({ values, err, say, tell, serviceEnvironment }) {
    const bar = progressBar(err, 1);
    let [rewrapped, unknown] = [0, 0];
    await inEveryTenant(readConfig(await serviceEnvironment()), async (tenant) => {
      const done = await rotateEncryptionKey(tenant, (done, total) =>
        bar.show(done / Math.max(total, 1), `${done} of ${total} keys`),
      );
      rewrapped += done.rewrapped;
      unknown += done.unknown;
    });
    bar.clear();
    await tell({ rewrapped, unknown }, { say: `${rewrapped} keys are wrapped by ENCRYPTION_KEY now.` });
    if (unknown > 0)
      throw configurationError(
        `The key of ${unknown} memories is not configured. Add it to ENCRYPTION_KEY_FORMER, and run this again.`,
      );
    if (!values.json) await say("No memory needs a former key.");
  },
};

const COLUMNS = [whole("KEY"), "PUBLIC KEY", "CREATED", "ENDED"];
const rowOf = ({ keyId, publicKey, createdAt, endedAt }: ReturnType<typeof inHex>) => [
  ...[keyId, publicKey, createdAt],
  endedAt === undefined ? "" : `ended ${endedAt}`,
];

async function end({ records, now }: Pick<Tenant, "records" | "now">, keyId: string): Promise<string> {
  const at = now().toISOString();
  // Not an older one: it was rotated for a reason.
  if ((await records.signingKeys.signing())?.keyId === keyId) await addSigningKey(records, now());
  if (await records.signingKeys.end(keyId, at)) return at;
  const advice = `There is no key ${keyId} that has not ended. portcullis signing-keys list shows them.`;
  throw new PortcullisError("not-found", advice);
}

const ENCRYPTION_COLUMNS = [whole("KEY"), whole("MEMORIES"), "WHICH KEY IT IS"];

const MEANING = {
  current: "ENCRYPTION_KEY",
  former: "a former key",
  missing: "not configured: these memories cannot be decrypted",
};

async function keysOf({ records, cipher }: Pick<Tenant, "records" | "cipher">) {
  const [today, ...former] = cipher.keyIds();
  const counts = await records.encryption.counts();
  const ids = new Set([...(today === undefined ? [] : [today]), ...counts.keys()]);
  return [...ids].map((keyId) => ({
    keyId,
    memories: counts.get(keyId) ?? 0,
    key: keyId === today ? ("current" as const) : former.includes(keyId) ? ("former" as const) : ("missing" as const),
  }));
}
