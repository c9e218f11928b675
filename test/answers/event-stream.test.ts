// POST /api/chat and /api/companion as server-sent events.
import { describe, expect, test } from "vitest";
import type { CompleteOptions, LanguageModel } from "#ports.ts";
import { GOOD_BODIES } from "#test/support/bodies.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { connectTo, eventsIn, exchange, post, problemIn } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const EVENTS = { accept: "text/event-stream" };

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
      const { url, tenant } = await serviceForTest({
        overrides: { model: modelSaying("Fish,\n", "my ", "friend 🐟.") },
      });
      const answer = await post(`${url}${path}`, GOOD_BODIES[path], EVENTS);
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toBe("text/event-stream");
      const events = eventsIn(answer.text);
      const last = events.at(-1);
      expect(events.map(({ name }) => name)).toEqual(["gate", "token", "token", "token", "answer"]);
      expect(events.slice(1, -1).map(({ data }) => data.text)).toEqual(["Fish,\n", "my ", "friend 🐟."]);
      expect(last).toMatchObject({
        name: "answer",
        data: { answer: "Fish,\nmy friend 🐟.", receipt: { answerId: expect.stringMatching(/^ans_/) } },
      });
      const { answerId } = (last?.data.receipt ?? {}) as { answerId: string };
      expect(await tenant.records.receipts.isIssued(answerId, "something else")).toBe(false);
    },
  );

  test.for(["/api/chat", "/api/companion"] as const)(
    "%s/stream gives them whatever the header Accept says, to the same callers and once for an Idempotency-Key",
    async (path) => {
      const { url, adminKey, keyFor } = await keyedServiceForTest();
      const ask = (bearer: string, more: object = {}, at = `${path}/stream`) =>
        post(`${url}${at}`, GOOD_BODIES[path], { authorization: `Bearer ${bearer}`, ...more });
      const streamed = await ask(adminKey, { accept: "application/json", "idempotency-key": "once" });
      expect(streamed.headers["content-type"]).toBe("text/event-stream");
      const last = eventsIn(streamed.text).at(-1);
      expect(last).toMatchObject({ name: "answer", data: { answer: expect.any(String) } });
      expect((await ask(adminKey, { "idempotency-key": "once" }, path)).status).toBe(200);
      expect((await ask((await keyFor("auditor")).key)).status).toBe(403);
      expect((await ask("portcullis_unknown")).status).toBe(401);
      const wrong = await post(`${url}${path}/stream`, { x: 1 }, { authorization: `Bearer ${adminKey}` });
      expect(problemIn(wrong)).toMatchObject({ status: 400, code: "invalid-request" });
    },
  );

  test("has the companion's opening as its first token", async () => {
    const { url, client } = await serviceForTest({ overrides: { model: modelSaying("Rest well.") } });
    await client.setAccess({ agentId: "companion", namespace: "health", allowed: false });
    const events = eventsIn((await post(`${url}/api/companion`, { query: "Tired?" }, EVENTS)).text);
    expect(events[1]?.data.text).toMatch(/^You have closed health to me/);
    const tokens = events.filter(({ name }) => name === "token").map(({ data }) => data.text);
    expect(events.at(-1)?.data.answer).toBe(tokens.join(""));
  });

  test("fails with a problem event, before the first token and after it, and the decision log has the failure", async () => {
    let pieces = 0;
    const model: LanguageModel = {
      name: "failing",
      async complete(_, { onText }) {
        for (let i = 0; i < pieces; i++) onText?.("word ");
        throw new Error("canary");
      },
    };
    const { url, client } = await serviceForTest({ overrides: { model } });
    const early = await post(`${url}/api/chat`, GOOD_BODIES["/api/chat"], EVENTS);
    expect(early.status).toBe(200);
    expect(eventsIn(early.text)).toMatchObject([
      { name: "gate" },
      { name: "problem", data: { status: 500, code: "internal" } },
    ]);
    const { decisions } = await client.listDecisions();
    expect(decisions.filter(({ outcome }) => outcome === "failed")).toMatchObject([{ route: "chat" }]);
    pieces = 2;
    const late = await post(`${url}/api/chat`, GOOD_BODIES["/api/chat"], EVENTS);
    expect(late.status).toBe(200);
    expect(eventsIn(late.text).map(({ name }) => name)).toEqual(["gate", "token", "token", "problem"]);
    expect(late.text).not.toContain("canary");
  });

  test("fails with an ordinary problem when the request is not good", async () => {
    const { url, keyFor } = await keyedServiceForTest();
    const planner = await keyFor("agent:planner");
    const problemOf = async (body: unknown, headers: object = {}) =>
      problemIn(await post(`${url}/api/chat`, body, { ...EVENTS, authorization: `Bearer ${planner.key}`, ...headers }));
    expect(await problemOf({})).toMatchObject({ status: 400, code: "invalid-request" });
    expect(await problemOf({ agentId: "another", query: "Hello?" })).toMatchObject({ status: 403, code: "forbidden" });
    expect(await problemOf({}, { authorization: "Bearer wrong" })).toMatchObject({ status: 401 });
    const keyed = { "idempotency-key": "once" };
    await post(
      `${url}/api/chat`,
      { agentId: "planner", query: "Hello?" },
      { authorization: `Bearer ${planner.key}`, ...keyed },
    );
    expect(await problemOf({ agentId: "planner", query: "Bye?" }, keyed)).toMatchObject({ status: 422 });
  });

  test("begins before the model has said anything, and is not to be buffered on its way", async () => {
    const said = Promise.withResolvers<void>();
    const model: LanguageModel = {
      name: "slow",
      async complete() {
        await said.promise;
        return { text: "Fish.", model: "slow" };
      },
    };
    const { url } = await serviceForTest({ overrides: { model } });
    const init = { method: "POST", headers: { ...EVENTS, "content-type": "application/json" } };
    const response = await fetch(`${url}/api/chat`, { ...init, body: JSON.stringify(GOOD_BODIES["/api/chat"]) });
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let rest = (await reader?.read())?.value ?? "";
    expect(rest).toMatch(/^: \n\n/);
    said.resolve();
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) rest += read.value;
    expect(eventsIn(rest).at(-1)).toMatchObject({ name: "answer", data: { answer: "Fish." } });
  });

  test("needs no chunked encoding: over HTTP/1.0, as nginx asks, the connection ends it", async () => {
    const { url } = await serviceForTest({ overrides: { model: modelSaying("Fish, ", "my friend.") } });
    const body = JSON.stringify(GOOD_BODIES["/api/chat"]);
    const head = ["POST /api/chat HTTP/1.0", "Host: 127.0.0.1", "Connection: close", "Accept: text/event-stream"];
    const sent = [...head, "Content-Type: application/json", `Content-Length: ${body.length}`, "", body];
    const reply = await exchange(url, sent.join("\r\n"));
    expect(reply).not.toMatch(/transfer-encoding/i);
    const [, events = ""] = reply.split("\r\n\r\n");
    expect(eventsIn(events).map(({ name }) => name)).toEqual(["gate", "token", "token", "answer"]);
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
