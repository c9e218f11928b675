// The response writer on a connection whose other end takes bytes when the test says so.
import { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { jsonReply } from "#http/answer/reply.ts";
import { createResponseWriter, sendPieces } from "#http/answer/response-writer.ts";

function connect({ method = "GET", assigned = true } = {}) {
  const chunks: string[] = [];
  const statuses: number[] = [];
  let onTaken: ((error?: Error) => void) | undefined;
  const socket = new Duplex({
    read: () => undefined,
    write(chunk, _, callback) {
      chunks.push(String(chunk));
      onTaken = callback;
    },
    writev(parts, callback) {
      chunks.push(parts.map(({ chunk }) => String(chunk)).join(""));
      onTaken = callback;
    },
  }) as Socket;
  const incoming = new IncomingMessage(socket);
  Object.assign(incoming, { method, httpVersionMajor: 1, httpVersionMinor: 1 });
  const outgoing = new ServerResponse(incoming);
  if (assigned) outgoing.assignSocket(socket);
  const writerOf = (response: ServerResponse<IncomingMessage>) =>
    createResponseWriter(
      { incoming, outgoing: response },
      { requestId: "id", onHead: (status) => statuses.push(status) },
    );
  return {
    writer: writerOf(outgoing),
    /** For a later request on the same connection. */
    another: () => writerOf(new ServerResponse(incoming)),
    socket,
    outgoing,
    statuses,
    /** What was written to the connection, whether taken or not. */
    written: () => chunks.join(""),
    /** The system refuses what was written: the other end has reset the connection. */
    async refuse() {
      await turn();
      socket.on("error", () => undefined);
      onTaken?.(new Error("ECONNRESET"));
    },
    /** The other end takes what was written. */
    async take() {
      await turn();
      onTaken?.();
      onTaken = undefined;
      await turn();
    },
  };
}

/** Whether a promise is settled once everything that can happen now has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  await turn();
  await turn();
  return settled;
}

describe("A whole reply", () => {
  test("has a status, the common headers, the request's id and its length", async () => {
    const { writer, written, statuses } = connect();
    void writer.send(jsonReply({ é: 1 }, 201));
    await turn();
    expect(statuses).toEqual([201]);
    expect(written()).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(written()).toContain("x-frame-options: DENY\r\n");
    expect(written()).toContain("x-request-id: id\r\n");
    expect(written()).toContain("content-length: 8\r\n");
    expect(written()).toMatch(/\r\n\r\n\{"é":1\}$/);
  });

  test("is sent when the connection has taken it, and not before", async () => {
    const { writer, take } = connect();
    const sent = writer.send(jsonReply({}));
    expect(await isSettled(sent)).toBe(false);
    await take();
    expect(await isSettled(sent)).toBe(true);
  });

  test.for(["destroy", "reset"])("counts as sent when the connection breaks: %s", async (how) => {
    const { writer, socket } = connect();
    const sent = writer.send(jsonReply({}));
    if (how === "destroy") writer.cut();
    else socket.destroy(new Error("reset")).on("error", () => undefined);
    expect(await isSettled(sent)).toBe(true);
  });

  test("counts as sent when the connection is broken already", async () => {
    const { writer, socket } = connect();
    socket.destroy();
    expect(await isSettled(writer.send(jsonReply({})))).toBe(true);
  });
});

describe("A body in pieces", () => {
  /** Counts the pieces that were made. */
  function counted(count = 100) {
    const pieces = { made: 0, ended: false, [Symbol.asyncIterator]: make };
    async function* make() {
      try {
        while (pieces.made < count) yield `piece ${++pieces.made}\n`;
      } finally {
        pieces.ended = true;
      }
    }
    return pieces;
  }

  test("has its head with the first piece", async () => {
    const { writer, written } = connect();
    writer.begin("text/plain");
    await turn();
    expect(written()).toBe("");
    void writer.write("first");
    await turn();
    expect(written()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*first\r\n$/);
  });

  test("is made no faster than the connection takes it", async () => {
    const { writer, take } = connect();
    const pieces = counted();
    const sending = sendPieces(writer, "text/plain", pieces);
    for (let taken = 1; taken < 10; taken++) {
      await turn();
      expect(pieces.made).toBe(taken);
      await take();
    }
    expect(await isSettled(sending)).toBe(false);
    expect(pieces.made).toBe(10);
  });

  test("ends when all pieces were sent", async () => {
    const { writer, outgoing, written, take } = connect();
    const sending = sendPieces(writer, "text/plain", counted(2));
    await take();
    await take();
    await sending;
    expect(outgoing.writableEnded).toBe(true);
    await take();
    expect(written()).toMatch(/piece 1\n[\s\S]*piece 2\n[\s\S]*0\r\n\r\n$/);
  });

  test("is made no further once the client leaves", async () => {
    const { writer, socket, take } = connect();
    const pieces = counted();
    const sending = sendPieces(writer, "text/plain", pieces);
    await take();
    socket.destroy();
    await sending;
    expect(pieces).toMatchObject({ made: 2, ended: true });
  });

  test("is not made for a HEAD request, which gets the head alone", async () => {
    const { writer, written } = connect({ method: "HEAD" });
    const pieces = counted();
    await sendPieces(writer, "text/plain", pieces);
    await turn();
    expect(pieces).toMatchObject({ made: 1, ended: true });
    expect(written()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(written()).not.toContain("piece");
  });

  test("whose first piece fails leaves the response to a problem", async () => {
    const { writer, statuses } = connect();
    // biome-ignore lint/correctness/useYield: It fails before it yields.
    async function* failing(): AsyncGenerator<string> {
      throw new Error("no page");
    }
    await expect(sendPieces(writer, "text/plain", failing())).rejects.toThrow("no page");
    expect([writer.hasBegun(), statuses]).toEqual([false, []]);
  });
});

describe("A pipelined response", () => {
  test("waits until the connection is its own", async () => {
    const { writer, outgoing, socket } = connect({ assigned: false });
    const waiting = writer.turn();
    expect(await isSettled(waiting)).toBe(false);
    outgoing.assignSocket(socket);
    await waiting;
    expect(socket.listenerCount("close")).toBe(1);
  });

  test("is given up when the client leaves before its turn", async () => {
    const { writer, socket } = connect({ assigned: false });
    const waiting = writer.turn();
    socket.destroy();
    await expect(waiting).rejects.toMatchObject({ code: "malformed-http" });
    expect(writer.signal().aborted).toBe(true);
  });
});

describe("Many pipelined responses", () => {
  const listeners = (socket: Socket) => socket.listenerCount("close");

  test("share one listener of their connection, and the last one takes it away", async () => {
    const { writer, socket, outgoing, another } = connect({ assigned: false });
    const before = listeners(socket);
    const [waiting, later] = [writer.turn(), another().turn()];
    expect(listeners(socket)).toBe(before + 1);
    outgoing.assignSocket(socket);
    await waiting;
    outgoing.detachSocket(socket);
    expect(listeners(socket)).toBe(before + 1);
    socket.destroy();
    await expect(later).rejects.toMatchObject({ code: "malformed-http" });
    expect(listeners(socket)).toBe(before);
  });
});

describe("The signal", () => {
  test("has aborted when a write finds the connection broken that has not told so yet", async () => {
    const { writer, socket } = connect();
    const signal = writer.signal();
    let isClosed = false;
    socket.once("close", () => {
      isClosed = true;
    });
    socket.destroy();
    await writer.send(jsonReply({}));
    expect([isClosed, signal.aborted]).toEqual([false, true]);
  });

  test.for(["send", "write"] as const)("has aborted when the system refuses the bytes of `%s`", async (way) => {
    const { writer, refuse } = connect();
    const signal = writer.signal();
    if (way === "write") writer.begin("text/plain");
    const sent = way === "send" ? writer.send(jsonReply({})) : writer.write("piece");
    const isAborted = sent.then(() => signal.aborted);
    await refuse();
    expect(await isAborted).toBe(true);
  });

  test("aborts when the client leaves before the response is complete", async () => {
    const { writer, socket } = connect();
    const signal = writer.signal();
    writer.begin("text/plain");
    void writer.write("first");
    socket.destroy();
    await turn();
    expect(signal.reason).toMatchObject({ code: "malformed-http" });
  });

  test("does not abort when the response is complete", async () => {
    const { writer, socket, take } = connect();
    const signal = writer.signal();
    const sent = writer.send(jsonReply({}));
    await take();
    await sent;
    socket.destroy();
    await turn();
    expect(signal.aborted).toBe(false);
  });
});
