// Clients of OpenAI's as people have them get gated memory by another address and key.
import { createOpenAI } from "@ai-sdk/openai";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, OpenAIChatCompletionsModel, Runner, tool } from "@openai/agents";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { type KeyedService, startKeyedService } from "#test/support/start-keyed-service.ts";

let provider: OpenAiStandIn;
let service: KeyedService;
let apiKey: string;

beforeAll(async () => {
  provider = await startOpenAiStandIn();
  service = await startKeyedService({
    environment: { MODEL_BASE_URL: provider.baseUrl, MODEL_NAME: "m", MODEL_API_KEY: "key-of-provider", SEED: "none" },
  });
  await service.admin.capture({ namespace: "diet", content: "Peanuts are bad for me.", sourceAgent: "s" });
  await service.admin.capture({ namespace: "safe", content: "canary 4711", sourceAgent: "s" });
  await service.admin.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
  apiKey = (await service.keyFor("agent:assistant")).key;
});
beforeEach(() => {
  provider.reset();
  provider.knobs.answer = ({ user }) => (user.includes("Peanuts are bad") ? "No peanuts." : "I do not know.");
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

const QUESTION = "Are peanuts good for me?";
const baseURL = () => `${service.url}/v1`;

function expectGated(): void {
  expect(provider.received.length).toBeGreaterThan(0);
  for (const { headers, body } of provider.received) {
    expect(headers.authorization).toBe("Bearer key-of-provider");
    expect(body.toString()).not.toContain(apiKey);
    expect(body.toString()).not.toContain("canary");
  }
}

test("openai: a completion, a stream, tools, models, and errors that it knows", async () => {
  const client = new OpenAI({ baseURL: baseURL(), apiKey, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: QUESTION }];
  const { data, response } = await client.chat.completions.create({ model: "m", messages }).withResponse();
  expect(data.choices[0]?.message.content).toBe("No peanuts.");
  const answerId = response.headers.get("portcullis-receipt") ?? "";
  expect((await service.admin.getReceipt({ answerId })).receipt.usedMemories).toHaveLength(1);

  let text = "";
  for await (const chunk of await client.chat.completions.create({ model: "m", messages, stream: true }))
    text += chunk.choices[0]?.delta.content ?? "";
  expect(text).toBe("No peanuts.");
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["m"]);

  provider.knobs.calls = (request) =>
    (request as { messages: { role: string }[] }).messages.some(({ role }) => role === "tool")
      ? []
      : [{ id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Lisbon"}' } }];
  const runner = client.chat.completions.runTools({
    model: "m",
    messages,
    tools: [
      {
        type: "function",
        function: {
          name: "weather",
          description: "The weather.",
          parameters: { type: "object", properties: { city: { type: "string" } } },
          parse: JSON.parse,
          function: ({ city }: { city: string }) => `Sun in ${city}.`,
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBe("No peanuts.");
  expectGated();

  await expect(client.chat.completions.create({ model: "other", messages })).rejects.toThrow(OpenAI.NotFoundError);
  const wrong = new OpenAI({ baseURL: baseURL(), apiKey: "pk_wrong", maxRetries: 0 });
  await expect(wrong.models.list()).rejects.toThrow(OpenAI.AuthenticationError);
  await expect(client.chat.completions.create({ model: "m", messages, web_search_options: {} })).rejects.toMatchObject({
    status: 400,
    code: "invalid-request",
    param: "web_search_options",
  });
});

test("the provider of the AI SDK: a text and a stream", async () => {
  const model = createOpenAI({ baseURL: baseURL(), apiKey }).chat("m");
  expect((await generateText({ model, prompt: QUESTION })).text).toBe("No peanuts.");
  expect(await streamText({ model, prompt: QUESTION }).text).toBe("No peanuts.");
  expectGated();
});

test("ChatOpenAI of LangChain: an answer and a stream", async () => {
  const model = new ChatOpenAI({ model: "m", apiKey, configuration: { baseURL: baseURL() }, maxRetries: 0 });
  expect((await model.invoke(QUESTION)).content).toBe("No peanuts.");
  let text = "";
  for await (const { content } of await model.stream(QUESTION)) text += content;
  expect(text).toBe("No peanuts.");
  expectGated();
});

test("@openai/agents: a run with a tool, each of whose calls recalls again", async () => {
  const client = new OpenAI({ baseURL: baseURL(), apiKey, maxRetries: 0 });
  provider.knobs.calls = (request) =>
    (request as { messages: { role: string }[] }).messages.some(({ role }) => role === "tool")
      ? []
      : [{ id: "c1", type: "function", function: { name: "clock", arguments: "{}" } }];
  const agent = new Agent({
    name: "Cook",
    instructions: "Be brief.",
    model: new OpenAIChatCompletionsModel(client as never, "m"),
    tools: [tool({ name: "clock", description: "The time.", parameters: z.object({}), execute: () => "noon" })],
  });
  const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, QUESTION);
  expect(finalOutput).toBe("No peanuts.");
  expect(provider.received).toHaveLength(2);
  for (const { body } of provider.received) expect(body.toString()).toContain("Peanuts are bad");
  expectGated();
});
