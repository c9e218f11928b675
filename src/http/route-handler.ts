// What serves a row of the route table. A value handler gives the row's reply, which is sent as JSON. A row that streams
// has a streaming handler, which sends its reply itself. One that makes a memory also says which, for a repeat of the
// request.
import { createPacedTurns } from "#async/run-in-slices.ts";
import type { RouteName } from "#contract/paths.ts";
import type { Body, Params, Query, Reply, Route, routes } from "#contract/routes.ts";
import { isRefusedUnderLoad } from "#contract/routes.ts";
import { idempotencyIdentityOf } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import { forCaller } from "#core/names/confusable-name.ts";
import type { Metrics } from "#ports.ts";
import type { RecalledMemories } from "#service/answers/answered.ts";
import type { Caller } from "#service/answers/caller.ts";
import type { Call, GateOutcome } from "#service/call.ts";
import type { Learned } from "#service/conversations/learn.ts";
import { recordFailure } from "#service/decisions/decision-log.ts";
import type { Idempotency } from "#service/idempotency/idempotency.ts";
import type { Authenticator } from "#service/identity/authenticator.ts";
import type { Tenant } from "#service/tenant.ts";
import type { TenantDirectory } from "#service/tenants/tenant-directory.ts";
import { compressed, jsonReply, takesGzip } from "./answer/reply.ts";
import { type AnswerSink, sendAnswer, sendReleased } from "./answer/send-answer.ts";
import type { Endpoint, Exchange } from "./exchange.ts";
import { type CompletionSink, sendCompletion } from "./gateway/send-completion.ts";
import type { BodyBudget } from "./limits/body-budget.ts";
import { callerOf, type RateLimits } from "./limits/rate-limits.ts";
import { authorize, isForbidden, type Located, locate } from "./request/authorize.ts";
import type { ParsedLine } from "./request/body.ts";
import { idempotencyKeyOf, readInput } from "./request/read-input.ts";

type Row<N extends RouteName> = (typeof routes)[N];

export interface Input<N extends RouteName> {
  readonly params: Params<N>;
  readonly query: Query<N>;
  readonly body: Row<N> extends { readonly ndjson: object } ? AsyncIterable<ParsedLine<Body<N>>> : Body<N>;
  readonly call: Call;
  readonly principal: Principal;
  readonly caller: string;
  readonly baseUrl: () => string;
  readonly signal: () => AbortSignal;
}
export type Value<N extends RouteName> = DeepReadonly<Reply<N>>;

export type ValueHandler<N extends RouteName> = (tenant: Tenant, input: Input<N>) => Promise<Value<N>>;

export type StreamingHandler<N extends RouteName, S extends keyof Sinks> = (
  tenant: Tenant,
  input: Input<N>,
  sink: Sinks[S],
) => Promise<Row<N> extends { readonly idempotent: "memory" } ? Value<N> : void>;

/** Where a streaming handler sends its reply, for each kind of stream in the table. */
interface Sinks {
  readonly answer: AnswerSink;
  readonly memories: Caller<RecalledMemories>;
  readonly learned: Caller<Learned>;
  readonly completion: CompletionSink;
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
export type AnyHandler = (tenant: Tenant, input: unknown, sink?: unknown) => Promise<unknown>;

export interface EndpointParts {
  readonly tenants: Pick<TenantDirectory, "find" | "ownerOf" | "use" | "useRecords">;
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
  readonly bodies: BodyBudget;
  readonly metrics: Metrics;
}

/** No overload refuses a forgetting. A burst of one tenant's is paced, so that no other request waits for all of it. */
const turnToForget = createPacedTurns(4, { isPatient: true });

// The caller is known, and counted, before the body is read. Where the body tells what is urgent, it is read first. `name`
// is that of the row, for the decision log. A refusal by a limit is not in it: it costs no write.
export function endpointOf(parts: EndpointParts, name: string, route: Route, handler: AnyHandler): Endpoint {
  const { tenants, limits, metrics } = parts;
  const serve = servingOf(parts, route, handler);
  const reads = route.method === "GET" || route.access === "public";
  const mayRefuse = isRefusedUnderLoad(route);
  const isPage = route.query?.shape.limit !== undefined;
  const onDecided = (outcome: GateOutcome) => metrics.add("gateDecisions", name, outcome);

  async function serveIn(tenant: Tenant, exchange: Exchange, caller: Located): Promise<void> {
    const { requestId } = exchange;
    const { signal } = exchange.response;
    const callOf = (principal: Principal): Call => ({ principal, route: name, requestId, reads, signal, onDecided });
    /** The refusal or failure itself is what the caller is told, also when it cannot be recorded. */
    const failed = (principal: Principal, error: unknown) =>
      recordFailure(tenant, callOf(principal), error).catch((failure) => {
        exchange.reportFailure(failure);
      });
    const principal = await authorize(parts, route, exchange, caller, failed);
    exchange.response.ownedBy({ caller: callerOf(exchange.client, principal), mayRefuse });
    if (route.isUrgent === undefined) await limits.count(exchange, route.limit, principal, route.forgets);
    if (isPage) exchange.response.checkRoom();
    if (route.forgets) await turnToForget(tenant.number);
    const count = (outcome: "served" | "failed") =>
      tenant.settings.metricsTenants?.has(tenant.id) && metrics.add("tenantRequests", tenant.id, route.limit, outcome);
    try {
      await serve(tenant, exchange, callOf(principal));
      count("served");
    } catch (error) {
      count("failed");
      await failed(principal, error);
      throw error;
    }
  }

  return async (exchange) => {
    const caller = await locate(parts, route, exchange);
    // What is public is not searched for.
    const use = route.access === "public" ? tenants.useRecords : tenants.use;
    await use(caller.tenant, (tenant) => serveIn(tenant, exchange, caller));
  };
}

function servingOf({ limits, bodies }: EndpointParts, route: Route, handler: AnyHandler) {
  return async (tenant: Tenant, exchange: Exchange, call: Call): Promise<void> => {
    const caller = callerOf(exchange.client, call.principal);
    const isBounded = route.bodyLimit !== undefined && isRefusedUnderLoad(route);
    const release = isBounded ? bodies.take(caller, exchange.request, route.bodyLimit) : undefined;
    try {
      await serve(tenant, exchange, call, caller);
    } finally {
      release?.();
    }
  };

  async function serve(tenant: Tenant, exchange: Exchange, call: Call, caller: string): Promise<void> {
    const { principal } = call;
    const { request, client, params, response } = exchange;
    const key = route.idempotent && idempotencyKeyOf(request);
    const parsed = await readInput(route, request, params);
    const isUrgent = route.isUrgent?.(parsed.body);
    if (isUrgent === false) await limits.count(exchange, route.limit, principal);
    const asked = { ...parsed, principal, caller, baseUrl: client.baseUrl, signal: response.signal };
    const handle = async (sink?: unknown) => {
      try {
        const run = (noting: Call) => handler(tenant, { ...asked, call: noting }, sink);
        return await once(tenant.idempotency, { route, key, ...parsed }, call, run);
      } catch (error) {
        // As in `authorize`.
        if (isUrgent && isForbidden(error)) await limits.count(exchange, route.limit, principal);
        throw forCaller(principal, error);
      }
    };
    if (route.streams === undefined) {
      const reply = jsonReply(await handle());
      return response.send(route.method === "GET" ? await compressed(reply, takesGzip(request)) : reply);
    }
    // A reply that takes long is cut when the caller's key is revoked.
    const unwatch = tenant.openStreams.add(principal, response.cut);
    try {
      const problemOf = (error: unknown) => exchange.problemOf(forCaller(principal, error));
      await sendStream(route.streams, { ...exchange, problemOf }, async (sink) => {
        const value = await handle(sink);
        // What a repeat with an Idempotency-Key gets was not sent by the handler.
        if (value !== undefined && !response.hasBegun()) await response.send(jsonReply(value));
      });
    } finally {
      unwatch();
    }
  }
}

/** Calls the handler; with an Idempotency-Key, unless that was done before. An import is idempotent line by line. */
function once(
  idempotency: Idempotency,
  { route, key, params, body }: { route: Route; key: string | undefined; params: unknown; body: unknown },
  call: Call,
  run: (call: Call) => Promise<unknown>,
): Promise<unknown> {
  const { idempotent } = route;
  if (key === undefined || idempotent === undefined || idempotent === "import") return run(call);
  const identity = idempotencyIdentityOf(call.principal);
  const request = { identity, route: `${route.method} ${route.path}`, key, makes: idempotent };
  const content = { params: params ?? null, body: body ?? null };
  const namespace = idempotent === "memory" ? (body as Body<"capture">).namespace : undefined;
  return idempotency.once({ ...request, content, namespace }, call, run);
}

function sendStream(
  kind: keyof Sinks,
  exchange: Exchange,
  handle: (sink: Sinks[typeof kind]) => Promise<void>,
): Promise<void> {
  switch (kind) {
    case "answer":
      return sendAnswer(exchange, handle);
    case "memories":
    case "learned":
      return sendReleased(exchange, handle);
    case "completion":
      return sendCompletion(exchange, handle);
    case "pieces":
    case "events":
    case "reply":
      return handle(exchange);
  }
}
