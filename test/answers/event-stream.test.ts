// POST /api/chat and /api/companion as server-sent events.
import { describe, expect, test } from "vitest";
import type { CompleteOptions, LanguageModel } from "#ports.ts";
import { GOOD_BODIES } from "#test/support/bodies.ts";
import { connectTo, post, problemIn } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const EVENTS = { accept: "text/event-stream" };

/** The events of a complete stream. */
function eventsIn(text: string): { name: string; data: Record<string, unknown> }[] {
  return text.split("\n\n").flatMap((block) => {
    const [, name = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
    return name === "" ? [] : [{ name, data: JSON.parse(data) }];
  });
}

function modelSaying(...pieces: string[]): LanguageModel {
  return {
    name: "pieces",
    async complete(_, { onText }: CompleteOptions) {
      for (const piece of pieces) onText?.(piece);
      return { text: pieces.join(""), model: "pieces" };
    },
  };
}

describe("An answer as events", () => {
  test.for(["/api/chat", "/api/companion"] as const)(
    "%s: has tokens, then one answer with what the JSON reply holds",
    async (path) => {
      const { url, deps } = await serviceForTest({ overrides: { model: modelSaying("Fish,\n", "my ", "friend 🐟.") } });
      const answer = await post(`${url}${path}`, GOOD_BODIES[path], EVENTS);
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toBe("text/event-stream");
      const events = eventsIn(answer.text);
      const last = events.at(-1);
      expect(events.slice(0, -1).every(({ name }) => name === "token")).toBe(true);
      expect(events.slice(0, -1).map(({ data }) => data.text)).toEqual(["Fish,\n", "my ", "friend 🐟."]);
      expect(last).toMatchObject({
        name: "answer",
        data: { answer: "Fish,\nmy friend 🐟.", receipt: { answerId: expect.stringMatching(/^ans_/) } },
      });
      const { answerId } = (last?.data.receipt ?? {}) as { answerId: string };
      expect(await deps.records.receipts.isIssued(answerId, "something else")).toBe(false);
    },
  );

  test("has the companion's opening as its first token", async () => {
    const { url, client } = await serviceForTest({ overrides: { model: modelSaying("Rest well.") } });
    await client.setAccess({ agentId: "companion", namespace: "health", allowed: false });
    const events = eventsIn((await post(`${url}/api/companion`, { query: "Tired?" }, EVENTS)).text);
    expect(events[0]?.data.text).toMatch(/^You have closed health to me/);
    const tokens = events.filter(({ name }) => name === "token").map(({ data }) => data.text);
    expect(events.at(-1)?.data.answer).toBe(tokens.join(""));
  });

  test("fails with an ordinary problem before the first token, and with a problem event after it", async () => {
    let pieces = 0;
    const model: LanguageModel = {
      name: "failing",
      async complete(_, { onText }) {
        for (let i = 0; i < pieces; i++) onText?.("word ");
        throw new Error("canary");
      },
    };
    const { url } = await serviceForTest({ overrides: { model } });
    const early = await post(`${url}/api/chat`, GOOD_BODIES["/api/chat"], EVENTS);
    expect(problemIn(early)).toMatchObject({ status: 500, code: "internal" });
    pieces = 2;
    const late = await post(`${url}/api/chat`, GOOD_BODIES["/api/chat"], EVENTS);
    expect(late.status).toBe(200);
    expect(eventsIn(late.text).map(({ name }) => name)).toEqual(["token", "token", "problem"]);
    expect(late.text).not.toContain("canary");
  });

  test("fails with an ordinary problem when the input is not valid", async () => {
    const { url } = await serviceForTest();
    expect(problemIn(await post(`${url}/api/chat`, {}, EVENTS))).toMatchObject({ code: "invalid-request" });
  });

  test.for([
    ["JSON", ""],
    ["events", "accept: text/event-stream\r\n"],
  ] as const)("a client that goes away aborts the call of the model: %s", async ([, accept]) => {
    const asked = Promise.withResolvers<AbortSignal | undefined>();
    const model: LanguageModel = {
      name: "waiting",
      complete: (_, { signal }) => {
        asked.resolve(signal);
        return new Promise((__, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const { url } = await serviceForTest({ overrides: { model } });
    const { socket, write } = await connectTo(url);
    const body = JSON.stringify(GOOD_BODIES["/api/chat"]);
    const head = `content-type: application/json\r\ncontent-length: ${body.length}\r\n${accept}`;
    write(`POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n${body}`);
    const signal = await asked.promise;
    socket.resetAndDestroy();
    await expect.poll(() => signal?.aborted).toBe(true);
  });
});
