// What serves a row of the route table. A value handler gives the row's reply, which is sent as JSON. A row that streams
// has a streaming handler, which sends its reply itself. One that makes a memory also says which, for a repeat of the
// request.
import type { RouteName } from "#contract/paths.ts";
import type { Body, Params, Query, Reply, Route, routes } from "#contract/routes.ts";
import { PortcullisError } from "#core/errors.ts";
import { idempotencyIdentityOf } from "#core/identity/acting-as.ts";
import type { Principal } from "#core/identity/principal.ts";
import { forCaller } from "#core/names/confusable-name.ts";
import type { RecalledMemories } from "#service/answers/answered.ts";
import type { Caller } from "#service/answers/caller.ts";
import type { GateOutcome } from "#service/decisions/call.ts";
import { recordFailure } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import type { Idempotency } from "#service/idempotency/idempotency.ts";
import { jsonReply } from "./answer/reply.ts";
import { type AnswerSink, sendAnswer, sendReleased } from "./answer/send-answer.ts";
import type { Endpoint, Exchange } from "./exchange.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import { authorize } from "./request/authorize.ts";
import { idempotencyKeyOf } from "./request/idempotency-key.ts";
import type { ParsedLine } from "./request/ndjson-body.ts";
import { readInput } from "./request/read-input.ts";

type Row<N extends RouteName> = (typeof routes)[N];

export interface Input<N extends RouteName> {
  readonly params: Params<N>;
  readonly query: Query<N>;
  readonly body: Row<N> extends { readonly ndjson: object } ? AsyncIterable<ParsedLine<Body<N>>> : Body<N>;
  readonly principal: Principal;
  /** Where the client sees us, `http://127.0.0.1:3000` for example. */
  readonly baseUrl: () => string;
  /** Aborts when the client goes away before the reply is complete. */
  readonly signal: () => AbortSignal;
}

/** A row's reply. */
export type Value<N extends RouteName> = DeepReadonly<Reply<N>>;

export type ValueHandler<N extends RouteName> = (deps: Deps, input: Input<N>) => Promise<Value<N>>;

export type StreamingHandler<N extends RouteName, S extends keyof Sinks> = (
  deps: Deps,
  input: Input<N>,
  sink: Sinks[S],
) => Promise<Row<N> extends { readonly idempotent: "memory" } ? Value<N> : void>;

/** Where a streaming handler sends its reply, for each kind of stream in the table. */
interface Sinks {
  readonly answer: AnswerSink;
  readonly memories: Caller<RecalledMemories>;
  readonly pieces: Exchange;
  readonly events: Exchange;
  readonly reply: Exchange;
}

export type Handler<N extends RouteName> =
  Row<N> extends { readonly streams: infer S extends keyof Sinks } ? StreamingHandler<N, S> : ValueHandler<N>;

/** A handler for each row, and each of the kind that its row asks for. */
export type Handlers = { readonly [N in RouteName]: Handler<N> };

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** Any handler. The table has typed its input, and the row has checked it. */
export type AnyHandler = (deps: Deps, input: unknown, sink?: unknown) => Promise<unknown>;

export interface EndpointParts {
  readonly deps: Deps;
  readonly limits: RateLimits;
  readonly idempotency: Idempotency;
}

/**
 * The caller is known, and counted, before the body is read. Where the body tells what is urgent, it is read first.
 * `name` is that of the row, for the decision log. A refusal by a limit is not in it: it costs no write.
 */
export function endpointOf(parts: EndpointParts, name: string, route: Route, handler: AnyHandler): Endpoint {
  const { deps: service, limits } = parts;
  const identifier = { authenticator: service.authenticator, limits };
  const serve = servingOf(parts, route, handler);
  const reads = route.method === "GET" || route.access === "public";
  const onDecided = (outcome: GateOutcome) => service.metrics.add("gateDecisions", name, outcome);
  return async (exchange) => {
    const { requestId } = exchange;
    /** The refusal or failure itself is what the caller is told, also when it cannot be recorded. */
    const failed = (principal: Principal, error: unknown) =>
      recordFailure(service, { principal, route: name, requestId, reads, onDecided }, error).catch((failure) => {
        exchange.reportFailure(failure);
      });
    const principal = await authorize(identifier, route, exchange, failed);
    if (route.isUrgent === undefined) await limits.count(exchange, route.limit, principal);
    try {
      await serve({ ...service, call: { principal, route: name, requestId, reads, onDecided } }, exchange, principal);
    } catch (error) {
      await failed(principal, error);
      throw error;
    }
  };
}

function servingOf({ idempotency, limits }: EndpointParts, route: Route, handler: AnyHandler) {
  return async (deps: Deps, exchange: Exchange, principal: Principal): Promise<void> => {
    const { request, client, params, response } = exchange;
    const key = route.idempotent && idempotencyKeyOf(request);
    const parsed = await readInput(route, request, params);
    const isUrgent = route.isUrgent?.(parsed.body);
    if (isUrgent === false) await limits.count(exchange, route.limit, principal);
    const input = {
      ...parsed,
      principal,
      baseUrl: client.baseUrl,
      signal: response.signal,
    };
    const handle: AnyHandler = async (...given) => {
      try {
        return await once(idempotency, { route, key, input }, handler, given);
      } catch (error) {
        // As in `authorize`.
        if (isUrgent && isForbidden(error)) await limits.count(exchange, route.limit, principal);
        throw forCaller(principal, error);
      }
    };
    if (route.streams === undefined) return response.send(jsonReply(await handle(deps, input)));
    // A reply that takes long is cut when the caller's key is revoked.
    const unwatch = deps.openStreams.add(principal, response.cut);
    try {
      const problemOf = (error: unknown) => exchange.problemOf(forCaller(principal, error));
      await sendStream(route.streams, { ...exchange, problemOf }, async (sink) => {
        const value = await handle(deps, input, sink);
        // What a repeat with an Idempotency-Key gets was not sent by the handler.
        if (value !== undefined && !response.hasBegun()) await response.send(jsonReply(value));
      });
    } finally {
      unwatch();
    }
  };
}

interface KeyedCall {
  readonly route: Route;
  readonly key: string | undefined;
  readonly input: { readonly params: unknown; readonly body: unknown; readonly principal: Principal };
}

/** Calls the handler; with an Idempotency-Key, unless that was done before. An import is idempotent line by line. */
function once(
  idempotency: Idempotency,
  { route, key, input: { params, body, principal } }: KeyedCall,
  handler: AnyHandler,
  [deps, input, sink]: Parameters<AnyHandler>,
): Promise<unknown> {
  const { idempotent } = route;
  if (key === undefined || idempotent === undefined || idempotent === "import") return handler(deps, input, sink);
  const identity = idempotencyIdentityOf(principal);
  const request = { identity, route: `${route.method} ${route.path}`, key, makes: idempotent };
  const content = { params: params ?? null, body: body ?? null };
  return idempotency.once({ ...request, content }, (noting) => handler({ ...noting, call: deps.call }, input, sink));
}

const isForbidden = (error: unknown) => error instanceof PortcullisError && error.code === "forbidden";

function sendStream(
  kind: keyof Sinks,
  exchange: Exchange,
  handle: (sink: Sinks[typeof kind]) => Promise<void>,
): Promise<void> {
  switch (kind) {
    case "answer":
      return sendAnswer(exchange, handle);
    case "memories":
      return sendReleased(exchange, handle);
    case "pieces":
    case "events":
    case "reply":
      return handle(exchange);
  }
}
