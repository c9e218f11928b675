// One HTTP request over node:http, whose body passes a fence. The fence is entered at the last moment, when the connection
// stands and the bytes would be written, and left when the operating system has them. `fetch` reads a body ahead of the
// connection and does not tell when it was written, and it takes almost twice the CPU time. No redirects, no compression.
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { cutConnection } from "#async/cut-connection.ts";
import { NEVER_ABORTS, orAfter } from "#async/with-deadline.ts";
import type { PutOptions } from "#ports.ts";

export interface RequestOptions {
  readonly method: "GET" | "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
  readonly fence?: PutOptions["fence"];
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Whoever stops early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export type SendRequest = (url: string, options: RequestOptions) => Promise<HttpResponse>;

/** It has no message of Node's, which may quote URLs and headers. Without a code the request could not be built. */
export class ConnectionFailure extends Error {
  readonly code: string | undefined;

  constructor(code?: string) {
    super(code ?? "The request could not be built.");
    this.code = code;
  }
}

/** The fence is passed for each piece and left between them: a policy change then waits for one piece at most. */
const PIECE_BYTES = 16 * 1024;
/** The time for a server to take a piece. After that the call ends, because the bytes must not leave later. */
const WRITE_MS = 1_000;

type Fence = NonNullable<PutOptions["fence"]>;

const unfenced: Fence = async (send) => send(NEVER_ABORTS);

/** Rejects with the fence's error when the fence refuses, otherwise with a ConnectionFailure. */
export const fencedRequest: SendRequest = (url, { method, headers, body, signal, fence = unfenced }) =>
  new Promise((resolve, reject) => {
    const request = open(url, method, {
      // Does not tell which versions run here. Some CDNs refuse requests without one.
      "user-agent": "portcullis",
      "accept-encoding": "identity",
      ...headers,
      // Not every server reads a body of unknown length.
      ...(body !== undefined && { "content-length": String(body.length) }),
    });
    // The first error counts: a refusal of the fence closes the connection, and must not look like a network failure.
    let failure: unknown;
    const fail = (error: unknown) => {
      failure ??= error;
      request.destroy();
      reject(failure);
    };
    // The `signal` option of node:http would destroy the socket with an error. When the response is complete and not yet
    // read, nothing handles that error, and the process ends.
    const onAbort = () => fail(connectionFailure());
    signal.addEventListener("abort", onAbort, { once: true });
    request.on("error", (error) => fail(connectionFailure(error)));
    request.once("close", () => {
      signal.removeEventListener("abort", onAbort);
      fail(connectionFailure());
    });
    request.once("response", (message) => {
      const { statusCode: status = 0, headers } = message;
      resolve({ status, headers, body: bodyOf(message, () => failure) });
    });
    if (body === undefined) request.end();
    else
      request.once("socket", (socket) => {
        connected(socket, request)
          .then(() => send(request, body, fence))
          .catch(fail);
      });
    if (signal.aborted) onAbort();
  });

function open(url: string, method: string, headers: Readonly<Record<string, string>>): ClientRequest {
  try {
    return (url.startsWith("https:") ? httpsRequest : httpRequest)(url, { method, headers });
  } catch {
    // Node refuses what cannot be a header or a URL. Its error may quote the value.
    throw new ConnectionFailure();
  }
}

/** Resolves when bytes can be written. A socket that fails before reports that to its request. */
function connected(socket: Socket, { protocol }: ClientRequest): Promise<void> {
  if (!socket.connecting) return Promise.resolve();
  return new Promise((resolve) => {
    socket.once(protocol === "https:" ? "secureConnect" : "connect", resolve);
  });
}

async function send(request: ClientRequest, bytes: Uint8Array, fence: Fence): Promise<void> {
  const closed = new Promise<void>((resolve) => request.once("close", resolve));
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = bytes.subarray(start, start + PIECE_BYTES);
    await fence((lost) => write(request, piece, closed, lost));
    if (request.destroyed) return;
  }
  request.end();
}

/** Resolves when the operating system has the piece or the request has ended, as it does when the fence is `lost`. */
async function write(request: ClientRequest, piece: Uint8Array, closed: Promise<void>, lost: AbortSignal) {
  if (request.destroyed) return;
  const cut = () => {
    if (request.socket !== null) cutConnection(request.socket);
    request.destroy();
  };
  // Without this piece the server would wait for the rest of the body.
  if (lost.aborted) return cut();
  lost.addEventListener("abort", cut, { once: true });
  const written = new Promise<void>((resolve) => request.write(piece, () => resolve()));
  const isSettled = await orAfter(
    WRITE_MS,
    Promise.race([written, closed]).then(() => true),
    false,
  );
  lost.removeEventListener("abort", cut);
  if (!isSettled) cut();
}

async function* bodyOf(message: IncomingMessage, failure: () => unknown): AsyncGenerator<Uint8Array> {
  try {
    yield* message;
  } catch (error) {
    throw failure() ?? connectionFailure(error);
  }
}

function connectionFailure(error?: unknown): ConnectionFailure {
  const isCoded = error instanceof Error && "code" in error && typeof error.code === "string";
  return new ConnectionFailure(isCoded ? (error.code as string) : "ECONNABORTED");
}
