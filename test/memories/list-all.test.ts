// GET /api/memories: all of them, newest first, in a stream that runs no further ahead than the reader reads.
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/index.ts";
import type { Memory } from "#core/memory.ts";
import type { RecordStore } from "#ports.ts";
import { type Answer, connectTo, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";
import { spyOnConsole } from "#test/support/spy-on-console.ts";

const MANY = 30_000;

const memory = (number: number, content = `Fact ${number}, with “quotes”, \\ and \n.`): Memory => ({
  memoryId: `mem_${String(number).padStart(26, "0")}`,
  storeRef: `blob-${number}`,
  namespace: `n${number % 7}`,
  content,
  sourceAgent: "teller",
  createdAt: "2026-05-01T10:00:00.000Z",
  contentDigest: "00".repeat(32),
});

/** Oldest first. */
const memories = (count: number): Memory[] => Array.from({ length: count }, (_, i) => memory(i + 1));

async function serviceWith(facts: readonly Memory[]) {
  const service = await serviceForTest();
  const { policy } = await service.client.getPolicy();
  await service.deps.records.reset(facts, policy, { by: "test", at: "2026-05-01T10:00:00.000Z" });
  return service;
}

describe("With 30,000 memories", () => {
  test("the list has all of them, newest first, as they were stored", async () => {
    const { url } = await serviceWith(memories(MANY));
    const { headers, text } = await send(`${url}/api/memories`);
    expect(headers["content-type"]).toBe("application/json");
    const body = JSON.parse(text);
    expect(Object.keys(body)).toEqual(["memories"]);
    expect(body.memories).toEqual(memories(MANY).reverse());
  });

  test("pages walk the same sequence", async () => {
    const { client } = await serviceWith(memories(MANY));
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listMemories({ limit: 999, ...(cursor !== undefined && { cursor }) });
      expect(page.memories.length).toBeLessThanOrEqual(999);
      walked.push(...page.memories.map(({ memoryId }) => memoryId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const all = (await client.listMemories()).memories.map(({ memoryId }) => memoryId);
    expect(walked).toEqual(all);
  });
});

describe("Pages", () => {
  test.for([1, 6, 7, 13, 14, 15, 1_000])("of %i walk all 14, and the last has no cursor", async (limit) => {
    const { client } = await serviceForTest();
    const pages: Awaited<ReturnType<typeof client.listMemories>>[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listMemories({ limit, ...(cursor !== undefined && { cursor }) });
      pages.push(page);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toHaveLength(Math.ceil(14 / limit));
    expect(pages.flatMap((page) => page.memories)).toEqual((await client.listMemories()).memories);
  });

  test("with a cursor alone are pages too", async () => {
    const { client } = await serviceWith(memories(300));
    const { nextCursor = "" } = await client.listMemories({ limit: 10 });
    const page = await client.listMemories({ cursor: nextCursor });
    expect(page.memories[0]?.memoryId).toBe(memory(290).memoryId);
    expect(page.memories.length).toBeLessThan(290);
    expect(page.nextCursor).toBeDefined();
  });

  test("neither lose nor repeat a memory when others are captured meanwhile", async () => {
    const { client } = await serviceWith(memories(10));
    const first = await client.listMemories({ limit: 5 });
    await client.capture({ namespace: "n", content: "In between.", sourceAgent: "teller" });
    const second = await client.listMemories({ limit: 10, cursor: first.nextCursor });
    expect([...first.memories, ...second.memories]).toEqual(memories(10).reverse());
  });
});

test.for([0, 1, 500, 501, 1_000])("A list of %i memories is whole", async (count) => {
  const { url } = await serviceWith(memories(count));
  const { text } = await send(`${url}/api/memories`);
  expect(JSON.parse(text)).toEqual({ memories: memories(count).reverse() });
});

/** Records whose list is as long as it is asked for; `pages` counts how much of it was read. */
function endless(pageCount: number, content: string): { records: RecordStore; pages: () => number; begin(): void } {
  const records = sqliteRecords({ path: ":memory:" });
  let pages = 0;
  let begun = false;
  return {
    pages: () => pages,
    begin() {
      begun = true;
    },
    records: {
      ...records,
      memories: {
        ...records.memories,
        async page(page) {
          if (!begun) return records.memories.page(page);
          pages += 1;
          const found = Array.from({ length: page.limit }, (_, i) => memory(i, content));
          return pages < pageCount ? { memories: found, next: 1 } : { memories: found };
        },
      },
    },
  };
}

/** Time enough for anything that needs no more than turns of the event loop. */
async function manyTurns(): Promise<void> {
  for (let i = 0; i < 1_000; i++) await turn();
}

describe("The stream", () => {
  test("reads a page when the reader takes one, and no more once it leaves", async () => {
    const { records, pages, begin } = endless(1_000, "short");
    const { app } = await serviceForTest({ overrides: { records } });
    begin();
    const response = await app.request("http://127.0.0.1/api/memories");
    const reader = response.body?.getReader() ?? expect.fail("a list has a body");
    for (let taken = 1; taken <= 20; taken++) {
      await reader.read();
      await manyTurns();
      expect(pages()).toBeGreaterThanOrEqual(taken);
      expect(pages()).toBeLessThanOrEqual(taken + 3);
    }
    await reader.cancel();
    const read = pages();
    await manyTurns();
    expect(pages()).toBe(read);
  });

  test("waits for a slow client instead of piling up what it has not taken", async () => {
    // 200 pages of 500 memories of 4,000 characters: 400 MB, of which the system's own buffers hold a few.
    const { records, pages, begin } = endless(200, "x".repeat(4_000));
    const { url } = await serviceForTest({ overrides: { records } });
    begin();
    const { socket, write } = await connectTo(url);
    write("GET /api/memories HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    await vi.waitFor(() => expect(pages()).toBeGreaterThan(1));
    for (let i = 0; i < 50; i++) await send(`${url}/livez`);
    await manyTurns();
    expect(pages()).toBeLessThan(20);
    socket.destroy();
  });

  test.for([1, 2, 3, 10])(
    "that breaks at page %i is not taken for a whole list, and the log says so",
    async (broken) => {
      const written = spyOnConsole();
      const { records, pages, begin } = endless(20, "short");
      const readPage: typeof records.memories.page = async (page) => {
        const found = await records.memories.page(page);
        if (pages() === broken) throw new Error("canary");
        return found;
      };
      const memories = { ...records.memories, page: readPage };
      const { url, logLines } = await serviceForTest({ overrides: { records: { ...records, memories } } });
      begin();
      // Before anything was sent, a problem; after that, a connection that breaks off.
      const ended = ({ status, text }: Answer) => `${status}, ending in ${text.slice(-40)}`;
      const outcome = await send(`${url}/api/memories`).then(ended, () => "broken off");
      expect(outcome).toMatch(broken === 1 ? /^500, / : /^broken off$/);
      expect(outcome).not.toContain("canary");
      expect((await send(`${url}/livez`)).status).toBe(200);
      expect(logLines.filter((line) => JSON.parse(line).level >= 50)).toHaveLength(1);
      expect(logLines.join()).not.toContain("canary");
      expect(written()).toEqual([]);
    },
  );
});
