// Memories of other products. The files were written by hand, from what the products' documentation says of them.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Product, readForeign } from "#core/transfer/foreign-memories.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { changingNothing, directoryForTest, serviceForTest } from "#test/support/service.ts";

const NOW = new Date("2026-01-02T03:04:05Z");

const read = (product: Product, file: unknown) => {
  const { facts, lost } = readForeign(product, typeof file === "string" ? file : JSON.stringify(file), NOW);
  return { facts, lost: Object.fromEntries(lost) };
};

const MEM0 = {
  count: 2,
  results: [
    {
      id: "4f2",
      memory: "Dev works at TechCorp as a senior engineer",
      user_id: "dev",
      metadata: { type: "professional", nested: { a: 1 } },
      categories: ["work", "people"],
      created_at: "2025-06-01T09:30:00-07:00",
      updated_at: "2025-06-02T09:30:00-07:00",
    },
    { id: "4f3", memory: "", user_id: "dev", created_at: "2025-06-01T09:30:00-07:00" },
  ],
};

test("mem0: the first category is the namespace, and times and metadata stay", () => {
  expect(read("mem0", MEM0)).toEqual({
    facts: [
      {
        namespace: "work",
        content: "Dev works at TechCorp as a senior engineer",
        occurredAt: "2025-06-01T16:30:00.000Z",
        metadata: { type: "professional", mem0_id: "4f2", user_id: "dev", categories: "work, people" },
      },
    ],
    lost: {
      "times of changes": 1,
      "values of metadata that are no text, number or boolean, or are too long": 1,
      "memories without a text, or with one that is too long": 1,
    },
  });
});

test("mem0: what has expired is not imported, what will expire still does, and relations are counted", () => {
  const memory = { memory: "Dev goes to the gym.", created_at: "2025-06-01T09:30:00Z" };
  const results = [
    { ...memory, expiration_date: "2025-12-31" },
    { ...memory, expiration_date: "2026-12-31" },
    { ...memory, expiration_date: "soon" },
  ];
  const fact = { namespace: "mem0", content: "Dev goes to the gym.", occurredAt: "2025-06-01T09:30:00.000Z" };
  // As programs on Windows write it.
  expect(read("mem0", `\uFEFF${JSON.stringify({ results, relations: [{ source: "dev", target: "tea" }] })}`)).toEqual({
    facts: [{ ...fact, expiresAt: "2026-12-31T00:00:00.000Z" }, fact],
    lost: { "facts that are not true any more": 1, "relations between memories": 1, "times that cannot be read": 1 },
  });
  expect(read("mem0", { results: [memory], relations: { added: [] } })).toEqual({ facts: [fact], lost: {} });
});

test("openmemory: the backup and its lines, without what was deleted", () => {
  const memory = { id: "1", content: "Likes tea.", metadata: {}, created_at: "2025-06-01T09:30:00+00:00" };
  const backup = {
    categories: [{ id: "c1", name: "food" }],
    apps: [{ id: "a1", name: "cursor" }],
    memories: [
      { ...memory, state: "active", app_id: "a1", category_ids: ["c1"] },
      { ...memory, id: "2", state: "deleted", app_id: "a1", category_ids: [] },
    ],
    access_controls: [{ id: "x" }],
    status_history: [],
  };
  const fact = { namespace: "food", content: "Likes tea.", occurredAt: "2025-06-01T09:30:00.000Z" };
  const metadata = { openmemory_id: "1", app: "cursor", categories: "food" };
  expect(read("openmemory", backup)).toEqual({
    facts: [{ ...fact, metadata }],
    lost: { "memories that were deleted or archived": 1, "access controls: say in the policy who may use what": 1 },
  });
  const lines = [
    { ...memory, state: "active", app: "cursor", categories: [] },
    { ...memory, id: "3", state: "archived" },
  ];
  expect(read("openmemory", lines.map((line) => JSON.stringify(line)).join("\n")).facts).toEqual([
    { ...fact, namespace: "cursor", metadata: { openmemory_id: "1", app: "cursor" } },
  ]);
});

test("chatgpt: what it remembered itself, and no message of a conversation", () => {
  const message = (role: string, text: string, recipient = "all") => ({
    message: {
      author: { role },
      create_time: 1_717_232_400.5,
      content: { content_type: "text", parts: [text] },
      recipient,
    },
  });
  const mapping = {
    root: { message: null },
    a: message("user", "I am allergic to peanuts."),
    b: message("assistant", "User is allergic to peanuts.", "bio"),
  };
  expect(read("chatgpt", [{ title: "Dinner", mapping }])).toEqual({
    facts: [
      {
        namespace: "chatgpt",
        content: "User is allergic to peanuts.",
        occurredAt: "2024-06-01T09:00:00.500Z",
        metadata: { conversation: "Dinner" },
      },
    ],
    lost: { "messages of conversations, which are no memories": 1 },
  });
});

test("langgraph: items of a store, as Portcullis' own store has them", () => {
  const item = { namespace: ["memories", "user 1"], key: "k", value: { text: "Likes tea." } };
  const times = { created_at: "2025-06-01T09:30:00.123456", updated_at: "2025-06-01T09:30:00.123456" };
  expect(read("langgraph", [{ ...item, ...times }])).toEqual({
    facts: [
      {
        namespace: "memories/user%201",
        key: "k",
        content: '{"text":"Likes tea."}',
        occurredAt: "2025-06-01T09:30:00.123Z",
      },
    ],
    lost: {},
  });
});

test("zep: facts that are true, with the time since when", () => {
  const edge = { uuid: "e1", name: "LIKES", fact: "Dev likes tea.", created_at: "2025-06-02T00:00:00Z" };
  const edges = [
    { ...edge, valid_at: "2025-06-01T00:00:00Z", attributes: { strength: 2 } },
    { ...edge, invalid_at: "2025-06-03T00:00:00Z" },
    { ...edge, invalid_at: "2027-06-03T00:00:00Z" },
    { ...edge, invalid_at: "2027-06-03T00:00:00Z", expired_at: "2025-12-31T00:00:00Z" },
  ];
  expect(read("zep", { edges })).toEqual({
    facts: [
      {
        namespace: "zep",
        content: "Dev likes tea.",
        occurredAt: "2025-06-01T00:00:00.000Z",
        metadata: { strength: 2, zep_uuid: "e1", relation: "LIKES" },
      },
      {
        namespace: "zep",
        content: "Dev likes tea.",
        occurredAt: "2025-06-02T00:00:00.000Z",
        metadata: { zep_uuid: "e1", relation: "LIKES" },
        expiresAt: "2027-06-03T00:00:00.000Z",
      },
    ],
    lost: { "facts that are not true any more": 2 },
  });
});

const NOTE = `---
title: Coffee
type: note
tags: [coffee, brewing]
permalink: drinks/coffee
created: 2025-06-01
---
# Coffee

Some prose.
## Observations
- [method] Pour over gives more clarity #brewing
## Relations
- relates_to [[Tea]]
`;

test("basic-memory: observations, each with the title of its note", () => {
  expect(read("basic-memory", NOTE)).toEqual({
    facts: [
      {
        namespace: "drinks",
        content: "Coffee: Pour over gives more clarity #brewing",
        occurredAt: "2025-06-01",
        metadata: { category: "method", permalink: "drinks/coffee", tags: "coffee, brewing", type: "note" },
      },
    ],
    lost: { "lines of notes that are no observations": 1, "relations between notes": 1 },
  });
});

test("hostile names and values become no namespace and no metadata", () => {
  const memory = JSON.parse(
    '{"memory":"x","categories":["\\u0000"],"metadata":{"__proto__":{"a":1},"constructor":"c"}}',
  );
  const [fact] = read("mem0", [memory]).facts;
  expect(fact?.namespace).toBe("mem0");
  expect(Object.entries(fact?.metadata ?? {})).toEqual([["constructor", "c"]]);
});

test("portcullis import --from says what it would do, and does it", async () => {
  const service = await serviceForTest({ environment: { SEED: "none" } });
  const folder = await directoryForTest();
  await writeFile(join(folder, "mem0.json"), JSON.stringify(MEM0));
  await mkdir(join(folder, "notes"));
  await writeFile(join(folder, "notes", "coffee.md"), NOTE);
  const run = (...args: string[]) => portcullis(["import", ...args, "--url", service.url, "--agent", "mover"]);
  const mem0 = ["--from", "mem0", join(folder, "mem0.json"), "--namespace-map", "work=job"];
  const planned = await changingNothing(service, () => run(...mem0, "--dry-run"));
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.err).toContain("Memories by namespace: job: 1.");
  expect(planned.err).toContain("Not imported: 1 memories without a text");
  expect(planned.err).toContain("1 would be imported, 0 failed");
  expect((await run(...mem0)).err).toContain("1 imported, 0 failed");
  expect(await run("--from", "basic-memory", join(folder, "notes"))).toMatchObject({ code: 0 });
  expect((await service.client.listMemories()).memories).toMatchObject([
    { namespace: "drinks", occurredAt: "2025-06-01", sourceAgent: "mover" },
    { namespace: "job", occurredAt: "2025-06-01T16:30:00.000Z", metadata: { mem0_id: "4f2" } },
  ]);
  expect(await run("--from", "zep", join(folder, "mem0.json"))).toMatchObject({ code: 1 });
  expect(await run("--from", "nobody", join(folder, "mem0.json"))).toMatchObject({ code: 2 });
});
