import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { routes } from "#contract/routes.ts";
import { createClient } from "./client.ts";
import { sendRequest } from "./send-request.ts";

/** A client that records its requests and gets `response` for each. */
function clientWith(response: () => Response) {
  const requests: Request[] = [];
  const client = createClient({
    baseUrl: "http://service.test",
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted();
      requests.push(new Request(input, init));
      return response();
    },
  });
  return { client, requests };
}

describe("The client", () => {
  test("has one function for each route", () => {
    expect(Object.keys(createClient()).sort()).toEqual(Object.keys(routes).sort());
  });

  test("sends JSON to the route's path and gives back its reply", async () => {
    const { client, requests } = clientWith(() => Response.json({ policy: {}, version: 3 }));
    const rule = { agentId: "a", namespace: "n", allowed: false };
    expect(await client.setAccess(rule)).toEqual({ policy: {}, version: 3 });
    const [request] = requests;
    expect([request?.method, request?.url]).toEqual(["POST", "http://service.test/api/policy"]);
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(await request?.json()).toEqual(rule);
  });

  test("reads a response that has no stream, as those of React Native", async () => {
    const { client } = clientWith(() =>
      Object.defineProperty(Response.json({ policy: {}, version: 3 }), "body", { value: undefined }),
    );
    expect(await client.getPolicy()).toEqual({ policy: {}, version: 3 });
  });

  test("calls fetch as a function of its own: a browser refuses to run it as a method of something else", async () => {
    const receivers: unknown[] = [];
    const fetch = async function (this: unknown) {
      receivers.push(this);
      return Response.json({});
    };
    await createClient({ fetch }).getPolicy();
    await createClient({ fetch, bearer: "key" }).getPolicy();
    expect(receivers).toEqual([undefined, undefined]);
  });

  test("leaves undefined parameters out of the query, and sends no body where the route has none", async () => {
    const { client, requests } = clientWith(() => Response.json({ memories: [] }));
    await client.listMemories({ limit: 5, cursor: undefined });
    await client.listMemories();
    await client.resetDemo();
    expect(requests.map(({ url }) => url)).toEqual([
      "http://service.test/api/memories?limit=5",
      "http://service.test/api/memories",
      "http://service.test/api/reset",
    ]);
    expect(requests[2]?.body).toBeNull();
  });

  test.for(["PUT", "PATCH", "DELETE"] as const)(
    "calls a %s route with its parameters, query and body",
    async (method) => {
      const requests: Request[] = [];
      const service = {
        baseUrl: "http://service.test",
        retries: 0,
        timeoutMs: undefined,
        fetch: async (...args: Parameters<typeof fetch>) => {
          requests.push(new Request(...args));
          return new Response(null, { status: 204 });
        },
      };
      const sent = { params: { id: "a/b" }, query: { force: "yes" }, body: { text: "t" } };
      await sendRequest(service, { method, path: "/api/things/{id}" }, sent, () => undefined);
      const [request] = requests;
      expect([request?.method, request?.url]).toEqual([method, "http://service.test/api/things/a%2Fb?force=yes"]);
      expect(await request?.json()).toEqual({ text: "t" });
    },
  );

  test("sends no request whose parameter is a step up in the path: it would reach another route", async () => {
    const { client, requests } = clientWith(() => Response.json({}));
    const keyId = "key_00000000000";
    await expect(client.forgetByKey({ name: "..", key: keyId })).rejects.toThrow("cannot be a part of a path");
    await expect(client.getByKey({ name: "n", key: "." })).rejects.toThrow("cannot be a part of a path");
    expect(requests).toEqual([]);
  });

  test("turns a problem into an error that has its code and its fields", async () => {
    const problem = {
      type: "urn:portcullis:problem:invalid-request",
      title: "T",
      status: 400,
      code: "invalid-request",
      detail: "D",
      errors: [
        { pointer: "#/query", detail: "is required" },
        { pointer: "#", detail: "has too much" },
      ],
    };
    const headers = { "content-type": "application/problem+json" };
    const { client } = clientWith(() => new Response(JSON.stringify(problem), { status: 400, headers }));
    await expect(client.companion({ query: "" })).rejects.toMatchObject({
      name: "ProblemError",
      message: "query is required. The body has too much.",
      status: 400,
      code: "invalid-request",
      problem,
    });
  });

  test("says `unexpected-response` when an error is not a problem of the service", async () => {
    const { client } = clientWith(
      () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }),
    );
    await expect(client.getPolicy()).rejects.toMatchObject({ status: 502, code: "unexpected-response" });
  });

  test("carries no schemas: none of its imports reaches zod", () => {
    const seen = new Set<string>();
    function visit(file: URL): void {
      if (seen.has(file.href)) return;
      seen.add(file.href);
      for (const [, from = ""] of readFileSync(file, "utf8").matchAll(
        /^import (?!type\b)(?:[^;"]* from )?"([^"]+)";/gm,
      )) {
        expect(from, `${file.pathname} imports ${from}`).toMatch(/^[.#]/);
        visit(from.startsWith("#") ? new URL(`../../${from.slice(1)}`, import.meta.url) : new URL(from, file));
      }
    }
    visit(new URL("./client.ts", import.meta.url));
    expect(seen.size).toBeGreaterThan(4);
  });
});

const ANSWER = { answer: "Fish, my friend.", receipt: { answerId: "ans_1" } };
const PROBLEM = { type: "t", title: "T", status: 502, code: "model-failed", detail: "The model failed." };
const eventOf = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Asks for an answer in pieces. Gives the pieces, and the answer or the error at the end. */
async function listen(events: string) {
  const stream = () => new Response(events, { headers: { "content-type": "text/event-stream" } });
  const { client, requests } = clientWith(stream);
  const said: string[] = [];
  const ending = await client
    .chat({ agentId: "a", query: "q" }, { onText: (piece) => said.push(piece), onRestart: () => said.push("RESTART") })
    .catch((error: unknown) => error);
  return { said, ending, requests };
}

describe("An answer in pieces", () => {
  test("is requested as an event stream, and gives its pieces and then the whole answer", async () => {
    const { said, ending, requests } = await listen(
      eventOf("token", { text: "Fish,\n" }) + eventOf("token", { text: "🐟" }) + eventOf("answer", ANSWER),
    );
    expect(requests[0]?.headers.get("accept")).toBe("text/event-stream");
    expect(await requests[0]?.json()).toEqual({ agentId: "a", query: "q" });
    expect([said, ending]).toEqual([["Fish,\n", "🐟"], ANSWER]);
  });

  test("calls onRestart when the answer is made again", async () => {
    const token = (text: string) => eventOf("token", { text });
    const { said, ending } = await listen(
      token("old") + eventOf("restart", {}) + token("new") + eventOf("answer", ANSWER),
    );
    expect([said, ending]).toEqual([["old", "RESTART", "new"], ANSWER]);
  });

  test("ends with the problem of the service, or with an error when the stream breaks off", async () => {
    const problem = await listen(eventOf("token", { text: "Fish" }) + eventOf("problem", PROBLEM));
    expect(problem.said).toEqual(["Fish"]);
    expect(problem.ending).toMatchObject({ name: "ProblemError", code: "model-failed", message: "The model failed." });
    expect((await listen(eventOf("token", { text: "Fish" }))).ending).toMatchObject({
      name: "ConnectionError",
      code: "broken-off",
      message: expect.stringContaining("broke off"),
    });
  });

  test("is requested as JSON without a listener", async () => {
    const { client, requests } = clientWith(() => Response.json(ANSWER));
    expect(await client.companion({ query: "q" })).toEqual(ANSWER);
    expect(requests[0]?.headers.get("accept")).not.toBe("text/event-stream");
  });

  test("rejects with the reason of its signal", async () => {
    const controller = new AbortController();
    const { client } = clientWith(() => Response.json(ANSWER));
    controller.abort(new Error("left the page"));
    const asked = client.chat({ agentId: "a", query: "q" }, { signal: controller.signal, onText: () => undefined });
    await expect(asked).rejects.toThrow("left the page");
  });
});
