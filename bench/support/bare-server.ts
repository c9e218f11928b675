// A Hono handler that parses JSON and returns JSON and does nothing else, as a process: the cost of HTTP itself.
import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const { ANSWER, HOST, PORT } = process.env;
const answer: unknown = ANSWER === undefined ? {} : JSON.parse(readFileSync(ANSWER, "utf8"));

const app = new Hono();
app.get("/readyz", (c) => c.json({ status: "ready" }));
app.post("/api/chat", async (c) => {
  await c.req.json();
  return c.json(answer as object);
});

serve({ fetch: app.fetch, hostname: HOST ?? "127.0.0.1", port: Number(PORT) });
process.on("SIGTERM", () => process.exit());
