// The response writer on a connection whose other end takes bytes when the test says so.
import { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { jsonReply } from "#http/answer/reply.ts";
import { createResponseWriter, sendPieces } from "#http/answer/response-writer.ts";
import { createSendBuffers } from "#http/limits/send-buffers.ts";

function connect({ method = "GET", assigned = true, buffers = createSendBuffers(), room = 0 } = {}) {
  const chunks: string[] = [];
  const written = () => chunks.join("");
  const statuses: number[] = [];
  let onTaken: ((error?: Error) => void) | undefined;
  const socket = new Duplex({
    read: () => undefined,
    write(chunk, _, callback) {
      const hasRoom = written().length < room;
      chunks.push(String(chunk));
      if (hasRoom) callback();
      else onTaken = callback;
    },
    writev(parts, callback) {
      const hasRoom = written().length < room;
      chunks.push(parts.map(({ chunk }) => String(chunk)).join(""));
      if (hasRoom) callback();
      else onTaken = callback;
    },
  }) as Socket;
  const incoming = new IncomingMessage(socket);
  Object.assign(incoming, { method, httpVersionMajor: 1, httpVersionMinor: 1 });
  const outgoing = new ServerResponse(incoming);
  if (assigned) outgoing.assignSocket(socket);
  const writerOf = (response: ServerResponse<IncomingMessage>) =>
    createResponseWriter(
      { incoming, outgoing: response },
      { requestId: "id", onHead: (status) => statuses.push(status), buffers },
    );
  return {
    writer: writerOf(outgoing),
    /** For a later request on the same connection. */
    another: () => writerOf(new ServerResponse(incoming)),
    socket,
    outgoing,
    statuses,
    /** What was written to the connection, whether taken or not. */
    written,
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

  test("gives each piece to the connection at once, and not at the end of the turn", () => {
    const { writer, written } = connect();
    writer.begin("text/plain");
    void writer.write("first");
    expect(written()).toMatch(/first\r\n$/);
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

describe("A client that reads slowly", () => {
  const LONG = "x".repeat(100_000);
  /** As the writer waits. */
  const DEADLINE_MS = 30_000;

  function fakeTimeouts(): void {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
  }

  test.for(["send", "write"] as const)("is cut when it takes nothing of a `%s` for 30 seconds", async (way) => {
    fakeTimeouts();
    const buffers = createSendBuffers();
    const { writer, socket } = connect({ buffers });
    if (way === "write") writer.begin("text/plain");
    const sent = way === "send" ? writer.send(jsonReply({})) : writer.write("piece");
    await turn();
    vi.advanceTimersByTime(DEADLINE_MS - 1);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    await sent;
    expect([socket.destroyed, writer.isClosed(), buffers.bytes()]).toEqual([true, true, 0]);
  });

  test("is not cut while it takes a piece of a long reply now and then", async () => {
    fakeTimeouts();
    const { writer, socket, take, written } = connect();
    const sent = writer.send(jsonReply(LONG));
    for (let taken = 0; taken < 3; taken++) {
      await turn();
      vi.advanceTimersByTime(DEADLINE_MS - 1);
      await take();
    }
    vi.advanceTimersByTime(DEADLINE_MS - 1);
    expect(socket.destroyed).toBe(false);
    await take();
    await sent;
    expect(written().endsWith(`${LONG}"`)).toBe(true);
  });

  test("is not cut while there is nothing to be sent", async () => {
    fakeTimeouts();
    const { writer, socket, take } = connect();
    writer.begin("text/event-stream");
    const sent = writer.write("first");
    await take();
    await sent;
    vi.advanceTimersByTime(10 * DEADLINE_MS);
    expect(socket.destroyed).toBe(false);
  });

  test("holds what it has yet to take, and nothing afterwards", async () => {
    const buffers = createSendBuffers();
    const { writer, take, outgoing } = connect({ buffers });
    const sent = writer.send(jsonReply(LONG));
    await turn();
    expect(buffers.bytes()).toBeGreaterThanOrEqual(LONG.length);
    for (let taken = 0; taken < 4; taken++) await take();
    await sent;
    outgoing.emit("close");
    expect(buffers.bytes()).toBe(0);
  });

  test("is refused a further long reply, or a stream of which nothing was read, when its caller has no room", async () => {
    const buffers = createSendBuffers({ ofCaller: 150_000 });
    const ada = { caller: "ada", mayRefuse: true };
    const first = connect({ buffers });
    first.writer.ownedBy(ada);
    void first.writer.send(jsonReply(LONG));
    await turn();
    const second = connect({ buffers });
    second.writer.ownedBy(ada);
    await expect(second.writer.send(jsonReply(LONG))).rejects.toMatchObject({ code: "too-many-requests" });
    const pieces = {
      async *[Symbol.asyncIterator]() {
        expect.unreachable();
        yield "";
      },
    };
    await expect(sendPieces(second.writer, "text/plain", pieces)).rejects.toMatchObject({ code: "too-many-requests" });
    expect(second.writer.hasBegun()).toBe(false);
    void second.writer.send(jsonReply({}, 429));
    await turn();
    expect(second.written()).toMatch(/\r\nretry-after: \d+\r\n/);
    const other = connect({ buffers });
    other.writer.ownedBy({ caller: "ben", mayRefuse: true });
    void other.writer.send(jsonReply(LONG));
    expect(other.statuses).toEqual([200]);
  });

  test("loses a long reply of which it took the beginning, when others have no room", async () => {
    const buffers = createSendBuffers({ ofAll: 150_000 });
    const [first, second] = [connect({ buffers, room: 16_384 }), connect({ buffers })];
    first.writer.ownedBy({ caller: "ada", mayRefuse: true });
    second.writer.ownedBy({ caller: "ben", mayRefuse: true });
    void first.writer.send(jsonReply(LONG));
    await turn();
    expect(first.written().length).toBeGreaterThan(16_384);
    void second.writer.send(jsonReply(LONG.slice(LONG.length / 2)));
    await turn();
    expect([first.socket.destroyed, second.statuses]).toEqual([true, [200]]);
  });

  test("is answered all the same when its reply may not be refused", async () => {
    const buffers = createSendBuffers({ ofCaller: 1, ofAll: 1 });
    const { writer, statuses, take } = connect({ buffers });
    writer.ownedBy({ caller: "ada", mayRefuse: false });
    async function* pieces() {
      yield "all";
    }
    const sent = sendPieces(writer, "text/plain", pieces());
    await take();
    await sent;
    expect(statuses).toEqual([200]);
  });
});

test("A pipelined reply that waits for its turn counts, and has its time from then on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const buffers = createSendBuffers();
  const { writer, outgoing, socket, take, written } = connect({ buffers, assigned: false });
  const sent = writer.send(jsonReply("here"));
  await turn();
  expect(buffers.bytes()).toBeGreaterThan(0);
  vi.advanceTimersByTime(1_000_000);
  expect(socket.destroyed).toBe(false);
  outgoing.assignSocket(socket);
  await take();
  await sent;
  expect(written()).toContain('"here"');
});
