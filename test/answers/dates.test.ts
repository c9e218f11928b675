// The day of a fact reaches whoever answers, and no other day does.
import { expect, test } from "vitest";
import { memoryTools } from "#mcp/tools.ts";
import type { LanguageModel } from "#ports.ts";
import { serviceForTest } from "#test/support/service.ts";

/** A model that says nothing, and what it was told. */
function listeningModel() {
  const prompts: string[] = [];
  const model: LanguageModel = {
    name: "stand-in",
    async complete({ user }, { fence }) {
      await fence(() => void prompts.push(user));
      return { text: "Nothing.", model: "stand-in" };
    },
  };
  const told = () => (prompts.at(-1) ?? "").split("\n").filter((line) => line.startsWith("{"));
  return { model, prompts, told };
}

const QUERY = "When did I adopt the cat?";
const CAT = { namespace: "pets", content: "The user adopted a cat.", sourceAgent: "assistant" };
const EMPTY = { SEED: "none" };

test("a fact that was imported with its time is told with its day, by the built-in model, too", async () => {
  const { client } = await serviceForTest({ environment: EMPTY });
  await client.setAccess({ agentId: "assistant", namespace: "pets", allowed: true });
  const results = client.importMemories(
    new Blob([JSON.stringify({ ...CAT, occurredAt: "2025-03-08T23:30:00-02:00" })]),
  );
  for await (const { problem } of results) expect(problem).toBeUndefined();
  const { answer } = await client.chat({ agentId: "assistant", query: QUERY });
  expect(answer).toBe("Your notes say: “The user adopted a cat.” (pets, 9 March 2025)");
  const recalled = await client.recall({ agentId: "assistant", query: QUERY });
  const words = memoryTools.find(({ name }) => name === "recall")?.textOf(recalled as never);
  expect(words).toContain("(pets, 2025-03-09) The user adopted a cat.");
});

test("a correction has its own day, or none, and what was superseded or forgotten brings none", async () => {
  const { model, told } = listeningModel();
  const { client } = await serviceForTest({ environment: EMPTY, overrides: { model } });
  await client.setAccess({ agentId: "assistant", namespace: "pets", allowed: true });
  const ask = async () => {
    await client.chat({ agentId: "assistant", query: QUERY });
    return told().map((line) => JSON.parse(line) as object);
  };
  const line = { n: 1, namespace: "pets" };
  await client.capture({ ...CAT, key: "cat", occurredAt: "2025-03-08" });
  expect(await ask()).toEqual([{ ...line, content: CAT.content, date: "2025-03-08" }]);
  await client.capture({ ...CAT, key: "cat", content: "The user adopted two cats." });
  expect(await ask()).toEqual([{ ...line, content: "The user adopted two cats." }]);
  const { memory } = await client.capture({ ...CAT, key: "cat", occurredAt: "2025-04-01" });
  expect(await ask()).toEqual([{ ...line, content: CAT.content, date: "2025-04-01" }]);
  await client.forgetMemory(memory);
  expect(await ask()).toEqual([]);
});

test("the day of an encrypted fact is told to who may use it, and stands in no receipt or public blob", async () => {
  const { model, told } = listeningModel();
  const environment = { ...EMPTY, ENCRYPTION_KEY: "0a".repeat(32) };
  const { client, url } = await serviceForTest({ environment, overrides: { model } });
  await client.putNamespace({ name: "pets" }, { encrypted: true });
  await client.setAccess({ agentId: "assistant", namespace: "pets", allowed: true });
  const { memory } = await client.capture({ ...CAT, occurredAt: "1987-03-08" });
  const { receipt } = await client.chat({ agentId: "assistant", query: QUERY });
  expect(told()).toEqual(['{"n":1,"namespace":"pets","content":"The user adopted a cat.","date":"1987-03-08"}']);
  const { storeBlob } = await client.anchorOnChain({ answerId: receipt.answerId, sealed: true });
  const blobs = [storeBlob, memory.storeRef].map(async (id) => (await fetch(`${url}/v1/blobs/${id}`)).text());
  for (const text of [JSON.stringify(receipt), ...(await Promise.all(blobs))]) expect(text).not.toContain("1987");
  await client.setAccess({ agentId: "assistant", namespace: "pets", allowed: false });
  await client.chat({ agentId: "assistant", query: QUERY });
  expect(told()).toEqual([]);
});
