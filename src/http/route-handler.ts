// What serves a row of the route table. A value handler gives the row's reply, which is sent as JSON. A row that streams
// has a streaming handler, which sends its reply itself.
import type { RouteName } from "#contract/paths.ts";
import type { Body, Params, Query, Reply, Route, routes } from "#contract/routes.ts";
import type { Principal } from "#core/identity/principal.ts";
import { forCaller } from "#core/names/confusable-name.ts";
import type { RecalledMemories } from "#service/answers/answered.ts";
import type { Caller } from "#service/answers/caller.ts";
import type { Deps } from "#service/deps.ts";
import type { Idempotency } from "#service/idempotency/idempotency.ts";
import { jsonReply } from "./answer/reply.ts";
import { sendAnswer, sendReleased } from "./answer/send-answer.ts";
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
  readonly origin: () => string;
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
) => Promise<void>;

/** Where a streaming handler sends its reply, for each kind of stream in the table. */
interface Sinks {
  readonly answer: Caller;
  readonly memories: Caller<RecalledMemories>;
  readonly pieces: Exchange;
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

interface EndpointParts {
  readonly deps: Deps;
  readonly limits: RateLimits;
  readonly idempotency: Idempotency;
}

/** The caller is known, and counted, before the body is read. Where the body tells what is urgent, it is read first. */
export function endpointOf({ deps, limits, idempotency }: EndpointParts, route: Route, handler: AnyHandler): Endpoint {
  const identifier = { authenticator: deps.authenticator, limits };
  return async (exchange) => {
    const { request, client, params, response } = exchange;
    const principal = await authorize(identifier, route, exchange);
    if (route.isUrgent === undefined) await limits.count(exchange, route.limit, principal);
    const key = route.idempotent && idempotencyKeyOf(request);
    const parsed = await readInput(route, request, params);
    if (route.isUrgent?.(parsed.body) === false) await limits.count(exchange, route.limit, principal);
    const input = {
      ...parsed,
      principal,
      origin: client.origin,
      signal: response.signal,
    };
    const handle: AnyHandler = async (...given) => {
      try {
        return await once(idempotency, { route, key, input }, handler, given);
      } catch (error) {
        throw forCaller(principal, error);
      }
    };
    switch (route.streams) {
      case "answer":
        return sendAnswer(exchange, async (caller) => void (await handle(deps, input, caller)));
      case "memories":
        return sendReleased(exchange, async (caller) => void (await handle(deps, input, caller)));
      case "pieces":
        return void (await handle(deps, input, {
          ...exchange,
          problemOf: (error: unknown) => exchange.problemOf(forCaller(principal, error)),
        }));
      default:
        return response.send(jsonReply(await handle(deps, input)));
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
  const request = { identity: principal.id, route: `${route.method} ${route.path}`, key, makes: idempotent };
  const content = { params: params ?? null, body: body ?? null };
  return idempotency.once({ ...request, content }, (noting) => handler(noting, input, sink));
}
