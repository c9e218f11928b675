// Writes one response to its connection, each write with a callback that says when the operating system has the bytes.
// This is what a fence needs: what has passed it must not wait in a buffer of this process when the fence is left. It is
// also the backpressure of streams: they make no further piece before the client has taken the last one.
import type { HttpBindings } from "@hono/node-server";
import { cutConnection } from "#async/cut-connection.ts";
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import { HttpError } from "#http/http-error.ts";
import { onceClosed } from "./connection-close.ts";
import { COMMON_HEADERS, type HttpReply } from "./reply.ts";

/** Proxies must pass events on as they come: nginx would collect them, and others might compress them. */
const UNBUFFERED = { "x-accel-buffering": "no", "cache-control": "no-store, no-transform" };

export type ResponseWriter = ReturnType<typeof createResponseWriter>;

/** Calls `onHead` once, before the head is sent. */
export function createResponseWriter(
  { incoming, outgoing }: HttpBindings,
  { requestId, onHead }: { requestId: string; onHead: (status: number) => void },
) {
  const { socket } = incoming;
  let departure: AbortController | undefined;
  let added: Readonly<Record<string, string>> = {};

  /** While a pipelined response waits for its turn, only the socket of its request tells that the client is gone. */
  const isClientGone = () => outgoing.destroyed || socket.destroyed;
  const isClosed = () => isClientGone() || outgoing.writableEnded;

  function head(status: number, headers: Readonly<Record<string, string | number>>): void {
    onHead(status);
    outgoing.writeHead(status, {
      ...COMMON_HEADERS,
      ...added,
      ...headers,
      ...varyingOn(headers.vary),
      "x-request-id": requestId,
    });
  }

  /** What cors.ts has set already would be replaced. */
  function varyingOn(vary: string | number | undefined): Readonly<Record<string, string>> {
    const others = outgoing.getHeader("vary");
    return vary === undefined || others === undefined ? {} : { vary: `${vary}, ${others}` };
  }

  /** A socket that broke emits "close" some turns later. Whoever waits for a write must not take it for sent till then. */
  function noticeDeparture(error?: Error | null): void {
    if (error || (isClientGone() && !outgoing.writableFinished)) departure?.abort(clientGone());
  }

  /** Node does not call the callback of every write when a connection breaks, but it does emit "close". */
  function written(write: (callback: (error?: Error | null) => void) => void): Promise<void> {
    noticeDeparture();
    if (isClosed()) return Promise.resolve();
    return new Promise((resolve) => {
      function settle(error?: Error | null) {
        outgoing.off("close", settle);
        noticeDeparture(error);
        resolve();
      }
      outgoing.on("close", settle);
      write(settle);
    });
  }

  function watchDeparture(): AbortController {
    const controller = new AbortController();
    const onClose = () => {
      if (!outgoing.writableFinished) controller.abort(clientGone());
    };
    if (isClientGone()) onClose();
    else outgoing.once("close", onClose);
    return controller;
  }

  return {
    /** The head is sent, so an error can no longer become a problem with a status of its own. */
    hasBegun: () => outgoing.headersSent,

    /** For the head, whoever sends it. */
    addHeaders(headers: Readonly<Record<string, string>>): void {
      added = { ...added, ...headers };
    },

    /** Nothing more can be sent: the response is complete, or the client is gone. */
    isClosed,

    /** Aborts when the client goes away before the response is complete. */
    signal(): AbortSignal {
      departure ??= watchDeparture();
      return departure.signal;
    },

    /**
     * Resolves when the responses to earlier requests on this connection are sent (HTTP pipelining). Until then, Node
     * would keep what is written here in memory. Rejects when the client goes away.
     */
    async turn(): Promise<void> {
      if (outgoing.socket === null && !isClientGone()) {
        await new Promise<void>((resolve) => {
          const unwatch = onceClosed(socket, resolve);
          outgoing.once("socket", () => {
            unwatch();
            resolve();
          });
        });
      }
      if (isClientGone()) throw clientGone();
    },

    /** Sends a whole reply. Resolves when the operating system has it, or when the client is gone. */
    send({ status = 200, headers, body }: HttpReply): Promise<void> {
      head(status, { ...headers, "content-length": Buffer.byteLength(body) });
      return written((callback) => outgoing.end(body, callback));
    },

    /** Begins a body of unknown length. The head is sent with the first piece, or at once with `flush`. */
    begin(contentType: string, { flush = false } = {}): void {
      head(200, { "content-type": contentType, ...(contentType === EVENT_STREAM_TYPE && UNBUFFERED) });
      if (incoming.method === "HEAD") outgoing.end();
      else if (flush) outgoing.flushHeaders();
    },

    /** Sends a piece of the body. Resolves as `send` does. */
    write: (text: string) => written((callback) => outgoing.write(text, callback)),
    end: () => void outgoing.end(),

    /**
     * Cuts the connection. What is still in memory, in the kernel's too, is not sent, and from now on the client counts
     * as gone.
     */
    cut(): void {
      cutConnection(socket);
      outgoing.destroy();
      departure?.abort(clientGone());
    },
  };
}

function clientGone(): HttpError {
  return new HttpError("malformed-http", "The client went away.");
}

/**
 * Sends a body in pieces. The head goes out with the first one: when the first fails, the reply is a problem. When the
 * client is gone, no more pieces are made.
 */
export async function sendPieces(
  response: ResponseWriter,
  contentType: string,
  pieces: AsyncIterable<string>,
): Promise<void> {
  for await (const piece of pieces) {
    if (!response.hasBegun()) response.begin(contentType);
    await response.write(piece);
    if (response.isClosed()) return;
  }
  if (!response.hasBegun()) response.begin(contentType);
  response.end();
}
