import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { routes } from "./routes.ts";

/** A client whose requests are noted and answered with `response`. */
function clientWith(response: () => Response) {
  const requests: Request[] = [];
  const client = createClient({
    baseUrl: "http://service.test",
    fetch: async (input, init) => {
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
});
