import * as mcp from "@modelcontextprotocol/server";
import { untilAborted } from "#async/with-deadline.ts";
import { queryString } from "#contract/client/send-request.ts";
import { type Reply, type Route, routes } from "#contract/routes.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { ResponseWriter } from "#http/answer/response-writer.ts";
import type { Exchange } from "#http/exchange.ts";
import { handlers } from "#http/handlers.ts";
import { type AnyHandler, type EndpointParts, endpointOf } from "#http/route-handler.ts";
import type { CalledRoute, RouteCalls, RouteInput } from "#mcp/route-calls.ts";
import { createMcpServer } from "#mcp/server.ts";

/** Answers one message. What a tool was given leaves inside its fence. */
export async function serveMessage(
  parts: EndpointParts,
  version: string,
  { exchange, principal, message }: { exchange: Exchange; principal: Principal; message: unknown },
): Promise<void> {
  const { request, response } = exchange;
  const departure = Promise.withResolvers<void>();
  // Nobody may wait for it.
  departure.promise.catch(() => undefined);
  const calls = callsInProcess(parts, { principal, exchange, departed: departure.promise });
  const server = createMcpServer(() => calls, version);
  try {
    const answer = await untilAborted(response.signal(), answerMessage(server, request.headers, message));
    const contentType = answer.headers.get("content-type");
    const headers = contentType === null ? {} : { "content-type": contentType };
    await response.send({ status: answer.status, headers, body: await answer.text() });
    departure.resolve();
  } catch (error) {
    departure.reject(error);
    throw error;
  } finally {
    await calls.ended();
    await server.close();
  }
}

/** What the protocol says in headers. Nothing else of the request is handed on: no credentials, no address. */
const PROTOCOL_HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/** Both kinds of the protocol are stateless: since 2026-07-28 each request says its version; before, none needs a session. */
async function answerMessage(server: mcp.Server, headers: Headers, message: unknown): Promise<Response> {
  const told = [...headers].filter(([name]) => PROTOCOL_HEADERS.includes(name));
  const request = new Request("http://localhost/mcp", { method: "POST", headers: told });
  if (!(await mcp.isLegacyRequest(request, message))) {
    const handler = mcp.createMcpHandler(() => server, { legacy: "reject", maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody: message });
  }
  const transport = new mcp.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

// Calls rows of the route table for a tool, in this process: with their limits, their decisions in the log, their checks
// of the input, their handlers and their fences.

/** `departed` resolves when the response that carries the replies has left the process. */
function callsInProcess(
  parts: EndpointParts,
  { principal, exchange, departed }: { principal: Principal; exchange: Exchange; departed: Promise<void> },
): RouteCalls & { ended(): Promise<void> } {
  const known = { ...parts, authenticator: { identify: async () => principal } };
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

// Looks like the response of a route of its own. What the route's handler sends goes to `give`, whose promise resolves when
// the real response, which carries it, has left. So the handler holds its fence that long, and cuts the real connection.
function givingResponse(response: ResponseWriter, give: (reply: unknown) => Promise<void>): ResponseWriter {
  let hasBegun = false;
  return {
    ...response,
    hasBegun: () => hasBegun,
    isClosed: () => hasBegun || response.isClosed(),
    send({ body }) {
      hasBegun = true;
      return give(JSON.parse(String(body)));
    },
    // Pieces would have to be collected, and those that left their fence could be revoked before the last one came.
    begin: refusePieces,
    write: refusePieces,
    end: refusePieces,
  };
}

function refusePieces(): never {
  throw new Error("A reply in pieces cannot be given as one message.");
}
