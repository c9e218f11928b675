// Requests to the gateway that are nearly right, from callers who may use one of two namespaces: none fails on our side, and
// no provider gets a memory beyond the gate.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostileTexts } from "#test/support/arbitraries.ts";
import { type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { runs, seed } from "#test/support/runs.ts";
import { post } from "#test/support/send.ts";
import { type Service, startService } from "#test/support/service.ts";

let provider: OpenAiStandIn;
let service: Service;

beforeAll(async () => {
  provider = await startOpenAiStandIn();
  service = await startService({ environment: { MODEL_BASE_URL: provider.baseUrl, MODEL_NAME: "m", SEED: "none" } });
  await service.client.capture({ namespace: "open", content: "The word is plain.", sourceAgent: "s" });
  await service.client.capture({ namespace: "closed", content: "The word is canary4711.", sourceAgent: "s" });
  await service.client.setAccess({ agentId: "assistant", namespace: "open", allowed: true });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

const REQUESTS = runs(5_000, 250);

const strange = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
const text = fc.oneof(fc.constant("What is the word?"), hostileTexts);
const content = fc.oneof(text, fc.array(fc.record({ type: fc.constant("text"), text }), { maxLength: 3 }), strange);
const message = fc.record({ role: fc.constantFrom("system", "user", "assistant", "tool", "root"), content });
const members = fc.dictionary(
  fc.constantFrom("stream", "tools", "n", "stop", "seed", "store", "metadata", "top_p", "__proto__", "x", "user"),
  strange,
  { maxKeys: 3 },
);
const bodies = fc
  .record({ model: fc.constantFrom("m", "m", "m", "other"), messages: fc.array(message, { maxLength: 4 }) })
  .chain((body) => members.map((more) => ({ ...more, ...body })));
const headers = fc.dictionary(
  fc.constantFrom("portcullis-query", "portcullis-buffer", "portcullis-agent", "accept"),
  fc.oneof(text.map(encodeURIComponentSafely), fc.constantFrom("true", "assistant", "closed", "%zz")),
  { maxKeys: 2 },
);

function encodeURIComponentSafely(value: string): string {
  return encodeURIComponent(value.toWellFormed()).slice(0, 2_000);
}

test(`${REQUESTS} requests that are nearly right`, async () => {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(bodies, headers, async (body, given) => {
      provider.reset();
      const sent = { authorization: "Bearer agent:assistant", ...given };
      const answer = await post(`${service.url}/v1/chat/completions`, body, sent);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 200) expect(JSON.parse(answer.text).error.code).toEqual(expect.any(String));
      expect(provider.bytes().includes("canary4711")).toBe(false);
      expect(answer.text).not.toContain("canary4711");
    }),
    { numRuns: REQUESTS, seed },
  );
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 400]));
});
