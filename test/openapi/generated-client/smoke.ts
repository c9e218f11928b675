// What a stranger writes with a generated client. It is compiled with `tsc --strict` beside the generated types, and run
// against a real service: node smoke.ts <url>
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

const [, , baseUrl = ""] = process.argv;
/** For replies that have several media types, the second argument says which ones are meant. */
const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl });
const streaming = createClient<paths>({ baseUrl });

function must<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const captured = must(
  await client.POST("/api/memories", {
    body: { namespace: "diet", content: "Loves mango sticky rice.", sourceAgent: "assistant" },
    params: { header: { "Idempotency-Key": "capture-1" } },
  }),
);
const { memoryId }: components["schemas"]["Memory"] = captured.memory;
const { answer, receipt } = must(
  await client.POST("/api/chat", { body: { agentId: "assistant", query: "Which dessert does she love?" } }),
);
const used: string[] = receipt.usedMemories.map((memory) => memory.namespace);

const page = must(await client.GET("/api/memories", { params: { query: { limit: 1, namespace: "diet" } } }));
const { receiptId } = must(await client.POST("/api/anchor-chain", { body: { answerId: receipt.answerId } }));
const { verdict } = must(await client.GET("/api/verify/{receiptId}", { params: { path: { receiptId } } }));

// Lines and events come as text, or as a stream.
const lines = must(
  await streaming.POST("/api/memories/import", {
    body: `${JSON.stringify({ namespace: "diet", content: "Has breakfast at nine.", sourceAgent: "assistant" })}\n`,
    bodySerializer: (text) => text,
    headers: { "content-type": "application/x-ndjson" },
    parseAs: "text",
  }),
);
const text: string = lines;
const { data: events } = await streaming.GET("/api/events", {
  params: { header: { "Last-Event-ID": "1" } },
  parseAs: "stream",
});
const first = await events?.getReader().read();

const missing = await client.GET("/api/memories/{memoryId}", { params: { path: { memoryId: "mem_none" } } });
const code: string | undefined = missing.error?.code;

const result = {
  memoryId,
  answer,
  used,
  listed: page.memories.map((memory) => memory.content),
  verdict,
  imported: JSON.parse(text).memory.content,
  events: new TextDecoder().decode(first?.value as Uint8Array | undefined).includes("id:"),
  status: missing.response.status,
  code,
};
process.stdout.write(JSON.stringify(result), () => process.exit());
