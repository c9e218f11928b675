// What a stranger writes with a client that orval generated. It is compiled with `tsc --strict`, and run.
import {
  anchorOnChain,
  type ChatStreamBody,
  capture,
  chat,
  getChatStreamUrl,
  getMemory,
  listMemories,
  verify,
} from "./orval/api";

const captured = await capture(
  { namespace: "diet", content: "Loves mango sticky rice.", sourceAgent: "assistant" },
  { headers: { "Idempotency-Key": "orval-1" } },
);
if (captured.status !== 200) throw new Error(captured.data.code);
const asked = { agentId: "assistant", query: "Which dessert does she love?" };
const answered = await chat(asked);
if (answered.status !== 200) throw new Error(answered.data.code);
const { answer, receipt } = answered.data;
// Its functions read every reply as JSON. Of a stream they give the address.
const streamed = await fetch(getChatStreamUrl(), {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(asked satisfies ChatStreamBody),
});
const events = (await streamed.text()).match(/^event: \w+$/gm)?.length;
const page = await listMemories({ limit: 1, namespace: "diet" });
if (page.status !== 200) throw new Error(page.data.code);
const anchored = await anchorOnChain({ answerId: receipt.answerId });
if (anchored.status !== 200) throw new Error(anchored.data.code);
const verified = await verify(anchored.data.receiptId);
if (verified.status !== 200) throw new Error(verified.data.code);
const missing = await getMemory("mem_none");

process.stdout.write(
  JSON.stringify({
    memoryId: captured.data.memory.memoryId,
    answer,
    used: receipt.usedMemories.map(({ namespace }) => namespace),
    events,
    listed: page.data.memories.map(({ content }) => content),
    verdict: verified.data.verdict,
    missing: missing.status === 404 && missing.data.code,
  }),
);
