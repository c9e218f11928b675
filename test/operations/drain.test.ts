// SIGTERM behind a balancer: the service serves on until the balancer has noticed, and cuts nothing off.
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { connectTo, send } from "#test/support/send.ts";
import { directoryForTest } from "#test/support/service.ts";
import { type ServiceProcess, serviceProcessForTest } from "#test/support/service-process.ts";

/** Longer than any test takes, so that only a second signal ends it. */
const FOREVER = "600000";
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

async function start(environment: Readonly<Record<string, string>>) {
  const child = serviceProcessForTest(await directoryForTest(), {
    PORT: "0",
    DATABASE_URL: ":memory:",
    ...environment,
  });
  return { child, url: await child.ready() };
}

async function signalled(child: ServiceProcess, signal: NodeJS.Signals) {
  process.kill(child.pid, signal);
  return child.logged("stopping");
}

describe("On SIGTERM", () => {
  test("the service is not ready any more, and still serves new connections and open ones, each for the last time", async () => {
    const { child, url } = await start({ DRAIN_MS: FOREVER });
    const open = await connectTo(url);
    open.write(GET("/livez"));
    expect(await open.until('{"status":"live"}')).toMatch(/connection: keep-alive/i);
    await signalled(child, "SIGTERM");
    expect((await send(`${url}/readyz`)).status).toBe(503);
    const served = await send(`${url}/api/policy`);
    expect([served.status, served.headers.connection]).toEqual([200, "close"]);
    open.write(GET("/api/policy"));
    const last = await open.everything();
    expect(last).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*0\r\n\r\n$/i);
  });

  test("a second signal ends the process at once, when it comes later than npm passes on the first", async () => {
    const { child } = await start({ DRAIN_MS: FOREVER });
    await signalled(child, "SIGTERM");
    process.kill(child.pid, "SIGTERM");
    const again = setInterval(() => !child.hasExited() && process.kill(child.pid, "SIGTERM"), 50);
    const { code } = await child.exited.finally(() => clearInterval(again));
    expect(code).toBe(143);
    expect(child.out()).not.toContain('"msg":"stopped"');
  });

  test("requests that are under way when the drain ends are answered, and event streams end in order", async () => {
    const { child, url } = await start({ DRAIN_MS: "200" });
    const events = await connectTo(url);
    events.write(GET("/api/events"));
    expect(await events.until(": beat")).toMatch(/x-accel-buffering: no/i);
    // The body comes after the end of the drain, so the answer does, too.
    const asking = await connectTo(url);
    const body = JSON.stringify({ agentId: "assistant", query: "What is for dinner on Friday?" });
    const type = "Content-Type: application/json";
    asking.write(`POST /api/chat HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n`);
    await signalled(child, "SIGTERM");
    // The last chunk of a chunked body: the stream was not cut.
    expect(await events.everything()).toMatch(/0\r\n\r\n$/);
    await once(events.socket, "close");
    await expect
      .poll(() =>
        connectTo(url).then(
          () => "open",
          () => "refused",
        ),
      )
      .toBe("refused");
    asking.write(body);
    expect(await asking.everything()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*"receipt":/i);
    expect(await child.exited).toMatchObject({ code: 0 });
    expect(child.out()).toContain('"msg":"stopped"');
  });
});

test("On SIGINT nobody waits: the drain is for balancers", async () => {
  const { child } = await start({ DRAIN_MS: FOREVER });
  expect(await child.kill("SIGINT")).toMatchObject({ code: 0 });
  expect(child.out()).toContain('"msg":"stopped"');
});

test("On loopback without a proxy, SIGTERM ends the service without a drain", async () => {
  const { child } = await start({});
  expect(await signalled(child, "SIGTERM")).toMatchObject({ drainMs: 0 });
  expect(await child.exited).toMatchObject({ code: 0 });
});
