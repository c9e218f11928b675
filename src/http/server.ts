// Listens, and stops without dropping anybody: requests in flight get time to finish.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { PROBLEM_TYPE } from "#contract/problem.ts";
import { PortcullisError } from "#core/errors.ts";
import { problemOf, problemReply } from "./answer/problem.ts";
import { toResponse } from "./answer/reply.ts";
import { HttpError } from "./http-error.ts";

export interface Listening {
  readonly url: string;
  /** Takes no more connections, waits for the requests in flight, and cuts them off after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

interface ListenOptions {
  readonly fetch: (request: Request, env: { outgoing: ServerResponse }) => Response | Promise<Response>;
  readonly host: string;
  readonly port: number;
}

export async function listen({ fetch, host, port }: ListenOptions): Promise<Listening> {
  const answer = (request: Request, env: object) => fetch(request, env as { outgoing: ServerResponse });
  const respond = getRequestListener(answer, { errorHandler: refuse });
  // Node would refuse a request without Host by itself, with no problem in the body; the adapter refuses it through us.
  // It would also cut off a request whose body takes long, and an import may: whoever reads a body has its own patience.
  const server = createServer({ requireHostHeader: false, headersTimeout: 10_000, requestTimeout: 0 }, respond);
  // `server.close` ends the connections that are idle then. The others must not be kept alive past their last answer.
  server.on("request", (_, response) => {
    response.on("close", () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  server.on("clientError", (_, socket) => socket.writable && socket.end(MALFORMED));
  server.on("connect", (_: IncomingMessage, socket) => socket.end(MALFORMED));
  server.on("checkExpectation", (_, response) => {
    response
      .writeHead(MALFORMED_PROBLEM.status, { "content-type": PROBLEM_TYPE, connection: "close" })
      .end(MALFORMED_BODY);
  });
  await listening(server, host, port);
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    stop: (graceMs) => stop(server, graceMs),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "is in use already. Set PORT to another one" : "cannot be listened on";
      reject(new PortcullisError("configuration", `Port ${port} on ${host} ${why}.`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cutOff);
}

// What the parser or the adapter refuses never reaches the application, so it has no request id and is not logged.
const MALFORMED_PROBLEM = problemOf(new HttpError("malformed-http", "This is not a request that we can read."));
const MALFORMED_BODY = JSON.stringify(MALFORMED_PROBLEM);
const MALFORMED = [
  "HTTP/1.1 400 Bad Request",
  `Content-Type: ${PROBLEM_TYPE}`,
  `Content-Length: ${MALFORMED_BODY.length}`,
  "Connection: close",
  "",
  MALFORMED_BODY,
].join("\r\n");

function refuse(): Response {
  return toResponse(problemReply(MALFORMED_PROBLEM), "none", () => undefined);
}
