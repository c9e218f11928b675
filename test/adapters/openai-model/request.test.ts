// What the endpoint receives.
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openAiCompatibleModel } from "#adapters/model/openai-compatible/openai-model.ts";
import { hostileTexts } from "#test/support/arbitraries.ts";
import { type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { KEY, PROMPT, STREAMED, WHOLE } from "./fixture.ts";

let standIn: OpenAiStandIn;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
});
afterEach(() => standIn.reset());
afterAll(() => standIn.close());

const create = () => openAiCompatibleModel({ baseUrl: standIn.baseUrl, model: "configured", apiKey: KEY });

test("sends the prompt's two messages, byte for byte, and nothing else", async () => {
  const model = create();
  // The user message is never empty: renderPrompt puts tags into it.
  const prompts = fc.record({ system: hostileTexts, user: hostileTexts.map((text) => `<memories>${text}`) });
  await fc.assert(
    fc.asyncProperty(prompts, fc.boolean(), async (prompt, isStreamed) => {
      standIn.reset();
      await model.complete(prompt, isStreamed ? STREAMED : WHOLE);
      expect(standIn.received.map(({ json }) => json)).toEqual([
        {
          model: "configured",
          messages: [
            { role: "system", content: prompt.system },
            { role: "user", content: prompt.user },
          ],
          ...(isStreamed && { stream: true }),
        },
      ]);
    }),
  );
});

test("sends the key, and no headers that tell about the service", async () => {
  await create().complete(PROMPT, WHOLE);
  const { host, connection, "content-length": length, ...headers } = standIn.received[0]?.headers ?? {};
  expect(headers).toEqual({
    authorization: `Bearer ${KEY}`,
    "content-type": "application/json",
    "user-agent": "portcullis",
    "accept-encoding": "identity",
  });
});

test("sends the length of the body, counted in bytes", async () => {
  await create().complete({ ...PROMPT, user: "東京都 🦜" }, WHOLE);
  const { body, headers } = standIn.received[0] ?? {};
  expect(headers?.["content-length"]).toBe(String(body?.length));
  expect(headers?.["transfer-encoding"]).toBeUndefined();
});

test("sends no authorization without a key, and a limit of tokens only when one is set", async () => {
  const model = openAiCompatibleModel({ baseUrl: `${standIn.baseUrl}/`, model: "m", maxOutputTokens: 99 });
  await model.complete(PROMPT, WHOLE);
  expect(standIn.received[0]?.headers).not.toHaveProperty("authorization");
  expect(standIn.received[0]?.json).toMatchObject({ max_tokens: 99 });
  expect(standIn.received[0]?.path).toBe("/v1/chat/completions");
});
