// The HTTP face: the rows of the table, health, the API's description and, in mock mode, the blobs.
import type { ServerResponse } from "node:http";
import { type Context, Hono } from "hono";
import { openApiDocument } from "#contract/openapi.ts";
import { PAGES } from "#contract/page-paths.ts";
import { IMPORT_PATH, type RouteName } from "#contract/paths.ts";
import { type Route, routes } from "#contract/routes.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Log } from "#log.ts";
import type { Caller } from "#service/answers/attempt.ts";
import type { Deps } from "#service/deps.ts";
import { answerEvents, EVENT_STREAM, wantsEvents } from "./answer/event-stream.ts";
import { importReply } from "./answer/import-stream.ts";
import { answerWhole } from "./answer/json-answer.ts";
import { problemOf, problemReply } from "./answer/problem.ts";
import { type HttpReply, jsonReply, toResponse } from "./answer/reply.ts";
import { itsTurn } from "./answer/response-writer.ts";
import { handlers, Pieces } from "./handlers.ts";
import { APP_PATHS, appPages } from "./pages/app-pages.ts";
import { objectPage, transactionPage } from "./pages/ledger-page.ts";
import { verifyPage } from "./pages/verify-page.ts";
import { welcome } from "./pages/welcome.ts";
import { readiness } from "./readiness.ts";
import { guard } from "./request/origin-guard.ts";
import { requestIdOf } from "./request/request-id.ts";
import { readInput } from "./request/validate-input.ts";
import type { WebFiles } from "./static/app-files.ts";
import { blobReply } from "./static/mock-blobs.ts";

export interface AppOptions {
  readonly deps: Deps;
  readonly log: Log;
  readonly version: string;
  /** Serve only requests whose Host names this machine. */
  readonly loopbackOnly: boolean;
  /** Where anyone can GET a blob. Absent in mock mode: then we answer `GET /v1/blobs/<blobId>` ourselves. */
  readonly aggregator?: string | undefined;
  /** The app. Without it there are only the pages that the service itself renders. */
  readonly web?: WebFiles | undefined;
  /** False once the process is about to stop. */
  readonly isAccepting: () => boolean;
}

/** Behind a real server there is a response to cut off; behind `app.request` in a test there is none. */
type Env = { Bindings: { readonly outgoing?: ServerResponse } };
type Endpoint = (
  request: Request,
  params: Record<string, string>,
  call: {
    readonly requestId: string;
    readonly signal: () => AbortSignal;
    readonly outgoing: ServerResponse | undefined;
  },
) => HttpReply | Promise<HttpReply>;

export function createApp(options: AppOptions): Hono<Env> {
  const { deps, log, version, loopbackOnly, aggregator, web, isAccepting } = options;
  const app = new Hono<Env>();
  const methodsOf = new Map<string, string[]>();
  const answer = answering(log, loopbackOnly);

  function on(method: string, path: string, endpoint: Endpoint): void {
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
    app.on(method, path, (c) => {
      const outgoing = outgoingOf(c);
      const signal = () => departure(outgoing);
      return answer(c, path, (requestId) => endpoint(c.req.raw, c.req.param(), { requestId, signal, outgoing }));
    });
  }

  // Before `/api/memories/{memoryId}`, which would take it for a memory.
  on("POST", IMPORT_PATH, (request, _, { requestId }) =>
    importReply(deps, request, (error) => problemOf(error, requestId)),
  );
  for (const [name, route] of Object.entries<Route>(routes)) {
    on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ":$1"), endpointOf(deps, name, route));
  }
  on("GET", "/livez", () => jsonReply({ status: "live" }));
  const ready = readiness(deps);
  on("GET", "/readyz", () => ready(isAccepting()));
  const pages = web && appPages(web, deps.about);
  /** A page of the app, when it is there and a browser asks; what the service itself renders otherwise. */
  const onPage = (path: string, plain: Endpoint) =>
    on("GET", path, (request, params, call) => {
      const rendered = () => plain(request, params, call);
      return pages === undefined ? rendered() : pages.pageOr(request, rendered);
    });
  onPage(PAGES.console.path, (request) => welcome(version, new URL(request.url).origin));
  onPage(PAGES.verify.path, (request, { receiptId = "" }, { signal }) =>
    verifyPage(deps, request, { receiptId, aggregator, signal }),
  );
  onPage(PAGES.ledgerTransaction.path, (_, { digest = "" }) => transactionPage(deps, digest));
  onPage(PAGES.ledgerObject.path, (_, { objectId = "" }) => objectPage(deps, objectId));
  if (pages !== undefined) {
    for (const path of APP_PATHS) on("GET", path, (request) => pages.page(request));
    for (const [path, file] of web?.files ?? []) on("GET", path, (request) => pages.file(file, request));
  }
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

/** `app.request` has no environment at all, whatever the type says. */
function outgoingOf({ env }: Context<Env>): ServerResponse | undefined {
  return (env as Env["Bindings"] | undefined)?.outgoing;
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
      outgoingOf(c)?.destroy();
    });
  };
}

function endpointOf(deps: Deps, name: string, route: Route): Endpoint {
  // The table types each handler's input; here any of them meets the input that its own row has checked.
  const handler = handlers[name as RouteName] as (deps: Deps, input: unknown) => Promise<unknown>;
  return async (request, params, { requestId, signal, outgoing }) => {
    const input = { ...(await readInput(route, request, params)), origin: () => new URL(request.url).origin, signal };
    const answer = async (run: (caller: Caller) => Promise<void>) => {
      await itsTurn(outgoing);
      if (!wantsEvents(request)) return answerWhole(run, { signal: signal(), outgoing });
      const whatFailed = (error: unknown) => problemOf(error, requestId);
      return new Pieces(EVENT_STREAM, await answerEvents({ run, signal: signal(), outgoing, problemOf: whatFailed }));
    };
    const reply = await handler(deps, { ...input, answer });
    if (!(reply instanceof Pieces)) return jsonReply(reply);
    return { headers: { "content-type": reply.contentType }, body: reply.texts };
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
