// Who is calling, in which tenant, and whether they may call this route. Decided before the body is read.
import { AGENT_HEADER, TENANT_HEADER } from "#contract/paths.ts";
import type { Route } from "#contract/routes.ts";
import { orUndefined } from "#core/defined.ts";
import { recordedNameFault } from "#core/encoding/text-validation.ts";
import { PortcullisError } from "#core/errors.ts";
import { actingAs, forbidden, mayCall } from "#core/identity/permissions.ts";
import { ANONYMOUS, OPEN, type Principal } from "#core/identity/principal.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { credentialsOf } from "#http/edge/client-connection.ts";
import type { Exchange } from "#http/exchange.ts";
import { callerOf, type RateLimits } from "#http/limits/rate-limits.ts";
import { type Authenticator, refOf, refuseSuspended } from "#service/identity/authenticator.ts";
import type { TenantDirectory } from "#service/tenants/tenant-directory.ts";

export interface Identifier {
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
}

type Called = Pick<Route, "access" | "limit" | "isUrgent">;

/** The caller, whose tenant is known now. */
export type Located = Principal & { readonly tenant: Exclude<Principal["tenant"], "any" | undefined> };

/** Who is calling, and in which tenant. */
export async function locate(
  identifier: Identifier & { readonly tenants: Pick<TenantDirectory, "find" | "ownerOf"> },
  { access, limit, isUrgent }: Called,
  exchange: Exchange,
): Promise<Located> {
  const { tenants } = identifier;
  const caller = await identify(identifier, exchange, isUrgent !== undefined || limit === "never");
  const tenant = await tenantOf(caller, exchange.request.headers.get(TENANT_HEADER), tenants);
  if (caller.credential !== undefined)
    exchange.response.authenticated(callerOf(exchange.client, { ...caller, tenant }));
  const [id] = Object.values(exchange.params);
  if (access !== "public" || id === undefined) return { ...caller, tenant };
  // Who asks for what another tenant has published is nobody there.
  const owner = (await tenants.ownerOf(id, caller.role === "public" ? undefined : tenant)) ?? tenant;
  return owner.number === tenant.number ? { ...caller, tenant } : { ...ANONYMOUS, tenant: owner };
}

/** The caller as the agent that it acts as, if it may call the route. */
export async function authorize(
  { limits }: Pick<Identifier, "limits">,
  { access, limit }: Called,
  exchange: Exchange,
  caller: Located,
  onRefused: (principal: Principal, error: unknown) => Promise<void>,
): Promise<Principal> {
  try {
    const principal = asNamedAgent(exchange.request, caller);
    if (mayCall(principal, access)) return principal;
    if (caller.role === "public") throw new PortcullisError("unauthenticated", "This route needs a key or a token.");
    throw forbidden("The role of this key or token may not call this route.");
  } catch (error) {
    if (!isForbidden(error)) throw error;
    // The refusal goes on record, so it is counted. Who may not revoke has nothing urgent.
    await limits.count(exchange, limit === "never" ? "write" : limit, caller);
    await onRefused(caller, error);
    throw error;
  }
}

export const isForbidden = (error: unknown): boolean => error instanceof PortcullisError && error.code === "forbidden";

/** Who is calling. An address from which too many guessed is refused before the records are asked, unless it is urgent. */
async function identify(
  { authenticator, limits }: Identifier,
  exchange: Exchange,
  isUrgent: boolean,
): Promise<Principal> {
  const credentials = credentialsOf(exchange.request, exchange.client);
  if (credentials.bearer === undefined) {
    const principal = await authenticator.identify(credentials);
    return principal === OPEN && isOwnPage(exchange.request) ? { ...OPEN, name: "app" } : principal;
  }
  if (!isUrgent) limits.refuseAfterFailures(exchange);
  try {
    return await authenticator.identify(credentials);
  } catch (error) {
    await limits.countAuthentication(exchange, error);
    throw error;
  }
}

/** Whether a browser sent it from a page of this service. It decides on nothing but what logs call the caller. */
const isOwnPage = ({ headers }: Request): boolean => headers.get("sec-fetch-site") === "same-origin";

/** The caller, with the rights of the agent that the request names, if it names one. */
function asNamedAgent({ headers }: Request, principal: Principal): Principal {
  // Where nobody has to say who they are, clients that can only be given a key name their agent with `agent:<id>`.
  const bearer = principal.credential === undefined ? (headers.get("authorization") ?? "") : "";
  const given = headers.get(AGENT_HEADER) ?? AGENT_BEARER.exec(bearer)?.[1];
  if (given === undefined) return principal;
  const agentId = orUndefined(() => decodeURIComponent(given));
  if (agentId === undefined || agentId === "*" || recordedNameFault(agentId) !== undefined)
    throw new PortcullisError(
      "invalid-request",
      "The header Portcullis-Agent, or the key, is not the id of one agent, percent-encoded.",
    );
  return actingAs(principal, agentId);
}

const AGENT_BEARER = /^bearer agent:(\S+)$/i;

/** The header names the tenant for those who may act in several, and must agree with what others showed. */
async function tenantOf(
  { role, tenant = DEFAULT_TENANT }: Principal,
  named: string | null,
  tenants: Pick<TenantDirectory, "find">,
): Promise<Located["tenant"]> {
  // Who has not said who they are sees what is public. What operators do is on record in the tenant default.
  if (role === "public" || role === "operator") return DEFAULT_TENANT;
  if (tenant !== "any") {
    if (named === null || named === tenant.id) return tenant;
    throw forbidden("This key or token belongs to another tenant than Portcullis-Tenant says.");
  }
  if (named === null) {
    if (role === "admin") return DEFAULT_TENANT;
    throw new PortcullisError("invalid-request", "Name the tenant in the header Portcullis-Tenant.");
  }
  if (named === DEFAULT_TENANT.id) return DEFAULT_TENANT;
  const found = await tenants.find(named);
  if (found === undefined) throw forbidden("There is no tenant of this id, or this key may not act in it.");
  refuseSuspended(found);
  return refOf(found);
}
