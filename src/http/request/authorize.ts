// Who is calling, and whether they may call this route. Decided before the body is read.

import { AGENT_HEADER } from "#contract/paths.ts";
import type { Route } from "#contract/routes.ts";
import { orUndefined } from "#core/defined.ts";
import { recordedNameFault } from "#core/encoding/text-validation.ts";
import { PortcullisError } from "#core/errors.ts";
import { actingAs, forbidden, mayCall } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import { credentialsOf } from "#http/edge/client-connection.ts";
import type { Exchange } from "#http/exchange.ts";
import type { RateLimits } from "#http/limits/rate-limits.ts";
import type { Authenticator } from "#service/identity/authenticator.ts";

export interface Identifier {
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
}

export async function authorize(
  identifier: Identifier,
  { access, limit, isUrgent }: Pick<Route, "access" | "limit" | "isUrgent">,
  exchange: Exchange,
  onRefused: (principal: Principal, error: unknown) => Promise<void>,
): Promise<Principal> {
  const caller = await identify(identifier, exchange, { isUrgent: isUrgent !== undefined || limit === "never" });
  try {
    const principal = asNamedAgent(exchange.request, caller);
    if (mayCall(principal, access)) return principal;
    if (caller.role === "public") throw new PortcullisError("unauthenticated", "This route needs a key or a token.");
    throw forbidden("The role of this key or token may not call this route.");
  } catch (error) {
    if (!isForbidden(error)) throw error;
    // The refusal goes on record, so it is counted. Who may not revoke has nothing urgent.
    await identifier.limits.count(exchange, limit === "never" ? "write" : limit, caller);
    await onRefused(caller, error);
    throw error;
  }
}

export const isForbidden = (error: unknown): boolean => error instanceof PortcullisError && error.code === "forbidden";

/** Who is calling. An address from which too many guessed is refused before the records are asked, unless it is urgent. */
export async function identify(
  { authenticator, limits }: Identifier,
  exchange: Exchange,
  { isUrgent = false } = {},
): Promise<Principal> {
  const credentials = credentialsOf(exchange.request, exchange.client);
  if (credentials.bearer === undefined) return authenticator.identify(credentials);
  if (!isUrgent) limits.refuseAfterFailures(exchange);
  try {
    return await authenticator.identify(credentials);
  } catch (error) {
    await limits.countAuthentication(exchange, error);
    throw error;
  }
}

/** The caller, with the rights of the agent that the request names, if it names one. */
function asNamedAgent({ headers }: Request, principal: Principal): Principal {
  const given = headers.get(AGENT_HEADER);
  if (given === null) return principal;
  const agentId = orUndefined(() => decodeURIComponent(given));
  if (agentId === undefined || recordedNameFault(agentId) !== undefined)
    throw new PortcullisError(
      "invalid-request",
      "The header Portcullis-Agent is not the id of an agent, percent-encoded.",
    );
  return actingAs(principal, agentId);
}
