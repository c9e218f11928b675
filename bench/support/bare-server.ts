// A Hono handler that parses JSON and returns JSON and does nothing else, as a process: the cost of HTTP itself.
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const { ANSWER, HOST, PORT, LATENCY_MS = "0" } = process.env;
const answer: unknown = ANSWER === undefined ? {} : JSON.parse(readFileSync(ANSWER, "utf8"));

const app = new Hono();
app.get("/readyz", (c) => c.json({ status: "ready" }));
for (const path of ["/api/chat", "/v1/chat/completions"]) {
  app.post(path, async (c) => {
    await c.req.json();
    if (LATENCY_MS !== "0") await delay(Number(LATENCY_MS));
    return c.json(answer as object);
  });
}

serve({ fetch: app.fetch, hostname: HOST ?? "127.0.0.1", port: Number(PORT) });
process.on("SIGTERM", () => process.exit());
