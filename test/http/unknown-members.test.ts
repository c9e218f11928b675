// What a request says and no route takes is refused: somebody means it, `dryRun` for example, and a caller who is not told
// that it does not count loses what it was meant to keep.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiDocument } from "#contract/openapi/document.ts";
import type { Place, RouteName } from "#contract/paths.ts";
import { routes } from "#contract/routes.ts";
import { expectProblem, GOOD_BODIES, RECEIPT } from "#test/support/bodies.ts";
import { type Answer, post, problemIn, send } from "#test/support/send.ts";
import { changingNothing, type Service, startService } from "#test/support/service.ts";

const ROUTES = Object.entries(routes) as [RouteName, Place][];
/** The body is read by the handler, or is lines: these have tests of their own. */
const OF_LINES = ["importMemories", "importRecords"];
const withJson = ROUTES.filter(([name, { method }]) => method !== "GET" && !OF_LINES.includes(name));

/** A path of the route, with parameters that could be ones. */
const pathOf = ({ path }: Place): string =>
  path
    .replace("{keyId}", "key_00000000000")
    .replace(/\{(?:objectId|receiptId)\}/, `0x${"0".repeat(64)}`)
    .replace("{digest}", "1".repeat(32))
    .replaceAll(/\{\w+\}/g, "unheardOf");

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const errorsIn = (answer: Answer) => problemIn(answer).errors ?? [];

test("A member that a route does not take is refused by its name, on every route, and nothing changes", async () => {
  await changingNothing(service, async () => {
    for (const [name, place] of withJson) {
      const answer = await send(`${service.url}${pathOf(place)}`, {
        method: place.method,
        headers: { "content-type": "application/json" },
        body: '{"dryRun":true,"__proto__":{"allowed":true},"constructor":null,"toJSON":"no"}',
      });
      expectProblem(answer, 400, "invalid-request", "#/dryRun");
      const pointers = errorsIn(answer).map(({ pointer }) => pointer);
      expect([name, ...pointers]).toEqual(
        expect.arrayContaining([name, "#/dryRun", "#/__proto__", "#/constructor", "#/toJSON"]),
      );
    }
  });
});

test("A member that a route does not take is refused beside members that are all right", async () => {
  await changingNothing(service, async () => {
    for (const [path, body] of Object.entries({ ...GOOD_BODIES, "/api/memories/forget": { namespace: "diet" } })) {
      const answer = await post(`${service.url}${path}`, { ...body, dryRun: true });
      expect([path, errorsIn(answer)]).toEqual([
        path,
        [{ pointer: "#/dryRun", detail: `is not a member of this object, which takes ${MEMBERS[path]}` }],
      ]);
    }
  });
});

const MEMBERS: Readonly<Record<string, string>> = {
  "/api/chat": "agentId, query",
  "/api/companion": "query",
  "/api/recall": "agentId, query, limit, namespacePrefix, receipt",
  "/api/memories": "namespace, content, sourceAgent, key, supersedes, expiresAt, ttl",
  "/api/policy": "agentId, namespace, allowed, allowConfusable",
  "/api/policy/batch": "rules, allowConfusable",
  "/api/anchor": "receipt, answerId, sealed",
  "/api/anchor-chain": "receipt, answerId, sealed, claimNamespaces",
  "/api/memories/forget": "namespace, sourceAgent, before, reason, cursor",
};

test("A line of an import of facts with such a member is refused, and the other lines are not", async () => {
  const { url, client } = service;
  const before = (await client.listMemories()).memories.length;
  const fact = { namespace: "diet", content: "Soup on Mondays.", sourceAgent: "assistant" };
  const answer = await send(`${url}/api/memories/import`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: [{ ...fact, supersede: "mem_1" }, fact].map((line) => JSON.stringify(line)).join("\n"),
  });
  const [first, second] = answer.text.trim().split("\n");
  expect(JSON.parse(first ?? "").problem.errors).toEqual([
    { pointer: "#/supersede", detail: "is not a member of this object; did you mean supersedes?" },
  ]);
  expect(JSON.parse(second ?? "").memory).toMatchObject(fact);
  expect((await client.listMemories()).memories).toHaveLength(before + 1);
});

test("The nearest name is named", async () => {
  const { url } = service;
  const answer = await post(`${url}/api/memories/forget`, { namspace: "diet", sourceagent: "assistant" });
  expect(errorsIn(answer)).toEqual([
    { pointer: "#/namspace", detail: "is not a member of this object; did you mean namespace?" },
    { pointer: "#/sourceagent", detail: "is not a member of this object; did you mean sourceAgent?" },
  ]);
});

test("Many and long names are cut", async () => {
  const { url } = service;
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}${"x".repeat(500)}`, 1]));
  const errors = errorsIn(await post(`${url}/api/memories/forget`, many));
  expect(errors).toHaveLength(20);
  for (const { pointer = "" } of errors) expect(pointer.length).toBeLessThanOrEqual(2 + 64);
});

test("A receipt to anchor keeps its unknown fields: they belong to its bytes", async () => {
  const { url } = service;
  expect((await post(`${url}/api/anchor`, { receipt: { ...RECEIPT, dryRun: true } })).status).toBe(200);
});

test("A parameter that a route does not take is refused by its name, on every route, and nothing changes", async () => {
  await changingNothing(service, async () => {
    for (const [name, place] of ROUTES) {
      const answer = await send(`${service.url}${pathOf(place)}?dryRun=true`, { method: place.method });
      expectProblem(answer, 400, "invalid-request");
      expect([name, ...errorsIn(answer).map(({ parameter }) => parameter)]).toEqual([name, "dryRun"]);
    }
  });
});

test("Every object that a route takes in its body is closed in openapi.json, but for receipts", () => {
  type Schema = { readonly [key: string]: unknown };
  const { paths, components } = openApiDocument("0.0.0") as unknown as {
    paths: Record<string, Record<string, { requestBody?: object }>>;
    components: { schemas: Schema };
  };
  const openObjects: string[] = [];
  const seen = new Set<unknown>();
  function walk(where: string, value: unknown): void {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const schema = value as Schema;
    if (schema.properties !== undefined && schema.additionalProperties !== false) openObjects.push(where);
    const { example: _, ...rest } = schema;
    for (const [key, each] of Object.entries(rest)) walk(`${where}/${key}`, each);
    const name = typeof schema.$ref === "string" ? schema.$ref.replace("#/components/schemas/", "") : undefined;
    if (name !== undefined) walk(name, components.schemas[name]);
  }
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(operations)) walk(`${method} ${path}`, requestBody);
  expect(openObjects.filter((where) => !/receipt/i.test(where))).toEqual([]);
  expect(openObjects).not.toEqual([]);
});
