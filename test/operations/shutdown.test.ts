// Shutdown: readiness turns off, requests in flight finish, the database closes, and the process exits with 0.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { listen } from "#http/server.ts";
import { connectTo, send } from "#test/support/send.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";
import { waitFor } from "#test/support/wait-for.ts";

const BODY = JSON.stringify({ agentId: "assistant", query: "What is for dinner on Friday?" });
const HEAD = `POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}`;

async function startedChild() {
  const directory = await directoryForTest();
  const database = join(directory, "memories.db");
  const child = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: database });
  return { child, database, url: await child.ready() };
}

/** Resolves when the port refuses connections. */
async function untilRefused(url: string): Promise<void> {
  await waitFor(async () => {
    const outcome = await connectTo(url).then(
      ({ socket }) => void socket.destroy(),
      (error) => error,
    );
    expect(outcome).toMatchObject({ code: "ECONNREFUSED" });
  });
}

function receiptsIn(database: string): number {
  const connection = new DatabaseSync(database);
  const row = connection.prepare("SELECT count(*) AS n FROM receipts").get();
  connection.close();
  return Number(row?.n);
}

describe("on SIGTERM, the process", () => {
  test("answers requests in flight, refuses new connections, and closes the database", async () => {
    const { child, database, url } = await startedChild();
    const inFlight = await connectTo(url);
    inFlight.write(`${HEAD}\r\nexpect: 100-continue\r\n\r\n`);
    await inFlight.until("100 Continue"); // The service has begun to handle this request.
    inFlight.write(BODY.slice(0, 10));
    const asking = await connectTo(url);
    asking.write("GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\n"); // The end of the request follows later.
    expect((await send(`${url}/readyz`)).status).toBe(200);

    child.kill("SIGTERM");
    await child.logged("stopping");
    await untilRefused(url);
    asking.write("connection: close\r\n\r\n");
    expect(await asking.everything()).toMatch(/^HTTP\/1\.1 503 [\s\S]*\{"status":"stopping"\}/);
    inFlight.write(BODY.slice(10));
    expect(await inFlight.until('"model":')).toMatch(/^HTTP\/1\.1 200 [\s\S]*"answerId":"ans_/);

    expect(await child.exited).toEqual({ code: 0, signal: null });
    await child.logged("stopped");
    expect(child.err()).toBe("");
    expect(existsSync(`${database}-wal`)).toBe(false);
    expect(existsSync(`${database}-shm`)).toBe(false);
    expect(receiptsIn(database)).toBe(1);
  });

  test("does not wait for idle keep-alive connections", async () => {
    const { child, url } = await startedChild();
    const idle = await connectTo(url);
    idle.write("GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    await idle.until('{"status":"live"}');
    const inFlight = await connectTo(url);
    inFlight.write(`${HEAD}\r\nexpect: 100-continue\r\n\r\n`);
    await inFlight.until("100 Continue");

    child.kill("SIGTERM");
    // If it waited for the idle connection, the other one would be cut off with it, without an answer.
    await idle.everything();
    inFlight.write(BODY);
    await inFlight.until('"model":');
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  test("takes no further request on a connection that is still open", async () => {
    const { child, database, url } = await startedChild();
    const inFlight = await connectTo(url);
    inFlight.write(`${HEAD}\r\nexpect: 100-continue\r\n\r\n`);
    await inFlight.until("100 Continue");
    child.kill("SIGTERM");
    await child.logged("stopping");
    inFlight.write(BODY);
    await inFlight.until('"model":');
    inFlight.write(`${HEAD}\r\n\r\n${BODY}`);
    expect(await inFlight.everything().catch(() => "")).not.toContain("ans_");
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(receiptsIn(database)).toBe(1);
  });

  test.for([["SIGINT"], ["SIGTERM", "SIGTERM"]] as const)(
    "exits with 0 and a closed database, also after %o",
    async (signals) => {
      const { child, database } = await startedChild();
      for (const signal of signals) child.kill(signal);
      expect(await child.exited).toEqual({ code: 0, signal: null });
      expect(child.err()).toBe("");
      expect(existsSync(`${database}-wal`)).toBe(false);
      expect(receiptsIn(database)).toBe(0);
    },
  );
});

test("stopping waits for an answer that the model is still making, and for its receipt", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const complete = async () => {
    asked.resolve();
    return { text: await answer.promise, model: "slow" };
  };
  const service = await serviceForTest({ overrides: { model: { name: "slow", complete } } });
  const chat = service.client.chat({ agentId: "assistant", query: "dinner" });
  await asked.promise;
  let stopped = false;
  const stopping = service.stop().then(() => {
    stopped = true;
  });
  await untilRefused(service.url);
  expect(stopped).toBe(false);
  answer.resolve("Here it is.");
  expect(await chat).toMatchObject({ answer: "Here it is.", receipt: { evidence: { model: "slow" } } });
  await stopping;
});

test("a request that never ends is cut off after the grace period", async () => {
  const begun = Promise.withResolvers<void>();
  const fetch = () => {
    begun.resolve();
    return new Promise<Response>(() => undefined);
  };
  const server = await listen({ fetch, host: "127.0.0.1", port: 0 });
  const hanging = expect(send(server.url)).rejects.toMatchObject({ code: "ECONNRESET" });
  await begun.promise;
  await server.stop(50);
  await hanging;
});
