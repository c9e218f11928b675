// A witness over HTTP. It asks nobody who they are: the signature of the log is enough.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { readTextUpTo } from "#core/encoding/read-up-to.ts";
import type { Witness, WitnessReply } from "./witness.ts";

const MOST_BYTES = 128 * 1024;
const REQUEST_MS = 10_000;
const MOST_CONNECTIONS = 256;
const LATEST = /^\/([0-9a-f]{64})\/checkpoint$/;

export function witnessServer(witness: Witness, onFailure: (error: unknown) => void): Server {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = "" } = request;
    const [, originHash] = LATEST.exec(url) ?? [];
    if (method === "GET" && originHash !== undefined) return send(response, witness.latestCheckpoint(originHash));
    if (method !== "POST" || url !== "/add-checkpoint")
      return send(response, { status: 404, body: "There is nothing here.\n" });
    const body = await bodyOf(request);
    if (body === undefined)
      return send(response.setHeader("connection", "close"), { status: 413, body: "Too large.\n" });
    return send(response, witness.addCheckpoint(body));
  };
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    answer(request, response).catch((error) => {
      onFailure(error);
      if (!response.headersSent) send(response, { status: 503, body: "The witness cannot answer now.\n" });
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

type Reply = Omit<WitnessReply, "status"> & { readonly status: number };

function send(response: ServerResponse, { status, body, type = "text/plain; charset=utf-8" }: Reply): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
}

/** Undefined if it is too large. What is not UTF-8 is malformed, and its signature would not verify. */
const bodyOf = (request: IncomingMessage) => readTextUpTo(MOST_BYTES, request);
