// The HTTP face: the rows of the table, health, the API's description and, in mock mode, the blobs.
import type { ServerResponse } from "node:http";
import { type Context, Hono } from "hono";
import { IMPORT_PATH } from "../contract/import.ts";
import { openApiDocument } from "../contract/openapi.ts";
import { type Route, type RouteName, routes } from "../contract/routes.ts";
import { PortcullisError } from "../core/errors.ts";
import type { Log } from "../log.ts";
import type { Deps } from "../service/deps.ts";
import { blobReply } from "./blobs.ts";
import { answerEvents, EVENT_STREAM, wantsEvents } from "./events.ts";
import { guard } from "./guard.ts";
import { handlers, JsonPieces } from "./handlers.ts";
import { importReply } from "./import.ts";
import { readInput } from "./input.ts";
import { objectPage, transactionPage } from "./ledger-page.ts";
import { problemOf, problemReply } from "./problem.ts";
import { readiness } from "./readiness.ts";
import { type HttpReply, jsonReply, toResponse } from "./reply.ts";
import { requestIdOf } from "./request-id.ts";
import { verifyPage } from "./verify-page.ts";
import { welcome } from "./welcome.ts";

export interface AppOptions {
  readonly deps: Deps;
  readonly log: Log;
  readonly version: string;
  /** Serve only requests whose Host names this machine. */
  readonly loopbackOnly: boolean;
  /** Where anyone can GET a blob. Absent in mock mode: then we answer `GET /v1/blobs/<blobId>` ourselves. */
  readonly aggregator?: string | undefined;
  /** False once the process is about to stop. */
  readonly isAccepting: () => boolean;
}

/** Behind a real server there is a response to cut off; behind `app.request` in a test there is none. */
type Env = { Bindings: { readonly outgoing?: ServerResponse } };
type Endpoint = (
  request: Request,
  params: Record<string, string>,
  call: { readonly requestId: string; readonly signal: () => AbortSignal },
) => HttpReply | Promise<HttpReply>;

export function createApp({ deps, log, version, loopbackOnly, aggregator, isAccepting }: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  const methodsOf = new Map<string, string[]>();
  const answer = answering(log, loopbackOnly);

  function on(method: string, path: string, endpoint: Endpoint): void {
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
    app.on(method, path, (c) => {
      const signal = () => departure(c.env.outgoing);
      return answer(c, path, (requestId) => endpoint(c.req.raw, c.req.param(), { requestId, signal }));
    });
  }

  for (const [name, route] of Object.entries<Route>(routes)) {
    on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ":$1"), endpointOf(deps, name, route));
  }
  on("POST", IMPORT_PATH, (request, _, { requestId }) =>
    importReply(deps, request, (error) => problemOf(error, requestId)),
  );
  on("GET", "/", (request) => welcome(version, new URL(request.url).origin));
  on("GET", "/livez", () => jsonReply({ status: "live" }));
  const ready = readiness(deps);
  on("GET", "/readyz", () => ready(isAccepting()));
  on("GET", "/verify/:receiptId", (request, { receiptId = "" }, { signal }) =>
    verifyPage(deps, request, { receiptId, aggregator, signal }),
  );
  on("GET", "/ledger/tx/:digest", (_, { digest = "" }) => transactionPage(deps, digest));
  on("GET", "/ledger/object/:objectId", (_, { objectId = "" }) => objectPage(deps, objectId));
  let description: string | undefined;
  on("GET", "/openapi.json", () => {
    description ??= JSON.stringify(openApiDocument(version));
    return { headers: { "content-type": "application/json" }, body: description };
  });
  if (aggregator === undefined) on("GET", "/v1/blobs/:blobId", (_, { blobId = "" }) => blobReply(deps.blobs, blobId));

  for (const [path, methods] of methodsOf) {
    app.all(path, (c) => answer(c, path, (requestId) => methodNotAllowed(methods, requestId)));
  }
  app.notFound((c) => answer(c, "unknown", notFound));
  return app;
}

/** What goes around every endpoint: an id, the guard, problems for errors, and one line in the log. */
function answering(log: Log, loopbackOnly: boolean) {
  return async (c: Context<Env>, route: string, endpoint: (requestId: string) => HttpReply | Promise<HttpReply>) => {
    const request = c.req.raw;
    const started = performance.now();
    const requestId = requestIdOf(request);
    let reply: HttpReply;
    try {
      guard(request, { loopbackOnly });
      reply = await endpoint(requestId);
    } catch (error) {
      const problem = problemOf(error, requestId);
      if (problem.status >= 500) log.error({ requestId, route, error }, "request failed");
      reply = problemReply(problem);
    }
    const { status = 200 } = reply;
    log.info(
      { requestId, method: request.method, route, status, ms: Math.round(performance.now() - started) },
      "request",
    );
    return toResponse(reply, requestId, (error) => {
      log.error({ requestId, route, error }, "reply broke off");
      c.env.outgoing?.destroy();
    });
  };
}

function endpointOf(deps: Deps, name: string, route: Route): Endpoint {
  // The table types each handler's input; here any of them meets the input that its own row has checked.
  const handler = handlers[name as RouteName] as (deps: Deps, input: unknown) => Promise<unknown>;
  return async (request, params, { requestId, signal }) => {
    const input = { ...(await readInput(route, request, params)), origin: () => new URL(request.url).origin, signal };
    if (route.streams === true && wantsEvents(request)) {
      const run = (onText: (piece: string) => void) => handler(deps, { ...input, onText });
      const body = await answerEvents({ run, problemOf: (error) => problemOf(error, requestId) });
      return { headers: { "content-type": EVENT_STREAM }, body };
    }
    const reply = await handler(deps, input);
    if (!(reply instanceof JsonPieces)) return jsonReply(reply);
    return { headers: { "content-type": "application/json" }, body: reply.pieces };
  };
}

/** Aborts when the connection closes before the reply was sent: nobody waits for it any more. */
function departure(outgoing: ServerResponse | undefined): AbortSignal {
  const controller = new AbortController();
  outgoing?.once("close", () => {
    if (!outgoing.writableFinished) controller.abort(new PortcullisError("malformed-http", "The caller went away."));
  });
  return controller.signal;
}

function methodNotAllowed(methods: readonly string[], requestId: string): HttpReply {
  const error = new PortcullisError("method-not-allowed", `This path takes ${methods.join(" and ")}.`);
  return problemReply(problemOf(error, requestId), { allow: methods.join(", ") });
}

function notFound(): never {
  throw new PortcullisError("not-found", "There is nothing at this path. GET /openapi.json lists what there is.");
}
