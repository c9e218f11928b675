// Finds the endpoint for a request, and does what all requests have in common: an id, the origin guard, problems for
// errors, and one line in the log. Responses are written to Node's own response object (response-writer.ts).
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { Problem } from "#contract/problem.ts";
import { CodedError, PortcullisError } from "#core/errors.ts";
import type { Log } from "#log.ts";
import type { Metrics } from "#ports.ts";
import { newRequestId } from "#service/ids.ts";
import { challengeOf, type HttpReply, problemOf, problemReply } from "./answer/reply.ts";
import { createResponseWriter } from "./answer/response-writer.ts";
import * as edge from "./edge/client-connection.ts";
import { type GuardOptions, guardOrigin, isPreflight, preflightReply } from "./edge/origins.ts";
import type { Endpoint } from "./exchange.ts";
import { asOpenAiError, COMPLETIONS_PATH, MODELS_PATH } from "./gateway/send-completion.ts";
import { HttpError } from "./http-error.ts";
import { callerOf } from "./limits/rate-limits.ts";
import type { SendBuffers } from "./limits/send-buffers.ts";

export type Router = ReturnType<typeof createRouter>;

type Env = { Bindings: HttpBindings };

const ACCEPTABLE_ID = /^[\w-]{1,64}$/;
/** Node.js reads some more, of which no path takes any. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

interface RouterOptions extends GuardOptions {
  readonly log: Log;
  readonly transport?: edge.TransportOptions | undefined;
  readonly metrics: Pick<Metrics, "add" | "observe">;
  readonly buffers: SendBuffers;
  /** Whether callers may bring tokens of an issuer. */
  readonly hasIssuer?: boolean | undefined;
}

export function createRouter({ log, transport = {}, metrics, buffers, hasIssuer = false, ...guard }: RouterOptions) {
  const connectionOf = edge.createConnectionReader(transport);
  const logFailure = createFailureLog(log);
  const hono = new Hono<Env>();
  const endpoints = new Map<string, Map<string, Endpoint>>();

  async function serve(c: Context<Env>, route: string, endpoint: Endpoint, label = route): Promise<Response> {
    const started = performance.now();
    const request = c.req.raw;
    const requestId = requestIdOf(request);
    const response = createResponseWriter(c.env, {
      requestId,
      buffers,
      onStuck: () => metrics.add("repliesCut", "no-progress"),
      onHead(status) {
        const elapsed = performance.now() - started;
        const { method } = request;
        log.info({ requestId, method, route, status, ms: Math.round(elapsed) }, "request");
        const named = METHODS.has(method) ? method : "other";
        metrics.observe("requestDuration", elapsed / 1_000, label, named, `${Math.floor(status / 100)}xx`);
      },
    });

    function reportFailure(error: unknown): Problem {
      const problem = problemOf(error, requestId);
      metrics.add("problems", problem.code);
      if (problem.status >= 500) logFailure({ requestId, route, error }, "request failed");
      return problem;
    }

    let client: edge.ClientConnection | undefined;
    function refusal(error: unknown): HttpReply {
      const problem = reportFailure(error);
      const challenge = client === undefined ? {} : challengeOf(problem, request, client, hasIssuer);
      const reply = problemReply(problem, error instanceof HttpError ? { ...challenge, ...error.headers } : challenge);
      return isOpenAis(route, c.req.path) ? asOpenAiError(reply, problem) : reply;
    }
    try {
      client = connectionOf(request, c.env.incoming, { mayBePlain: edge.isHealthCheck(request.method, route) });
      response.ownedBy({ caller: callerOf(client), mayRefuse: true });
      guardOrigin(request, client, guard);
      const params = c.req.param();
      await endpoint({
        request,
        client,
        requestId,
        params,
        response,
        problemOf: (error) => problemOf(error, requestId),
        reportFailure,
      });
    } catch (error) {
      if (!response.hasBegun()) await response.send(refusal(error));
      else if (!response.signal().aborted) {
        // The client must not take what it has for the whole reply. A reply that is complete may still be on its way.
        if (!response.isClosed()) response.cut();
        logFailure({ requestId, route, error }, "failed after the reply began");
      }
    }
    return RESPONSE_ALREADY_SENT;
  }

  let unknown: Endpoint = notFound;
  hono.notFound((c) => serve(c, UNKNOWN, unknown));
  return {
    /** `:name` is a parameter. Of two paths that match, the first counts. Metrics show the path, or its `label`. */
    on(method: string, path: string, endpoint: Endpoint, label?: string): void {
      const known = endpoints.get(path);
      if (known !== undefined) return void known.set(method, endpoint);
      const methods = new Map([[method, endpoint]]);
      endpoints.set(path, methods);
      hono.all(path, (c) => {
        const { incoming, outgoing } = c.env;
        if (isPreflight(incoming, outgoing)) return serve(c, path, preflight([...methods.keys()]), label);
        const called = c.req.method === "HEAD" ? "GET" : c.req.method;
        return serve(c, path, methods.get(called) ?? methodNotAllowed([...methods.keys()]), label);
      });
    },
    /** Answers requests for paths that are none of these. */
    onUnknown(endpoint: Endpoint): void {
      unknown = endpoint;
    },
    fetch: (request: Request, node: HttpBindings) => hono.fetch(request, node),
  };
}

const UNKNOWN = "unknown";

/** Whether a client of OpenAI's reads the error: also of a path of theirs that is not served here. */
const isOpenAis = (route: string, path: string): boolean =>
  route === COMPLETIONS_PATH || route === MODELS_PATH || (route === UNKNOWN && /^\/v1\/(?!blobs\b)/.test(path));

/** The caller's own id when it may stand in a log, else a new one. */
function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && ACCEPTABLE_ID.test(given) ? given : newRequestId();
}

const preflight =
  (methods: readonly string[]): Endpoint =>
  ({ response }) =>
    response.send(preflightReply(methods));

/** RFC 9110, 15.5.6: the reply lists the methods that the path has. */
const methodNotAllowed =
  (methods: readonly string[]): Endpoint =>
  async () => {
    const headers = { allow: methods.join(", ") };
    throw new HttpError("method-not-allowed", `This path takes ${methods.join(" and ")}.`, { headers });
  };

export async function notFound(): Promise<never> {
  throw new PortcullisError("not-found", "No such path. GET /openapi.json lists them.");
}

// Logs failed requests. While the disk is full or the database file gone, every request fails in the same way, and the
// log may be on the same disk: then there is one line a minute, with the number of requests that failed.

const INTERVAL_MS = 60_000;
const RATIONED = new Set(["storage-full", "storage-lost"]);

export function createFailureLog(log: Log, now: () => number = () => performance.now()) {
  /** For each code: when it was logged last, and how often it failed since. */
  const rationed = new Map<string, { at: number; unlogged: number }>();

  return (failed: { requestId: string; route: string; error: unknown }, message: string): void => {
    const { error } = failed;
    const code = error instanceof CodedError && RATIONED.has(error.code) ? error.code : undefined;
    if (code === undefined) return void log.error(failed, message);
    const last = rationed.get(code);
    if (last !== undefined && now() - last.at < INTERVAL_MS) {
      last.unlogged += 1;
      return;
    }
    rationed.set(code, { at: now(), unlogged: 0 });
    log.error({ ...failed, failures: 1 + (last?.unlogged ?? 0) }, message);
  };
}
