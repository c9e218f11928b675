// What a stranger writes with a client that hey-api generated. It is compiled with `tsc --strict`, and run: <url>

import { client } from "./hey-api/client.gen";
import { anchorOnChain, capture, chat, chatStream, getMemory, listMemories, verify } from "./hey-api/index";

client.setConfig({ baseUrl: process.argv[2] ?? "" });

function must<T>({ data, error }: { data?: T | undefined; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const { memory } = must(
  await capture({
    body: { namespace: "diet", content: "Loves mango sticky rice.", sourceAgent: "assistant" },
    headers: { "Idempotency-Key": "hey-api-1" },
  }),
);
const asked = { agentId: "assistant", query: "Which dessert does she love?" };
const { answer, receipt } = must(await chat({ body: asked }));
const { stream } = await chatStream({ body: asked });
const pieces: unknown[] = [];
for await (const piece of stream) pieces.push(piece);
const page = must(await listMemories({ query: { limit: 1, namespace: "diet" } }));
const { receiptId } = must(await anchorOnChain({ body: { answerId: receipt.answerId } }));
const { verdict } = must(await verify({ path: { receiptId } }));
const missing = await getMemory({ path: { memoryId: "mem_none" } });

process.stdout.write(
  JSON.stringify({
    memoryId: memory.memoryId,
    answer,
    used: receipt.usedMemories.map(({ namespace }) => namespace),
    pieces: pieces.length,
    listed: page.memories.map(({ content }) => content),
    verdict,
    missing: missing.error?.code,
  }),
);
