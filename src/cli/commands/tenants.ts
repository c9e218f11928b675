// Tenants, for operators.
import { setTimeout as delay } from "node:timers/promises";
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { confirm, isAtTerminal } from "#cli/shared/confirm.ts";
import { listPages } from "#cli/shared/list-pages.ts";
import { type OpenedClient, openClient } from "#cli/shared/service-client.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { type Cell, whole } from "#cli/terminal/table.ts";
import type { Reply } from "#contract/routes.ts";
import { defined } from "#core/defined.ts";
import { TENANT_STATES, type TenantState } from "#core/identity/tenant.ts";

type Name = `tenants ${"create" | "list" | "show" | "suspend" | "resume" | "delete"}`;
type Shown = Reply<"getTenant">;

export const runs: Runs<Name> = {
  "tenants create": (invocation) =>
    change(invocation, ({ client, call }, id) => client.createTenant({ id }, call()), "was made"),
  "tenants suspend": (invocation) => change(invocation, suspending(true), "is suspended"),
  "tenants resume": (invocation) => change(invocation, suspending(false), "goes on"),

  async "tenants list"(invocation) {
    const state = stateNamed(invocation.values.state);
    const { client, call } = await openClient(invocation);
    await listPages<Shown["tenant"]>(invocation, {
      columns: [whole("TENANT"), "CREATED", "STATE"],
      rowOf: (tenant) => [tenant.id, tenant.createdAt ?? "", stateOf(tenant)],
      async page(query) {
        const { tenants: items, nextCursor } = await client.listTenants({ ...query, ...defined({ state }) }, call());
        return { items, nextCursor };
      },
    });
    return undefined;
  },

  async "tenants show"(invocation) {
    const { client, call } = await openClient(invocation);
    await show(invocation, await client.getTenant({ tenantId: invocation.positionals[0] ?? "" }, call()));
    return undefined;
  },

  async "tenants delete"(invocation) {
    const { positionals, values, say } = invocation;
    const [tenantId = ""] = positionals;
    if (!values.yes && !isAtTerminal(invocation)) throw new UsageError("Nobody can be asked here. Say --yes.");
    const service = await openClient(invocation);
    if (!values.yes) {
      const { memories } = (await service.client.getTenant({ tenantId }, service.call())).usage;
      const question = `This deletes ${tenantId} with ${memories === 1 ? "1 memory" : `${memories} memories`}, for good.`;
      if (!(await confirm(invocation, question, tenantId))) {
        await say("Nothing was deleted.");
        return 1;
      }
    }
    await service.client.deleteTenant({ tenantId }, service.call());
    if (values.wait) await show(invocation, await ended(invocation, service, tenantId));
    else await say(`Nobody may act in ${tenantId} any more. Its records are being removed.`);
    return undefined;
  },
};

function stateNamed(text: string | undefined): TenantState | undefined {
  const state = TENANT_STATES.find((each) => each === text);
  if (state !== undefined || text === undefined) return state;
  throw new UsageError(`--state takes ${TENANT_STATES.join(", ")}.`);
}

const suspending =
  (suspended: boolean) =>
  ({ client, call }: OpenedClient, tenantId: string) =>
    client.updateTenant({ tenantId }, { suspended }, call());

async function change(
  invocation: Invocation<"tenants create" | "tenants suspend" | "tenants resume">,
  run: (service: OpenedClient, id: string) => Promise<Pick<Shown, "tenant">>,
  done: string,
): Promise<undefined> {
  const { tenant } = await run(await openClient(invocation), invocation.positionals[0] ?? "");
  await (invocation.values.json ? invocation.json(tenant) : invocation.say(`${tenant.id} ${done}.`));
}

async function show({ values, json, print }: Invocation<"tenants show" | "tenants delete">, shown: Shown) {
  if (values.json) return json(shown);
  const { tenant, usage, tombstone } = shown;
  const { signature, ...told } = tombstone ?? { ...tenant, ...usage, signature: undefined };
  const fields = { ...told, deletion: undefined, ...(signature && { signedWith: signature.keyId }) };
  const lines = Object.entries(fields).filter(([, value]) => value !== undefined);
  await print(lines.map(([name, value]) => `${name.padEnd(11)} ${value}`).join("\n"));
}

function stateOf({ suspendedAt, deletion }: Shown["tenant"]): Cell {
  if (deletion?.endedAt !== undefined) return { text: `deleted ${deletion.endedAt}`, tone: "bad" };
  if (deletion !== undefined) return { text: `${deletion.remaining} to be removed`, tone: "bad" };
  return suspendedAt === undefined ? "good" : { text: `suspended ${suspendedAt}`, tone: "bad" };
}

const LOOK_MS = 500;

/** The tenant when its deletion has ended. */
async function ended({ err, signal }: Invocation<"tenants delete">, { client, call }: OpenedClient, tenantId: string) {
  const bar = progressBar(err, 1);
  try {
    for (;;) {
      const shown = await client.getTenant({ tenantId }, call());
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
