// Listens on a port. To stop, it takes no more connections and gives the requests in flight time to finish.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { rememberTransports } from "#async/cut-connection.ts";
import { PROBLEM_TYPE } from "#contract/media-types.ts";
import { configurationError } from "#core/errors.ts";
import { type AdmissionListenerOptions, admissionListener } from "./admission/admission-listener.ts";
import { COMMON_HEADERS, problemOf, problemReply } from "./answer/reply.ts";
import { createArrival } from "./edge/client-connection.ts";
import { createCors } from "./edge/origins.ts";
import { HttpError } from "./http-error.ts";
import type { Router } from "./router.ts";

interface ListenOptions extends AdmissionListenerOptions {
  readonly fetch: Router["fetch"];
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly sharedWith?: ReadonlySet<string> | undefined;
}

/** Longer than proxies keep one (HAProxy 50 s, nginx 60 s): else a request could meet the end of its connection. */
const KEEP_ALIVE_MS = 75_000;

const SERVER_OPTIONS = {
  // Node would refuse a request without a Host by itself, without a problem in the body. createArrival does it.
  requireHostHeader: false,
  headersTimeout: 10_000,
  // Node would cut off a request whose body takes long, and an import may: body readers have deadlines.
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_MS,
};

export async function listen(options: ListenOptions) {
  const { fetch, host, port, tls, transport = {}, sharedWith = new Set<string>(), ...admissionOptions } = options;
  const answer = getRequestListener((request, node) => fetch(request, node as HttpBindings), {
    errorHandler: refuse,
    // The adapter would replace the global Response, and its own class is not needed: the app writes to `outgoing`.
    overrideGlobalObjects: false,
  });
  const { listener: admit, watch } = admissionListener((...exchange) => void answer(...exchange), {
    ...admissionOptions,
    transport,
  });
  const share = createCors(sharedWith);
  const arrive = createArrival(transport);
  const lastResponses = createLastResponses();

  function respond(request: IncomingMessage, response: ServerResponse): void {
    lastResponses.add(response);
    share(request, response);
    const refusal = arrive(request);
    if (refusal === undefined) admit(request, response);
    else sendProblem(response, refusal);
  }

  const server =
    tls === undefined ? createServer(SERVER_OPTIONS, respond) : createTlsServer({ ...SERVER_OPTIONS, ...tls }, respond);
  watch(server);
  if (tls !== undefined) rememberTransports(server);
  // `server.close` ends the connections that are idle at that time. The others end after their last response.
  server.on("request", (_, response) => {
    response.on("close", () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  server.on("clientError", endConnection);
  server.on("connect", (_: IncomingMessage, socket) => socket.end(MALFORMED));
  server.on("checkExpectation", (_, response) => {
    response
      .writeHead(MALFORMED_PROBLEM.status, { "content-type": PROBLEM_TYPE, connection: "close" })
      .end(MALFORMED_BODY);
  });
  await listening(server, host, port);
  const address = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    /** Serves on, and says with every response that its connection ends. */
    drain: lastResponses.begin,
    /** Takes no more connections, waits for the requests in flight, and cuts them off after `graceMs`. */
    async stop(graceMs: number): Promise<void> {
      lastResponses.begin();
      const closed = new Promise((resolve) => server.close(resolve));
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "is in use already. Set PORT to another one" : "cannot be listened on";
      reject(configurationError(`Port ${port} on ${host} ${why}.`, cause));
    });
    server.listen(port, host, resolve);
  });
}

// A request that the parser or the adapter refuses never reaches the app, so it has no request id and is not logged.
const MALFORMED_PROBLEM = problemOf(new HttpError("malformed-http", "The request is not valid HTTP."));
const MALFORMED_BODY = JSON.stringify(MALFORMED_PROBLEM);
const MALFORMED = [
  "HTTP/1.1 400 Bad Request",
  `Content-Type: ${PROBLEM_TYPE}`,
  `Content-Length: ${MALFORMED_BODY.length}`,
  "Connection: close",
  "",
  MALFORMED_BODY,
].join("\r\n");

/**
 * Browsers open connections in advance. One without a request for too long ends with a 408, after which they send a
 * request that just left on another one. They would show anything else as the reply to it.
 */
export function endConnection({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writable) socket.end(code === "ERR_HTTP_REQUEST_TIMEOUT" ? TOO_LATE : MALFORMED);
}

const TOO_LATE = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

function refuse(): Response {
  const headers = { ...COMMON_HEADERS, "content-type": PROBLEM_TYPE, "x-request-id": "none" };
  return new Response(MALFORMED_BODY, { status: MALFORMED_PROBLEM.status, headers });
}

function sendProblem(response: ServerResponse, error: unknown): void {
  const { status = 400, headers, body } = problemReply(problemOf(error));
  const length = Buffer.byteLength(body);
  const common = { ...COMMON_HEADERS, "x-request-id": "none", "content-length": length, connection: "close" };
  response.writeHead(status, { ...common, ...headers }).end(body);
}

/** From `begin` on, each response is the last one on its connection, so that no client sends another one into its end. */
function createLastResponses() {
  const inFlight = new Set<ServerResponse>();
  let hasBegun = false;
  const mark = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("connection", "close");
  };
  return {
    add(response: ServerResponse): void {
      if (hasBegun) return void mark(response);
      inFlight.add(response);
      response.once("close", () => inFlight.delete(response));
    },
    begin(): void {
      hasBegun = true;
      for (const response of inFlight) mark(response);
      inFlight.clear();
    },
  };
}
