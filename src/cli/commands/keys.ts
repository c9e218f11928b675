// The keys of callers.
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { type KeyParts, withRecords } from "#cli/shared/database.ts";
import { type Cell, table, whole } from "#cli/terminal/table.ts";
import { nameFault } from "#core/encoding/text-validation.ts";
import { parseRole } from "#core/identity/principal.ts";
import type { KeyRecord } from "#ports.ts";
import * as service from "#service/identity/keys.ts";

export const runs: Runs<"keys create" | "keys list" | "keys rotate" | "keys revoke"> = {
  async "keys create"(invocation) {
    // Before the database is opened, which may create it.
    const key = newKeyOf(invocation.values);
    const create = ({ records, now }: KeyParts) => {
      const keys = key.role === "operator" ? records.deploymentKeys : records.keys;
      return service.createKey({ records: { keys }, now }, key, BY);
    };
    const issued = await withRecords(invocation, create, { schemaChange: "create" });
    return showIssuedKey(invocation, issued);
  },

  async "keys list"(invocation) {
    const { values, out, json } = invocation;
    await withRecords(invocation, async (tenant) => {
      const rows = table(out, COLUMNS);
      let before: number | undefined;
      do {
        const { keys, next } = await tenant.records.keys.page({ limit: PAGE, before });
        if (values.json) for (const key of keys) await json(key);
        else await rows.add(keys.map((key) => rowOf(key, tenant.now())));
        before = next;
      } while (before !== undefined);
    });
  },

  async "keys rotate"(invocation) {
    const keyId = keyIdIn(invocation.positionals);
    const graceSeconds = Math.round(Number(invocation.values.grace ?? "0") * HOUR_SECONDS);
    if (!(graceSeconds >= 0 && graceSeconds <= service.LONGEST_GRACE_SECONDS))
      throw new UsageError("--grace takes hours, from 0 to 24.");
    const issued = await withRecords(invocation, (tenant) => service.rotateKey(tenant, keyId, { graceSeconds }));
    return showIssuedKey(invocation, issued);
  },

  async "keys revoke"(invocation) {
    const keyId = keyIdIn(invocation.positionals);
    const record = await withRecords(invocation, (tenant) => service.revokeKey(tenant, keyId));
    return invocation.tell(record, { say: `${keyId} was revoked at ${record.revokedAt}.` });
  },
};

const BY = "command line";

function newKeyOf({ name, role, captures, expiresAt }: Invocation<"keys create">["values"]): service.NewKey {
  if (name === undefined || role === undefined) throw new UsageError("A key needs --name and --role.");
  const fault = nameFault(name);
  if (fault !== undefined) throw new UsageError(`The name ${fault}.`);
  parseRole(role, captures);
  return { name, role, captures, expiresAt };
}

const PAGE = 500;
const COLUMNS = [whole("KEY"), "ROLE", "NAME", "CAPTURES", "STATE", "LAST USED"];

function rowOf(key: KeyRecord, now: Date): Cell[] {
  const { keyId, name, role, captures, lastUsedAt } = key;
  return [keyId, role, name, captures.join(", ") || "nothing", stateOf(key, now), lastUsedAt ?? "never"];
}

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: Date): Cell {
  if (revokedAt !== undefined) return { text: `revoked ${revokedAt}`, tone: "bad" };
  if (expiresAt === undefined) return "good";
  return expiresAt <= now.toISOString() ? { text: `expired ${expiresAt}`, tone: "bad" } : `expires ${expiresAt}`;
}

const HOUR_SECONDS = 3_600;

/** The key goes to standard output alone, so that a script can take it. */
function showIssuedKey({ tell }: Invocation<"keys create" | "keys rotate">, { key, record }: service.IssuedKey) {
  const { keyId, name, role, previousEndsAt } = record;
  const sentences = [
    `${keyId} (${name}, ${role}). Keep the key: it is not shown again.`,
    ...(previousEndsAt === undefined ? [] : [`The old secret is valid until ${previousEndsAt}.`]),
  ];
  return tell({ key, record }, { say: sentences.join("\n"), print: key });
}

function keyIdIn([keyId]: readonly string[]): string {
  if (keyId !== undefined && /^key_[0-9A-Za-z]{11}$/.test(keyId)) return keyId;
  throw new UsageError("Name the key by its id, such as key_…; portcullis keys list shows the ids.");
}
