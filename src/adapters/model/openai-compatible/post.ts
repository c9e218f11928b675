// One POST whose body passes the gate at the last moment: when the connection stands and the bytes would be written, and
// not before. The gate is left when the operating system has them. `fetch` reads a body ahead of the connection and
// tells nobody when it was written, so this goes to node:http.
import { type ClientRequest, type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { CompleteOptions } from "#ports.ts";

export type Gate = NonNullable<CompleteOptions["atTheGate"]>;

interface Sent {
  readonly headers: Headers;
  readonly body: string;
  readonly signal: AbortSignal | null | undefined;
  readonly gate: Gate;
}

export type Post = (url: URL, sent: Sent) => Promise<Response>;

/** What is written at once. The gate is passed for each piece, and waited for between them, so that little is ever in it. */
const PIECE_BYTES = 16 * 1024;
/** How long an endpoint may take over a piece. What it did not take must not leave later, so then the call is ended. */
const PIECE_MS = 1_000;

/** A redirect is an answer like any other, and is not followed. */
export const post: Post = (url, { headers, body, signal, gate }) =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const isSecure = url.protocol === "https:";
    const request = (isSecure ? overHttps : overHttp)(url, {
      method: "POST",
      headers: {
        ...Object.fromEntries(headers),
        // Not every endpoint reads a body whose length it is not told.
        "content-length": bytes.length,
        // What we do not ask for, we need not undo.
        "accept-encoding": "identity",
      },
      ...(signal && { signal }),
    });
    const fail = (error: unknown) => {
      request.destroy();
      reject(error);
    };
    request.once("error", fail).once("close", () => reject(broken("The connection was closed.")));
    request.once("response", (response) => {
      try {
        resolve(toResponse(response));
      } catch (error) {
        fail(error);
      }
    });
    request.once("socket", (socket) => {
      connected(socket, isSecure)
        .then(() => sendThrough(gate, request, bytes))
        .catch(fail);
    });
  });

function connected(socket: Socket, isSecure: boolean): Promise<void> {
  if (!socket.connecting) return Promise.resolve();
  return new Promise((resolve, reject) => {
    socket.once(isSecure ? "secureConnect" : "connect", resolve).once("error", reject);
  });
}

async function sendThrough(gate: Gate, request: ClientRequest, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = bytes.subarray(start, start + PIECE_BYTES);
    await gate(() => written(request, piece));
    if (request.destroyed) return;
  }
  request.end();
}

/** Ends when the operating system has the piece; a request that is not there any more sends nothing. */
function written(request: ClientRequest, piece: Buffer): Promise<void> {
  if (request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      request.destroy(broken("The endpoint does not take the prompt."));
      resolve();
    }, PIECE_MS);
    request.once("close", settle).write(piece, settle);
  });
}

function broken(message: string): Error {
  return Object.assign(new Error(message), { code: "ECONNABORTED" });
}

function toResponse(message: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) throw new RangeError(`The status ${status} means nothing.`);
  const body = BODILESS.has(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}

/** The statuses with which a Response may have no body. */
const BODILESS = new Set([204, 205, 304]);
