// One HTTP POST whose body passes a fence. The fence is entered at the last moment, when the connection stands and the
// bytes would be written, and left when the operating system has them. This uses node:http because `fetch` reads a body
// ahead of the connection and does not tell when it was written.
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { cutConnection } from "#async/cut-connection.ts";
import { orAfter } from "#async/with-deadline.ts";
import type { SendFence } from "#ports.ts";
import { CallFailure } from "./failure.ts";

interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly fence: SendFence;
}

interface PostResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

export type Post = (url: URL, options: PostOptions) => Promise<PostResponse>;

/** The fence is passed for each piece and left between them: a policy change then waits for one piece at most. */
const PIECE_BYTES = 16 * 1024;
/** The time for an endpoint to take a piece. After that the call ends, because the bytes must not leave later. */
const WRITE_MS = 1_000;

/** Does not follow redirects. Rejects with the fence's error when the fence refuses, otherwise with a CallFailure. */
export const fencedPost: Post = (url, { headers, body, signal, fence }) =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    // Not every endpoint reads a body of unknown length.
    const request = open(url, { ...headers, "content-length": String(bytes.length) });
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
    request.once("socket", (socket) => {
      connected(socket, url)
        .then(() => send(request, bytes, fence))
        .catch(fail);
    });
    if (signal.aborted) onAbort();
  });

function open(url: URL, headers: Readonly<Record<string, string>>): ClientRequest {
  try {
    return (url.protocol === "https:" ? httpsRequest : httpRequest)(url, { method: "POST", headers });
  } catch {
    // Node refuses what cannot be a header or a URL. Its error may quote the value.
    throw new CallFailure({ kind: "invalid-request" });
  }
}

/** Resolves when bytes can be written. A socket that fails before reports that to its request. */
function connected(socket: Socket, { protocol }: URL): Promise<void> {
  if (!socket.connecting) return Promise.resolve();
  return new Promise((resolve) => {
    socket.once(protocol === "https:" ? "secureConnect" : "connect", resolve);
  });
}

async function send(request: ClientRequest, bytes: Buffer, fence: SendFence): Promise<void> {
  const closed = new Promise<void>((resolve) => request.once("close", resolve));
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = bytes.subarray(start, start + PIECE_BYTES);
    await fence((lost) => write(request, piece, closed, lost));
    if (request.destroyed) return;
  }
  request.end();
}

/** Resolves when the operating system has the piece or the request has ended, as it does when the fence is `lost`. */
async function write(request: ClientRequest, piece: Buffer, closed: Promise<void>, lost: AbortSignal): Promise<void> {
  if (request.destroyed) return;
  const cut = () => {
    if (request.socket !== null) cutConnection(request.socket);
    request.destroy();
  };
  // Without this piece the endpoint would wait for the rest of the body.
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

function connectionFailure(error?: unknown): CallFailure {
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "ECONNABORTED";
  return new CallFailure({ kind: "connection", code });
}
