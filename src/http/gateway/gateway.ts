// The gateway: OpenAI's chat completions with gated memories. It is another protocol, so its paths are no rows of the route
// table, but they are served as rows are: the same callers, limits, decisions and fences.
import type { z } from "zod";
import type { Route } from "#contract/routes.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { type AnyHandler, type EndpointParts, endpointOf } from "#http/route-handler.ts";
import type { Router } from "#http/router.ts";
import { forward } from "#service/answers/forward.ts";
import type { Call } from "#service/call.ts";
import type { Tenant } from "#service/tenant.ts";
import { completionRequest } from "./completion-request.ts";
import { COMPLETIONS_PATH, type CompletionSink, MODELS_PATH } from "./send-completion.ts";

/** A long conversation, and small pictures. */
const BODY_BYTES = 1024 * 1024;

type Served = Omit<Route, "path" | "summary" | "response">;

const COMPLETIONS: Served = {
  method: "POST",
  access: ["agent"],
  limit: "answer",
  idempotent: "answer",
  body: completionRequest,
  bodyLimit: BODY_BYTES,
  streams: "completion",
};
const MODELS: Served = { method: "GET", access: ["agent"], limit: "read" };

interface Input {
  readonly body: z.output<typeof completionRequest>;
  readonly principal: Principal;
  readonly call: Call;
}

export function serveGateway(parts: EndpointParts, router: Pick<Router, "on">): void {
  const on = (name: string, path: string, route: Served, handler: unknown) =>
    router.on(route.method, path, endpointOf(parts, name, { ...route, path } as Route, handler as AnyHandler));
  on("createCompletion", COMPLETIONS_PATH, COMPLETIONS, createCompletion);
  on("listModels", MODELS_PATH, MODELS, listModels);
}

async function createCompletion(tenant: Tenant, { body, principal, call }: Input, sink: CompletionSink): Promise<void> {
  const agentId = agentOf(principal);
  if (!tenant.model.completions?.models.has(body.model))
    throw new PortcullisError("not-found", "There is no model of this name. GET /v1/models lists them.");
  const { onReceipt } = sink;
  const asked = { agentId, ...sink.questionOf(body), request: body, onReceipt };
  return forward(tenant, asked, sink.callerFor(body), call);
}

function agentOf(principal: Principal): string {
  if (principal.role === "agent") return principal.agentId;
  throw new PortcullisError(
    "invalid-request",
    "Use an agent's key, or name the agent to act as in the header Portcullis-Agent.",
  );
}

/** As OpenAI lists them. */
async function listModels({ model }: Tenant) {
  const names = [...(model.completions?.models.keys() ?? [])];
  return { object: "list", data: names.map((id) => ({ id, object: "model", created: 0, owned_by: "portcullis" })) };
}
