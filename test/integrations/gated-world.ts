// A service with identities and two agents: `planner` captures into `diet` and `trips`, and may use both; `guest` may use
// `diet`.
import type { Client } from "#contract/client/client.ts";
import { type KeyedService, keyedServiceForTest } from "#test/support/keyed-service.ts";

export interface GatedWorld {
  readonly service: KeyedService;
  readonly planner: { readonly key: string; readonly client: Client };
  readonly guest: { readonly key: string; readonly client: Client };
  allow(agentId: string, namespace: string, allowed?: boolean): Promise<unknown>;
}

export async function gatedWorld(captures: readonly string[] = ["diet", "trips"]): Promise<GatedWorld> {
  const many = "1000000";
  const environment = {
    SEED: "none",
    LIMIT_ANSWERS_PER_MINUTE: many,
    LIMIT_READS_PER_MINUTE: many,
    LIMIT_WRITES_PER_MINUTE: many,
  };
  const service = await keyedServiceForTest({ environment });
  const planner = await service.keyFor("agent:planner", { captures: [...captures] });
  const guest = await service.keyFor("agent:guest", { captures: [...captures] });
  const allow = (agentId: string, namespace: string, allowed = true) =>
    service.admin.setAccess({ agentId, namespace, allowed });
  for (const namespace of captures) await allow("planner", namespace);
  await allow("guest", "diet");
  return { service, planner, guest, allow };
}
