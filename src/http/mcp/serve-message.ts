import { untilAborted } from "#async/with-deadline.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Exchange } from "#http/exchange.ts";
import type { EndpointParts } from "#http/route-handler.ts";
import { createMcpServer } from "#mcp/server.ts";
import { callsInProcess } from "./calls-in-process.ts";
import { answerMessage } from "./json-rpc.ts";

interface Served {
  readonly exchange: Exchange;
  readonly principal: Principal;
  readonly message: unknown;
}

/** Answers one message. What a tool was given leaves inside its fence. */
export async function serveMessage(
  parts: EndpointParts,
  version: string,
  { exchange, principal, message }: Served,
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
