import { AGENT_HEADER } from "#contract/agent-header.ts";
import { recordedNameFault } from "#core/encoding/text-validation.ts";
import { PortcullisError } from "#core/errors.ts";
import { actingAs } from "#core/identity/acting-as.ts";
import type { Principal } from "#core/identity/principal.ts";
import { orUndefined } from "#core/or-undefined.ts";

/** The caller, with the rights of the agent that the request names, if it names one. */
export function asNamedAgent({ headers }: Request, principal: Principal): Principal {
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
