// Listens, and stops without dropping anybody: requests in flight get time to finish.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { PROBLEM_TYPE } from "../contract/problem.ts";
import { PortcullisError } from "../core/errors.ts";
import { problemOf } from "./problem.ts";

export interface Listening {
  readonly url: string;
  /** Takes no more connections, waits for the requests in flight, and cuts them off after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

interface ListenOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly host: string;
  readonly port: number;
}

export async function listen({ fetch, host, port }: ListenOptions): Promise<Listening> {
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.on("clientError", (_, socket) => {
    if (socket.writable) socket.end(MALFORMED);
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

// What Node's parser refuses never reaches the application, so this answer is written by hand.
const MALFORMED = (() => {
  const error = new PortcullisError("malformed-http", "This is not a well-formed HTTP request.");
  const body = JSON.stringify(problemOf(error, "none"));
  const head = [
    "HTTP/1.1 400 Bad Request",
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
})();
