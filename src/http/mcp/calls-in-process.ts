// Calls rows of the route table for a tool, in this process: with their limits, their decisions in the log, their checks
// of the input, their handlers and their fences.
import { queryString } from "#contract/client/send-request.ts";
import { type Reply, type Route, routes } from "#contract/routes.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Exchange } from "#http/exchange.ts";
import { handlers } from "#http/handlers.ts";
import { type AnyHandler, type EndpointParts, endpointOf } from "#http/route-handler.ts";
import type { CalledRoute, RouteCalls, RouteInput } from "#mcp/route-calls.ts";
import { givingResponse } from "./giving-response.ts";

interface CallsInProcess extends RouteCalls {
  /** Resolves when all calls have ended. */
  ended(): Promise<void>;
}

/** `departed` resolves when the response that carries the replies has left the process. */
export function callsInProcess(
  { deps, ...parts }: EndpointParts,
  { principal, exchange, departed }: { principal: Principal; exchange: Exchange; departed: Promise<void> },
): CallsInProcess {
  const known = { ...parts, deps: { ...deps, authenticator: { identify: async () => principal } } };
  const calls: Promise<void>[] = [];

  return {
    call<N extends CalledRoute>(name: N, input: RouteInput<N>) {
      const reply = Promise.withResolvers<unknown>();
      let isGiven = false;
      const give = (given: unknown) => {
        isGiven = true;
        reply.resolve(given);
        return departed;
      };
      const { params = {}, ...sent } = input as SentInput;
      const response = givingResponse(exchange.response, give);
      const call = endpoint(known, name)({ ...exchange, request: requestTo(routes[name], sent), params, response });
      calls.push(
        call.catch((error) => {
          // After the reply, a failure concerns us and not the caller.
          if (isGiven && !exchange.response.signal().aborted) exchange.reportFailure(error);
          reply.reject(error);
        }),
      );
      return reply.promise as Promise<Reply<N>>;
    },
    problemOf: exchange.reportFailure,
    async ended() {
      await Promise.all(calls);
    },
  };
}

interface SentInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
}

const endpoint = (parts: EndpointParts, name: CalledRoute) =>
  endpointOf(parts, name, routes[name], handlers[name] as AnyHandler);

/** The request that a client of the route would send. The caller is known, so it has no credentials. */
function requestTo({ method, path }: Route, { query, body }: SentInput): Request {
  return new Request(`http://localhost${path}${queryString(query)}`, {
    method,
    headers: { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
