// No byte of the prompt leaves the process outside the fence.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, Socket } from "node:net";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { fenceFrom, noFence } from "#test/support/models.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { PROMPT, startModel, WHOLE } from "./fixture.ts";

const PIECE_BYTES = 16 * 1024;

/** The url of a bare TCP server. */
async function listen(server: Server, protocol = "http"): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test("writes the body within the fence, on a new connection and on one that is reused", async () => {
  await using subject = await startModel();
  const order: string[] = [];
  const write = Socket.prototype.write as (...args: unknown[]) => boolean;
  const spy = vi.spyOn(Socket.prototype, "write").mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [data, encoding, callback] = args;
    if (!Buffer.from(data as Buffer).includes(PROMPT.user)) return write.apply(this, args);
    order.push("writing");
    const onWritten = (error: unknown) => {
      order.push("written");
      (callback as (error: unknown) => void)(error);
    };
    return write.call(this, data, encoding, onWritten);
  });
  const fence = fenceFrom(async (send) => {
    order.push("entered");
    await send(NEVER_ABORTS);
    order.push("left");
  });
  for (let i = 0; i < 5; i++) await subject.complete({ fence });
  spy.mockRestore();
  expect(order.join(" ")).toBe(Array(5).fill("entered writing written left").join(" "));
  expect(subject.standIn.connections()).toBe(1);
});

test("passes the fence again for every retry, and does not retry after a refusal", async () => {
  await using subject = await startModel({ sleep: async () => undefined });
  subject.standIn.knobs.next = [{ kind: "reset" }];
  let passes = 0;
  const refusal = new Error("revoked meanwhile");
  const fence = fenceFrom(async (send) => {
    if (++passes === 2) throw refusal;
    await send(NEVER_ABORTS);
  });
  expect((await subject.complete({ fence })).error).toBe(refusal);
  expect(passes).toBe(2);
  expect(subject.standIn.received.length).toBe(1);
});

test("sends no byte of the body when the fence refuses, and does not retry", async () => {
  await using subject = await startModel();
  const refusal = new Error("refused");
  const pass = vi.fn(() => Promise.reject(refusal));
  expect((await subject.complete({ fence: fenceFrom(pass) })).error).toBe(refusal);
  expect(pass).toHaveBeenCalledTimes(1);
  expect(subject.standIn.bytes().toString()).not.toContain(PROMPT.user);
  expect(subject.standIn.received).toEqual([]);
});

test("enters the fence only when the connection stands", async () => {
  // The server never answers the TLS handshake.
  const server = createServer();
  const connection = once(server, "connection");
  await using subject = await startModel({ baseUrl: await listen(server, "https"), timeoutMs: 500, retries: 0 });
  const pass = vi.fn(noFence);
  const outcome = subject.complete({ fence: fenceFrom(pass) });
  await connection;
  expect((await outcome).error).toMatchObject({ code: "model-timeout" });
  expect(pass).not.toHaveBeenCalled();
});

test("sends a long body in pieces, each behind the fence, and stops when the fence refuses", async () => {
  await using subject = await startModel({ prompt: { ...PROMPT, user: "long ".repeat(40_000) } });
  const { standIn, complete } = subject;
  let passes = 0;
  const refusal = new Error("revoked meanwhile");
  const fence = fenceFrom(async (send) => {
    if (++passes > 3) throw refusal;
    await send(NEVER_ABORTS);
  });
  expect((await complete({ fence })).error).toBe(refusal);
  await waitFor(() => expect(standIn.bytes().length).toBeGreaterThan(3 * PIECE_BYTES));
  expect(standIn.bytes().length).toBeLessThan(3 * PIECE_BYTES + 1_000);
  expect(standIn.received).toEqual([]);
});

test("sends a long body in full without a warning about listeners", async () => {
  const warn = vi.spyOn(process, "emitWarning");
  await using subject = await startModel({ prompt: { ...PROMPT, user: "long ".repeat(100_000) } });
  expect((await subject.complete(WHOLE)).error).toBeUndefined();
  expect(subject.standIn.received[0]?.body.length).toBeGreaterThan(30 * PIECE_BYTES);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("rejects with the refusal also when the endpoint has begun to answer before it has the whole body", async () => {
  const answerEarly = (socket: Socket) =>
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"));
  const connections: Socket[] = [];
  const server = createServer(answerEarly).on("connection", (socket) => connections.push(socket));
  const prompt = { ...PROMPT, user: "long ".repeat(40_000) };
  await using subject = await startModel({ baseUrl: await listen(server), prompt });
  const refusal = new Error("revoked meanwhile");
  let passes = 0;
  const fence = fenceFrom(async (send) => {
    if (++passes === 2) {
      // The response has arrived when the client's socket has read it.
      await waitFor(() => expect(connections[0]?.bytesWritten).toBeGreaterThan(0));
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      throw refusal;
    }
    await send(NEVER_ABORTS);
  });
  expect((await subject.complete({ fence })).error).toBe(refusal);
  expect(connections.length).toBe(1);
});

test("leaves the fence and ends the call when the endpoint does not read the body", async () => {
  const server = createServer((socket) => socket.pause());
  const prompt = { ...PROMPT, user: "vast ".repeat(8_000_000) };
  await using subject = await startModel({ baseUrl: await listen(server), retries: 0, prompt });
  let isInside = false;
  const fence = fenceFrom(async (send) => {
    isInside = true;
    await send(NEVER_ABORTS);
    isInside = false;
  });
  expect((await subject.complete({ fence })).error).toMatchObject({ code: "model-unavailable" });
  await waitFor(() => expect(isInside).toBe(false));
});

test.for(["http", "https"])("cuts the connection when the fence is lost while it sends: %s", async (protocol) => {
  const tls = { cert: readTls("cert.pem"), key: readTls("key.pem") };
  const isTls = protocol === "https";
  if (isTls) trustForTest(String(tls.cert));
  const server = isTls ? createTlsServer(tls) : createServer();
  const accepted = Promise.withResolvers<Socket>();
  server.on(isTls ? "secureConnection" : "connection", (socket: Socket) =>
    accepted.resolve(socket.on("error", () => undefined).resume()),
  );
  await using subject = await startModel({ baseUrl: await listen(server, protocol), retries: 0 });
  const fence = fenceFrom(async (send) => {
    await accepted.promise;
    const lost = new AbortController();
    const sending = send(lost.signal);
    lost.abort();
    await sending;
  });
  expect((await subject.complete({ fence })).error).toMatchObject({ code: "model-unavailable" });
  const socket = await accepted.promise;
  await waitFor(() => expect(socket.destroyed).toBe(true));
});

test("asks again at once when the fence was lost before it could send", async () => {
  await using subject = await startModel({ retries: 1 });
  let passes = 0;
  const fence = fenceFrom(async (send) => send(++passes === 1 ? AbortSignal.abort() : NEVER_ABORTS));
  expect((await subject.complete({ fence })).error).toBeUndefined();
  expect(passes).toBe(2);
});

const readTls = (name: string) => readFileSync(new URL(`../../support/tls/${name}`, import.meta.url));

function trustForTest(certificate: string): void {
  const trusted = getCACertificates("default");
  setDefaultCACertificates([certificate]);
  onTestFinished(() => setDefaultCACertificates(trusted));
}
