// Rate limits: how many requests of a class one caller may send in a minute, and then all callers of its tenant together.
// Failed authentications are counted by address, and an address that has too many is refused before the records are asked.
import { inTenant } from "#async/semaphore.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { DEFAULT_TENANT, type TenantQuotas } from "#core/identity/tenant.ts";
import type { LimitedClass, RequestsPerMinute, RouteClass } from "#core/route-class.ts";
import type { ClientConnection } from "#http/edge/client-connection.ts";
import type { Exchange } from "#http/exchange.ts";
import type { Allowance, Metrics, Quota, QuotaCounters } from "#ports.ts";
import { addressKey } from "./address-key.ts";

export type RateLimits = ReturnType<typeof createRateLimits>;

type Limited = Pick<Exchange, "client" | "response">;

const WINDOW_SECONDS = 60;
const NAMES: Readonly<Record<LimitedClass, string>> = {
  answer: "answers",
  write: "writes",
  read: "reads",
  verify: "verifications",
  "sign-in": "sign-ins",
};
const MAX_REFUSED_ADDRESSES = 10_000;

/** The classes that a tenant has a quota of. */
const OF_TENANT = { answer: "answersPerMinute", write: "writesPerMinute" } as const;

const WORDS = { caller: "A caller", tenant: "All callers of this tenant together" };

type TenantRates = Pick<TenantQuotas, (typeof OF_TENANT)[keyof typeof OF_TENANT]>;

interface Options {
  readonly quotas: QuotaCounters;
  readonly perMinute: RequestsPerMinute;
  /** Of a tenant that has none of its own. */
  readonly tenantRates?: TenantRates | undefined;
  readonly now?: () => number;
  readonly metrics?: Pick<Metrics, "add"> | undefined;
}

export function createRateLimits({ quotas, perMinute, tenantRates = {}, now = Date.now, metrics }: Options) {
  const limited = Object.entries(perMinute) as [LimitedClass, number][];
  const quotaOf = new Map<RouteClass, Quota>(
    limited.map(([name, points]) => [name, { name: NAMES[name], points, seconds: WINDOW_SECONDS }]),
  );
  const signIns = quotaOf.get("sign-in");
  /** As many as sign-ins, and off with them. */
  const failures = signIns && { ...signIns, name: "failed-authentications" };
  /** Addresses with too many failures, and until when they are refused. */
  const refusedUntil = new Map<string, number>();

  function refuse({ response }: Limited, ms: number, sentence: string): never {
    const seconds = Math.max(1, Math.ceil(ms / 1_000));
    response.addHeaders({ "retry-after": String(seconds) });
    throw new PortcullisError("too-many-requests", `${sentence} Try again in ${seconds} s.`);
  }

  async function take(exchange: Limited, quota: Quota, counted: string, who: keyof typeof WORDS): Promise<void> {
    const allowance = await quotas.take(quota, counted);
    // Of the two, the caller learns its own, or the one that refuses it.
    if (who === "caller" || !allowance.isGranted) exchange.response.addHeaders(headersOf(quota, allowance));
    if (allowance.isGranted) return;
    metrics?.add("requestsRefused", "rate-limit");
    refuse(exchange, allowance.resetMs, `${WORDS[who]} may send ${quota.points} requests of this kind a minute.`);
  }

  async function countInTenant(exchange: Limited, routeClass: keyof typeof OF_TENANT, principal: Principal) {
    const { role, tenant = { quotas: {}, ...DEFAULT_TENANT } } = principal;
    if (tenant === "any" || role === "operator" || role === "public") return;
    const points = tenant.quotas?.[OF_TENANT[routeClass]] ?? tenantRates[OF_TENANT[routeClass]];
    if (points === undefined) return;
    const quota = { name: `tenant-${NAMES[routeClass]}`, points, seconds: WINDOW_SECONDS };
    await take(exchange, quota, String(tenant.number), "tenant");
  }

  async function countFailure(quota: Quota, address: string): Promise<void> {
    const { remaining, resetMs } = await quotas.take(quota, address);
    if (remaining > 0) return;
    refusedUntil.set(address, now() + resetMs);
    const [first] = refusedUntil.keys();
    if (refusedUntil.size > MAX_REFUSED_ADDRESSES && first !== undefined) refusedUntil.delete(first);
  }

  return {
    /** Throws `too-many-requests` when the caller has none left, or its tenant, which does not count what forgets. */
    async count(exchange: Limited, routeClass: RouteClass, principal?: Principal, forgets = false): Promise<void> {
      const quota = quotaOf.get(routeClass);
      if (quota !== undefined) {
        const caller = callerOf(exchange.client, routeClass === "sign-in" ? undefined : principal);
        await take(exchange, quota, caller, "caller");
      }
      if (principal !== undefined && !forgets && (routeClass === "answer" || routeClass === "write"))
        await countInTenant(exchange, routeClass, principal);
    },

    /** Throws `too-many-requests` when too many authentications from this address have failed. */
    refuseAfterFailures(exchange: Limited): void {
      if (refusedUntil.size === 0) return;
      const address = addressKey(exchange.client.address);
      const until = refusedUntil.get(address);
      if (until === undefined) return;
      if (until <= now()) return void refusedUntil.delete(address);
      metrics?.add("requestsRefused", "failed-authentications");
      refuse(exchange, until - now(), "Too many invalid keys or tokens from this address.");
    },

    /** Counts the error of an authentication, if it says that what the caller showed is not valid. */
    async countAuthentication(exchange: Limited, error: unknown): Promise<void> {
      if (failures === undefined || !(error instanceof PortcullisError) || error.code !== "unauthenticated") return;
      await countFailure(failures, addressKey(exchange.client.address));
    },
  };
}

/** draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
function headersOf({ name, points, seconds }: Quota, { remaining, resetMs }: Allowance): Record<string, string> {
  return {
    "ratelimit-policy": `"${name}";q=${points};w=${seconds}`,
    ratelimit: `"${name}";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`,
  };
}

// Whom limits count: who has shown a key or a token by that identity, any other by the client's address. In each tenant
// apart, so that a key of all tenants has none of them pay for another.
export function callerOf({ address }: Pick<ClientConnection, "address">, principal?: Principal): string {
  // Whoever asks for what several tenants have published is still one caller.
  const { tenant = DEFAULT_TENANT } = principal?.role === "public" ? {} : (principal ?? {});
  const caller = principal?.credential === undefined ? addressKey(address) : principal.id;
  return tenant === "any" ? caller : inTenant(tenant.number, caller);
}
