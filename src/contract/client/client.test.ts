import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { routes } from "#contract/routes.ts";
import { createClient } from "./client.ts";

/** A client whose requests are noted and answered with `response`. */
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

describe("the client", () => {
  it("has one function a route", () => {
    expect(Object.keys(createClient()).sort()).toEqual([...Object.keys(routes), "importMemories"].sort());
  });

  it("sends JSON to the route's path and gives back its reply", async () => {
    const { client, requests } = clientWith(() => Response.json({ policy: {}, version: 3 }));
    const rule = { agentId: "a", namespace: "n", allowed: false };
    expect(await client.setAccess(rule)).toEqual({ policy: {}, version: 3 });
    const [request] = requests;
    expect([request?.method, request?.url]).toEqual(["POST", "http://service.test/api/policy"]);
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(await request?.json()).toEqual(rule);
  });

  it("sends a query without what is undefined, and no body where there is none", async () => {
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

  it("turns a problem into an error that has its code and its fields", async () => {
    const problem = {
      type: "urn:portcullis:problem:invalid-request",
      title: "T",
      status: 400,
      code: "invalid-request",
      detail: "D",
      errors: [{ pointer: "#/query", detail: "is required" }],
    };
    const headers = { "content-type": "application/problem+json" };
    const { client } = clientWith(() => new Response(JSON.stringify(problem), { status: 400, headers }));
    await expect(client.companion({ query: "" })).rejects.toMatchObject({
      name: "ProblemError",
      message: "D",
      status: 400,
      code: "invalid-request",
      problem,
    });
  });

  it("says so when an error is no problem of ours", async () => {
    const { client } = clientWith(
      () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }),
    );
    await expect(client.getPolicy()).rejects.toMatchObject({ status: 502, code: "unexpected-response" });
  });

  it("carries no schemas: nothing that it imports imports zod", () => {
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

/** Asks for pieces, and gives what was told and how it ended. */
async function told(events: string) {
  const stream = () => new Response(events, { headers: { "content-type": "text/event-stream" } });
  const { client, requests } = clientWith(stream);
  const said: string[] = [];
  const ending = await client
    .chat({ agentId: "a", query: "q" }, { onText: (piece) => said.push(piece), onRestart: () => said.push("RESTART") })
    .catch((error: unknown) => error);
  return { said, ending, requests };
}

describe("an answer in pieces", () => {
  it("is asked for as events, told piece by piece, and whole at the end", async () => {
    const { said, ending, requests } = await told(
      eventOf("token", { text: "Fish,\n" }) + eventOf("token", { text: "🐟" }) + eventOf("answer", ANSWER),
    );
    expect(requests[0]?.headers.get("accept")).toBe("text/event-stream");
    expect(await requests[0]?.json()).toEqual({ agentId: "a", query: "q" });
    expect([said, ending]).toEqual([["Fish,\n", "🐟"], ANSWER]);
  });

  it("tells when it is made anew", async () => {
    const token = (text: string) => eventOf("token", { text });
    const { said, ending } = await told(
      token("old") + eventOf("restart", {}) + token("new") + eventOf("answer", ANSWER),
    );
    expect([said, ending]).toEqual([["old", "RESTART", "new"], ANSWER]);
  });

  it("ends in a problem, or in an error when it breaks off", async () => {
    const problem = await told(eventOf("token", { text: "Fish" }) + eventOf("problem", PROBLEM));
    expect(problem.said).toEqual(["Fish"]);
    expect(problem.ending).toMatchObject({ name: "ProblemError", code: "model-failed", message: "The model failed." });
    expect((await told(eventOf("token", { text: "Fish" }))).ending).toMatchObject({
      message: expect.stringContaining("broke off"),
    });
  });

  it("is not asked for in pieces when nobody listens", async () => {
    const { client, requests } = clientWith(() => Response.json(ANSWER));
    expect(await client.companion({ query: "q" })).toEqual(ANSWER);
    expect(requests[0]?.headers.get("accept")).not.toBe("text/event-stream");
  });

  it("is given up with the signal's reason", async () => {
    const controller = new AbortController();
    const { client } = clientWith(() => Response.json(ANSWER));
    controller.abort(new Error("left the page"));
    const asked = client.chat({ agentId: "a", query: "q" }, { signal: controller.signal, onText: () => undefined });
    await expect(asked).rejects.toThrow("left the page");
  });
});
