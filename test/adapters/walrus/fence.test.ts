// A slow publisher holds up no revoke: the fence is entered for each piece of a blob, when the connection stands.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { walrusBlobs } from "#adapters/blobs/walrus/walrus-blobs.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { FencedAction } from "#ports.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { NOWHERE } from "./fixture.ts";

const PIECE_BYTES = 16 * 1024;
const STAMP = { by: "test", at: "2026-01-02T03:04:05.678Z" };
const RULE = { agentId: "a", namespace: "n" };
const timeouts = { storeTries: 1, storeMs: 20_000 };

async function listen(server: Server, protocol = "http"): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const storeAt = (publisher: string) => walrusBlobs({ publisher, aggregators: [NOWHERE], timeouts });

/** The fence of SQLite, for an agent that may use one namespace. */
async function recordsForTest() {
  const records = sqliteRecords({ path: ":memory:" });
  onTestFinished(() => records.close());
  await records.policy.set({ ...RULE, allowed: true }, STAMP);
  const readSet = { agentId: "a", namespaces: ["n"], memoryIds: [], policyVersion: 0, removals: -1, digest: "" };
  let passes = 0;
  const fence = async (send: FencedAction) => {
    passes += 1;
    if (!(await records.policy.passFence(readSet as never, send))) throw new Error("revoked");
  };
  return { fence, passes: () => passes, revoke: () => records.policy.set({ ...RULE, allowed: false }, STAMP) };
}

test("no fence is held while the publisher is being connected to, and a revoke of that time keeps all from leaving", async () => {
  // It never answers the TLS handshake before the revoke.
  const server = createServer((socket) => void socket.resume());
  const connection = once(server, "connection");
  const { fence, passes, revoke } = await recordsForTest();
  const controller = new AbortController();
  const put = storeAt(await listen(server, "https")).put(Buffer.alloc(1_000), { fence, signal: controller.signal });
  put.catch(() => undefined);
  const [socket] = (await connection) as [Socket];
  await once(socket, "data");
  await revoke();
  expect(passes()).toBe(0);
  controller.abort(new Error("enough"));
  await expect(put).rejects.toThrow("enough");
});

test("sends a blob in pieces, each behind the fence, and stops where the fence refuses", async () => {
  let received = 0;
  const server = createServer((socket) =>
    socket.on("data", (bytes) => {
      received += bytes.length;
    }),
  );
  let passes = 0;
  const refusal = new Error("forgotten meanwhile");
  const fence = async (send: FencedAction) => {
    passes += 1;
    if (passes > 3) throw refusal;
    await send(new AbortController().signal);
  };
  const put = storeAt(await listen(server)).put(Buffer.alloc(200 * 1024, "x"), { fence });
  await expect(put).rejects.toBe(refusal);
  await waitFor(() => expect(received).toBeGreaterThan(3 * PIECE_BYTES));
  expect(received).toBeLessThan(3 * PIECE_BYTES + 1_000);
});

test("a revoke is acknowledged while the publisher takes no more of a blob, and nothing of the rest leaves", async () => {
  const server = createServer({ pauseOnConnect: true });
  const connection = once(server, "connection") as Promise<[Socket]>;
  const { fence, passes, revoke } = await recordsForTest();
  const bytes = Buffer.alloc(64 * 1024 * 1024, "x");
  const put = storeAt(await listen(server)).put(bytes, { fence });
  put.catch(() => undefined);
  const [socket] = await connection;
  // The kernel has what it takes when no further piece passes for a while.
  let before = -1;
  await vi.waitFor(
    () => {
      const now = passes();
      const stood = now === before;
      before = now;
      if (!stood || now === 0) throw new Error("still sending");
    },
    { timeout: 20_000, interval: 300 },
  );
  const reset = once(socket, "error").then(([error]) => (error as NodeJS.ErrnoException).code);
  await revoke();
  let received = 0;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  socket.resume();
  // The publisher is told by a reset, so the kernel has dropped what waited.
  expect(await Promise.race([reset, once(socket, "end").then(() => "end")])).toBe("ECONNRESET");
  expect(received).toBeLessThan(passes() * PIECE_BYTES);
  await expect(put).rejects.toMatchObject({});
}, 60_000);
