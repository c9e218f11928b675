// MCP over HTTP (streamable HTTP without sessions): each POST carries one message and gets one JSON body, from any
// replica. A tool calls rows of the route table as the agent of the key. The response that carries a reply is written
// while that reply's fence is held.
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Endpoint } from "#http/exchange.ts";
import { callerOf } from "#http/limits/rate-limits.ts";
import { authorize, locate } from "#http/request/authorize.ts";
import { readJson } from "#http/request/body.ts";
import { readQuery } from "#http/request/read-input.ts";
import type { EndpointParts } from "#http/route-handler.ts";
import { recordFailure } from "#service/decisions/decision-log.ts";

/** What it calls has shorter deadlines of its own. */
const DEADLINE_MS = 180_000;

/** Admins of namespaces review proposals. Each message counts as a read, and its calls count too. */
const ROW = { access: ["agent", "namespace-admin"], limit: "read" } as const;

export function mcpEndpoint(parts: EndpointParts, version: string): Endpoint {
  const { tenants, limits } = parts;

  return async (exchange) => {
    const caller = await locate(parts, ROW, exchange);
    const principal = await authorize(parts, ROW, exchange, caller, (refused, error) =>
      tenants
        .use(caller.tenant, (tenant) => recordFailure(tenant, { principal: refused, route: "mcp", reads: true }, error))
        .catch((failure) => {
          exchange.reportFailure(failure);
        }),
    );
    exchange.response.ownedBy({ caller: callerOf(exchange.client, principal), mayRefuse: true });
    await limits.count(exchange, ROW.limit, principal);
    requireAgent(principal);
    readQuery(exchange.request.url, []);
    const message = await readJson(exchange.request);
    // Several would have to leave together, and the fence of the first would wait for the last.
    if (Array.isArray(message))
      throw new PortcullisError("invalid-request", "Send one message a request, and no batch.");
    const late = setTimeout(exchange.response.cut, DEADLINE_MS);
    try {
      // The SDK is loaded when somebody speaks MCP: it would take a third of the time of a start.
      const { serveMessage } = await import("./serve-message.ts");
      await serveMessage(parts, version, { exchange, principal, message });
    } finally {
      clearTimeout(late);
    }
  };
}

function requireAgent({ role, credential }: Principal): void {
  // A browser's session is for the app.
  if (credential?.kind === "session")
    throw new PortcullisError("unauthenticated", "MCP takes a key or a token, and no session.");
  if (role === "agent" || role === "namespace-admin") return;
  throw new PortcullisError(
    "invalid-request",
    "Use an agent's key, or name the agent to act as in the header Portcullis-Agent.",
  );
}
