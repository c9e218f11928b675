// Tenants, for operators.
import { setTimeout as delay } from "node:timers/promises";
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { confirm, isAtTerminal } from "#cli/shared/confirm.ts";
import { listPages } from "#cli/shared/list-pages.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { type Cell, whole } from "#cli/terminal/table.ts";
import type { Client } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";

type Name = `tenants ${"create" | "list" | "show" | "suspend" | "resume" | "delete"}`;
type Shown = Reply<"getTenant">;

export const runs: Runs<Name> = {
  "tenants create": (invocation) => change(invocation, (client, id) => client.createTenant({ id }), "was made"),
  "tenants suspend": (invocation) => change(invocation, suspending(true), "is suspended"),
  "tenants resume": (invocation) => change(invocation, suspending(false), "goes on"),

  "tenants list": (invocation) =>
    listPages(invocation, "listTenants", [whole("TENANT"), "CREATED", "STATE"], (tenant) => [
      ...[tenant.id, tenant.createdAt ?? ""],
      stateOf(tenant),
    ]),

  async "tenants show"(invocation) {
    const { client } = await openClient(invocation);
    return show(invocation, await client.getTenant({ tenantId: invocation.positionals[0] ?? "" }));
  },

  async "tenants delete"(invocation) {
    const { positionals, values, say } = invocation;
    const [tenantId = ""] = positionals;
    if (!values.yes && !isAtTerminal(invocation)) throw new UsageError("Nobody can be asked here. Say --yes.");
    const { client } = await openClient(invocation);
    if (!values.yes) {
      const { memories } = (await client.getTenant({ tenantId })).usage;
      const question = `This deletes ${tenantId} with ${memories === 1 ? "1 memory" : `${memories} memories`}, for good.`;
      if (!(await confirm(invocation, question, tenantId))) {
        await say("Nothing was deleted.");
        return 1;
      }
    }
    await client.deleteTenant({ tenantId });
    if (values.wait) return show(invocation, await ended(invocation, client, tenantId));
    return say(`Nobody may act in ${tenantId} any more. Its records are being removed.`);
  },
};

const suspending = (suspended: boolean) => (client: Client, tenantId: string) =>
  client.updateTenant({ tenantId }, { suspended });

async function change(
  invocation: Invocation<"tenants create" | "tenants suspend" | "tenants resume">,
  run: (client: Client, id: string) => Promise<Pick<Shown, "tenant">>,
  done: string,
): Promise<undefined> {
  const { client } = await openClient(invocation);
  const { tenant } = await run(client, invocation.positionals[0] ?? "");
  return invocation.tell(tenant, { say: `${tenant.id} ${done}.` });
}

function show({ tell }: Invocation<"tenants show" | "tenants delete">, shown: Shown): Promise<undefined> {
  const { tenant, usage, tombstone } = shown;
  const { signature, ...told } = tombstone ?? { ...tenant, ...usage, signature: undefined };
  const fields = { ...told, deletion: undefined, ...(signature && { signedWith: signature.keyId }) };
  const lines = Object.entries(fields).filter(([, value]) => value !== undefined);
  return tell(shown, { print: lines.map(([name, value]) => `${name.padEnd(11)} ${value}`).join("\n") });
}

function stateOf({ suspendedAt, deletion }: Shown["tenant"]): Cell {
  if (deletion?.endedAt !== undefined) return { text: `deleted ${deletion.endedAt}`, tone: "bad" };
  if (deletion !== undefined) return { text: `${deletion.remaining} to be removed`, tone: "bad" };
  return suspendedAt === undefined ? "good" : { text: `suspended ${suspendedAt}`, tone: "bad" };
}

const LOOK_MS = 500;

/** The tenant when its deletion has ended. */
async function ended({ err, signal }: Invocation<"tenants delete">, client: Client, tenantId: string) {
  const bar = progressBar(err, 1);
  try {
    for (;;) {
      const shown = await client.getTenant({ tenantId });
      if (shown.tombstone !== undefined) return shown;
      const { removed, remaining = 0 } = shown.tenant.deletion ?? {};
      const done = (removed?.memories ?? 0) + (removed?.receipts ?? 0);
      bar.show(done / Math.max(done + remaining, 1), `${done} removed`);
      await delay(LOOK_MS, undefined, { signal });
    }
  } finally {
    bar.clear();
  }
}
