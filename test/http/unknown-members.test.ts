// What a request says and no route takes is refused: somebody means it, `dryRun` for example, and a caller who is not told
// that it does not count loses what it was meant to keep.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Place, RouteName } from "#contract/paths.ts";
import { routes } from "#contract/routes.ts";
import { expectProblem, GOOD_BODIES, RECEIPT } from "#test/support/bodies.ts";
import { runs } from "#test/support/runs.ts";
import { type Answer, post, problemIn, send } from "#test/support/send.ts";
import { changingNothing, type Service, startService } from "#test/support/service.ts";
import { openApiDocument } from "../../scripts/openapi/document.ts";
import { operationExample } from "../../scripts/openapi/examples.ts";

const ROUTES = Object.entries(routes) as [RouteName, Place][];
/** The body is read by the handler, or is lines: these have tests of their own. */
const OF_LINES = ["importMemories", "importRecords"];
const withJson = ROUTES.filter(([name, { method }]) => method !== "GET" && !OF_LINES.includes(name));

/** A path of the route, with parameters that could be ones. */
const pathOf = ({ path }: Place): string =>
  path
    .replace("{keyId}", "key_00000000000")
    .replace("{proposalId}", `prop_${"0".repeat(26)}`)
    .replace("{webhookId}", `hook_${"0".repeat(24)}`)
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
        body: '{"dry_run":true,"__proto__":{"allowed":true},"constructor":null,"toJSON":"no"}',
      });
      expectProblem(answer, 400, "invalid-request", "#/dry_run");
      const pointers = errorsIn(answer).map(({ pointer }) => pointer);
      expect([name, ...pointers]).toEqual(
        expect.arrayContaining([name, "#/dry_run", "#/__proto__", "#/constructor", "#/toJSON"]),
      );
    }
  });
});

test("A member that a route does not take is refused beside members that are all right", async () => {
  await changingNothing(service, async () => {
    for (const [path, body] of Object.entries({ ...GOOD_BODIES, "/api/memories/forget": { namespace: "diet" } })) {
      const answer = await post(`${service.url}${path}`, { ...body, colour: true });
      expect([path, errorsIn(answer)]).toEqual([
        path,
        [{ pointer: "#/colour", detail: `is not a member of this object, which takes ${MEMBERS[path]}` }],
      ]);
    }
  });
});

const MEMBERS: Readonly<Record<string, string>> = {
  "/api/chat":
    "agentId, query, messages, pace, namespacePrefix, sourceAgent, occurredFrom, occurredTo, metadata, asOf, minRelevance",
  "/api/companion": "query, pace",
  "/api/recall":
    "agentId, query, messages, limit, namespacePrefix, sourceAgent, occurredFrom, occurredTo, metadata, asOf, minRelevance, receipt",
  "/api/conversations":
    "agentId, messages, conversationId, namespaces, defaultNamespace, includeAssistant, userName, mode",
  "/api/memories": "namespace, content, sourceAgent, key, supersedes, expiresAt, ttl, occurredAt, metadata",
  "/api/policy": "agentId, namespace, allowed, allowConfusable",
  "/api/policy/batch": "rules, allowConfusable, ifVersion",
  "/api/anchor": "receipt, answerId, sealed",
  "/api/anchor-chain": "receipt, answerId, sealed, claimNamespaces",
  "/api/memories/forget":
    "namespace, namespacePrefix, sourceAgent, occurredFrom, occurredTo, metadata, before, reason, dryRun, cursor",
};

type Node = Readonly<Record<string, unknown>>;
type Step = string | number;

/** A body that each route takes; those of the documentation, and some that are deeper. */
const BODIES = new Map<RouteName, unknown>([
  ...withJson.map(([name]) => [name, operationExample(name)?.body ?? {}] as const),
  ["recall", { agentId: "assistant", query: "When?", messages: [{ role: "user", content: "The flight." }] }],
  ["anchorReceipt", { receipt: RECEIPT }],
  [
    "putTemplate",
    {
      rules: [{ agentId: "support", namespace: "orders", allowed: true }],
      namespaces: [{ name: "orders", retentionSeconds: 60 }],
      quotas: { memories: 1_000 },
    },
  ],
  [
    "verifyWithOpening",
    { opening: { v: 2, seed: "00", salts: { a: "00" }, names: [{ name: "a", salt: "00" }], values: { b: {} } } },
  ],
]);

/** Names that are not ours: of a receipt's further fields, and of the fields that an opening discloses. */
const isOpen = (path: readonly Step[]): boolean =>
  path[0] === "receipt" || /^opening\/(?:salts|values)/.test(path.join("/"));

function objectsIn(value: unknown, path: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value !== "object" || value === null || isOpen(path)) return [];
  const inside = Object.entries(value).flatMap(([key, each]) =>
    objectsIn(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? inside : [path, ...inside];
}

/** The value with another member in the object at the path. An assignment of `__proto__` would set the prototype. */
function withMember(value: unknown, [step, ...rest]: readonly Step[], name: string): unknown {
  if (step === undefined) return { ...(value as Node), ...Object.fromEntries([[name, true]]) };
  const changed = withMember((value as Node)[step], rest, name);
  return Array.isArray(value) ? value.with(Number(step), changed) : { ...(value as Node), [step]: changed };
}

const PLACES = [...BODIES].flatMap(([route, body]) => objectsIn(body).map((path) => ({ route, body, path })));
const escaped = (step: Step) => encodeURIComponent(String(step).replaceAll("~", "~0").replaceAll("/", "~1"));
const pointerTo = (path: readonly Step[]) => `#${path.map((step) => `/${escaped(step)}`).join("")}`;

test("A valid body with one unknown member, at any depth of any route, is a 400 that names it, and nothing changes", async () => {
  expect(new Set(PLACES.map(({ route }) => route))).toEqual(new Set(withJson.map(([name]) => name)));
  expect(PLACES.filter(({ path }) => path.length > 1).length).toBeGreaterThan(3);
  await changingNothing(service, async () => {
    for (const { route, body, path } of PLACES) {
      const known = Object.keys(path.reduce<unknown>((node, step) => (node as Node)[step], body) as Node);
      const given = fc.oneof(
        fc.constantFrom("__proto__", "constructor", "toString", "dry_run", "", "a/b~c", "#"),
        fc.string({ unit: "grapheme", maxLength: 30 }),
        fc.constantFrom("X", ...known).map((name) => `${name}_`),
      );
      const property = fc.asyncProperty(given, async (name) => {
        fc.pre(!known.includes(name) && !TAKEN.has(name));
        const answer = await send(`${service.url}${pathOf(routes[route])}`, {
          method: routes[route].method,
          headers: { "content-type": "application/json" },
          body: JSON.stringify(withMember(body, path, name)),
        });
        expectProblem(answer, 400, "invalid-request");
        expect([route, errorsIn(answer).map(({ pointer }) => pointer)]).toEqual([route, [pointerTo([...path, name])]]);
      });
      await fc.assert(property, { numRuns: runs(40, 6) });
    }
  });
});

/** Names that some object takes. */
const TAKEN = new Set(["key", "ttl", "id"]);

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

test("What the client throws names the field, and the nearest one", async () => {
  const { client } = service;
  const asked = { agentId: "assistant", query: "What do I eat?", namespace: "diet" };
  await expect(client.recall(asked)).rejects.toThrow(
    /^namespace is not a member of this object; did you mean namespacePrefix\?$/,
  );
  const all = { dry_run: "true" } as object;
  await expect(client.listMemories(all)).rejects.toThrow("dry_run is not a parameter of this route, which takes limit");
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

test.each(["/livez", "/readyz", "/openapi.json", "/llms.txt", "/log/checkpoint", "/log/tile/0/000.p/1", "/v1/models"])(
  "A parameter of %s, which takes none, is refused by its name",
  async (path) => {
    const answer = await send(`${service.url}${path}?dry_run=true`, { headers: { "portcullis-agent": "assistant" } });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("dry_run")]);
  },
);

test("A parameter that a route does not take is refused by its name, on every route, and nothing changes", async () => {
  await changingNothing(service, async () => {
    for (const [name, place] of ROUTES) {
      const answer = await send(`${service.url}${pathOf(place)}?dry_run=true`, { method: place.method });
      expectProblem(answer, 400, "invalid-request");
      expect([name, ...errorsIn(answer).map(({ parameter }) => parameter)]).toEqual([name, "dry_run"]);
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
