import fc from "fast-check";
import { expect, test } from "vitest";
import { createClient } from "./client.ts";

/** A service that has these memories, in pages of the requested length. A cursor is the place of the next one. */
function clientOf(memories: readonly string[]) {
  const urls: URL[] = [];
  const client = createClient({
    baseUrl: "http://service.test",
    fetch: async (input) => {
      const url = new URL(String(input));
      urls.push(url);
      const from = Number(url.searchParams.get("cursor") ?? 0);
      const to = from + Number(url.searchParams.get("limit"));
      const next = to < memories.length ? { nextCursor: String(to) } : {};
      return Response.json({ memories: memories.slice(from, to), uses: memories.slice(from, to), ...next });
    },
  });
  return { client, urls };
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

test("all() gives every element once and in order, whatever the length of a page", async () => {
  const lists = fc.array(fc.string(), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 8 }), async (memories, limit) => {
      const { client, urls } = clientOf(memories);
      expect(await collect(client.listMemories.all({ limit, namespace: "n" }))).toEqual(memories);
      expect(urls).toHaveLength(Math.max(1, Math.ceil(memories.length / limit)));
      expect(urls.every(({ searchParams }) => searchParams.get("namespace") === "n")).toBe(true);
    }),
  );
});

test("pages() begins at a cursor, asks for a bounded page, and requests no page that nobody asks for", async () => {
  const { client, urls } = clientOf(Array.from({ length: 250 }, (_, i) => `m${i}`));
  for await (const { memories, nextCursor } of client.listMemories.pages({ cursor: "100" })) {
    expect([memories[0], memories.length, nextCursor]).toEqual(["m100", 100, "200"]);
    break;
  }
  expect(urls).toHaveLength(1);
});

test("a list that belongs to something names it in every request", async () => {
  const { client, urls } = clientOf(["a", "b", "c"]);
  expect(await collect(client.listUses.all({ memoryId: "mem_1" }, { limit: 2 }))).toEqual(["a", "b", "c"]);
  expect(urls.map(({ pathname }) => pathname)).toEqual(Array(2).fill("/api/memories/mem_1/uses"));
});

test("an iteration ends with its signal", async () => {
  const controller = new AbortController();
  const client = createClient({
    baseUrl: "http://service.test",
    fetch: async (_, init) => {
      init?.signal?.throwIfAborted();
      return Response.json({ memories: ["m"], nextCursor: "1" });
    },
  });
  const seen: unknown[] = [];
  async function read() {
    for await (const memory of client.listMemories.all({}, { signal: controller.signal })) {
      seen.push(memory);
      if (seen.length === 3) controller.abort(new Error("enough"));
    }
  }
  await expect(read()).rejects.toThrow("enough");
  expect(seen).toHaveLength(3);
});
