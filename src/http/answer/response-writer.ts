// Writes one response to its connection, each write with a callback that says when the operating system has the bytes.
// This is what a fence needs: what has passed it must not wait in a buffer of this process when the fence is left. It is
// also the backpressure of streams: they make no further piece before the client has taken the last one. A client that
// takes nothing for long is cut, and what waits for clients is bounded (send-buffers.ts).
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { cutConnection } from "#async/cut-connection.ts";
import { startTimer } from "#async/with-deadline.ts";
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import { callerAuthenticated, leavePlace } from "#http/admission/admission-listener.ts";
import { HttpError } from "#http/http-error.ts";
import { type SendBuffer, type SendBuffers, STREAM_BYTES } from "#http/limits/send-buffers.ts";
import { COMMON_HEADERS, type HttpReply, PIECE_BYTES, RETRY_AFTER_SECONDS } from "./reply.ts";

/** Proxies must pass events on as they come: nginx would collect them, and others might compress them. */
const UNBUFFERED = { "x-accel-buffering": "no", "cache-control": "no-store, no-transform" };

/** Between two pieces of a reply. Well below the time that a lock of the fence is trusted without an answer (fence-batch.ts). */
const STOPPED_MS = 100;

interface Owner {
  /** A key or a token, or else the client's address. */
  readonly caller: string;
  /** Whether the reply may be refused for want of room. That of a revoke may not. */
  readonly mayRefuse: boolean;
}

interface WriterOptions {
  readonly requestId: string;
  /** Is called once, before the head is sent. */
  readonly onHead: (status: number) => void;
  readonly buffers: SendBuffers;
  readonly onStuck?: () => void;
}

export type ResponseWriter = ReturnType<typeof createResponseWriter>;

export function createResponseWriter({ incoming, outgoing }: HttpBindings, options: WriterOptions) {
  const { requestId, onHead, buffers, onStuck } = options;
  const { socket } = incoming;
  let owner: Owner = { caller: "", mayRefuse: true };
  let buffer: SendBuffer | undefined;
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

  /** What origins.ts has set already would be replaced. */
  function varyingOn(vary: string | number | undefined): Readonly<Record<string, string>> {
    const others = outgoing.getHeader("vary");
    return vary === undefined || others === undefined ? {} : { vary: `${vary}, ${others}` };
  }

  /** A socket that broke emits "close" some turns later. Whoever waits for a write must not take it for sent till then. */
  function noticeDeparture(error?: Error | null): void {
    if (error || (isClientGone() && !outgoing.writableFinished)) departure?.abort(clientGone());
  }

  function ownBuffer(): SendBuffer {
    if (buffer === undefined) {
      buffer = buffers.open(owner.caller, cut);
      outgoing.once("close", buffer.close);
    }
    return buffer;
  }

  /** Runs what throws when there is no room, unless this reply may not be refused. */
  function ifRefusable(take: () => void): void {
    if (!owner.mayRefuse) return;
    try {
      take();
    } catch (error) {
      added = { ...added, "retry-after": String(RETRY_AFTER_SECONDS) };
      throw error;
    }
  }

  /** Takes room for a reply that may have to wait for its client. It leaves its place among ordinary requests. */
  function reserve(bytes = STREAM_BYTES): void {
    ifRefusable(() => {
      ownBuffer().reserve(bytes);
      leavePlace(outgoing);
    });
  }

  /** Node does not call the callback of every write when a connection breaks, but it does emit "close". */
  function written(write: (callback: (error?: Error | null) => void) => void): Promise<void> {
    noticeDeparture();
    if (isClosed()) return Promise.resolve();
    return new Promise((resolve) => {
      let stuck: NodeJS.Timeout | undefined;
      function settle(error?: Error | null) {
        clearTimeout(stuck);
        // When the next piece waits already, this one was taken at once.
        if (outgoing.writableLength === 0) buffer?.taken();
        outgoing.off("close", settle);
        noticeDeparture(error);
        resolve();
      }
      write(settle);
      const waiting = outgoing.writableLength;
      // What the operating system took at once has its callback in any case.
      if (waiting === 0) return;
      outgoing.on("close", settle);
      ownBuffer().waits(waiting);
      stuck = setTimeout(() => {
        onStuck?.();
        cut();
      }, buffers.noProgressMs).unref();
    });
  }

  // Node would collect what is written until the end of this turn. Then much could run between the fence's look at its
  // lock and the bytes: all other answers of the batch.
  function writeNow(text: string | Uint8Array, callback: (error?: Error | null) => void): void {
    socket.cork();
    outgoing.write(text, callback);
    socket.uncork();
  }

  /** Writes in pieces, so that a client that takes some makes progress. `writeLast` writes the last one. */
  async function writeInPieces(
    body: string | Uint8Array,
    writeLast: (piece: string | Uint8Array, callback: (error?: Error | null) => void) => void,
    length = Buffer.byteLength(body),
  ): Promise<void> {
    if (outgoing.socket === null && !isClientGone()) {
      ownBuffer().waits(length);
      await turn().catch(() => undefined);
    }
    // A short text as it is: Node then writes it with the head, in one go.
    if (length <= PIECE_BYTES) return written((callback) => writeLast(body, callback));
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    let from = 0;
    let sinceLast = startTimer();
    for (; from + PIECE_BYTES < bytes.length; from += PIECE_BYTES) {
      // If the process was stopped in between, the fence may be lost. Its timers are due first, and cut the connection.
      if (sinceLast() >= STOPPED_MS) await delay(0);
      if (isClosed()) return;
      sinceLast = startTimer();
      const piece = bytes.subarray(from, from + PIECE_BYTES);
      const taken = written((callback) => writeNow(piece, callback));
      if (outgoing.writableLength > 0) await taken;
    }
    if (sinceLast() >= STOPPED_MS) await delay(0);
    if (isClosed()) return;
    await written((callback) => writeLast(bytes.subarray(from), callback));
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

  async function turn(): Promise<void> {
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
  }

  function cut(): void {
    cutConnection(socket);
    outgoing.destroy();
    buffer?.close();
    departure?.abort(clientGone());
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

    // Resolves when the responses to earlier requests on this connection are sent (HTTP pipelining): until then, Node would
    // keep what is written here in memory. Rejects when the client goes away.
    turn,

    ownedBy(given: Owner): void {
      owner = given;
    },

    /** What the request showed is this caller's. */
    authenticated: (caller: string): void => callerAuthenticated(outgoing, caller),

    /** Takes room for a reply in pieces, before anything is read for it. Throws when there is none. */
    reserve: () => reserve(),

    /** Throws when there is no room for another long reply, so that nothing is read for one that cannot be sent. */
    checkRoom: () => ifRefusable(() => buffers.check(owner.caller)),

    /** Sends a whole reply. Resolves when the operating system has it, or when the client is gone. */
    async send({ status = 200, headers, body, isShared = false }: HttpReply): Promise<void> {
      const length = Buffer.byteLength(body);
      if (length > PIECE_BYTES && !isShared) reserve(length);
      head(status, { ...headers, "content-length": length });
      await writeInPieces(body, (piece, callback) => outgoing.end(piece, callback), length);
    },

    /** Begins a body of unknown length. The head is sent with the first piece, or at once with `flush`. */
    begin(contentType: string, { flush = false } = {}): void {
      head(200, { "content-type": contentType, ...(contentType === EVENT_STREAM_TYPE && UNBUFFERED) });
      if (incoming.method === "HEAD") outgoing.end();
      else if (flush) outgoing.flushHeaders();
    },

    /** Sends a piece of the body. Resolves as `send` does. */
    write: (text: string) => writeInPieces(text, writeNow),
    end: () => void outgoing.end(),

    /** Cuts the connection. What is still in memory, in the kernel's too, is not sent. The client counts as gone. */
    cut,
  };
}

const clientGone = (): HttpError => new HttpError("malformed-http", "The client went away.");

/** The head goes out with the first piece: when that fails, the reply is a problem. Ends when the client is gone. */
export async function sendPieces(
  response: ResponseWriter,
  contentType: string,
  pieces: AsyncIterable<string>,
): Promise<void> {
  response.reserve();
  for await (const piece of pieces) {
    if (!response.hasBegun()) response.begin(contentType);
    await response.write(piece);
    if (response.isClosed()) return;
  }
  if (!response.hasBegun()) response.begin(contentType);
  response.end();
}

// Tells that a connection was closed, to all who ask. Many requests can be pipelined on one connection, so they share one
// listener of the socket.

const waiting = new WeakMap<Socket, Set<() => void>>();

/** Calls `callback` when the socket closes. Answers with what ends that. */
function onceClosed(socket: Socket, callback: () => void): () => void {
  const callbacks = waiting.get(socket) ?? watch(socket);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) unwatch(socket);
  };
}

function watch(socket: Socket): Set<() => void> {
  const callbacks = new Set<() => void>();
  waiting.set(socket, callbacks);
  socket.once("close", closed);
  return callbacks;
}

function unwatch(socket: Socket): void {
  waiting.delete(socket);
  socket.off("close", closed);
}

function closed(this: Socket): void {
  const callbacks = waiting.get(this);
  waiting.delete(this);
  for (const callback of callbacks ?? []) callback();
}
