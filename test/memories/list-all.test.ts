// GET /api/memories: all memories, newest first, as a stream with backpressure.
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { Memory } from "#core/memory.ts";
import type { DeploymentRecords } from "#ports.ts";
import { type Answer, connectTo, send } from "#test/support/send.ts";
import { serviceForTest, sharedService } from "#test/support/service.ts";
import { spyOnConsole } from "#test/support/spy-on-console.ts";
import { waitFor } from "#test/support/wait-for.ts";

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
  await service.tenant.records.reset(facts, policy, { by: "test", at: "2026-05-01T10:00:00.000Z" });
  return service;
}

test("with 30,000 memories the list has all of them, newest first, as they were stored, and so do its pages", async () => {
  const { url, client } = await serviceWith(memories(MANY));
  const { headers, text } = await send(`${url}/api/memories`);
  expect(headers["content-type"]).toBe("application/json");
  const body = JSON.parse(text);
  expect(Object.keys(body)).toEqual(["memories"]);
  expect(body.memories).toEqual(memories(MANY).reverse());

  const walked: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listMemories({ limit: 999, ...(cursor !== undefined && { cursor }) });
    expect(page.memories.length).toBeLessThanOrEqual(999);
    walked.push(...page.memories.map(({ memoryId }) => memoryId));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(walked).toEqual(body.memories.map(({ memoryId }: Memory) => memoryId));
});

describe("pages", () => {
  const seeded = sharedService();

  test.for([1, 6, 7, 13, 14, 15, 1_000])("of %i give all 14 memories, and the last has no cursor", async (limit) => {
    const { client } = seeded();
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

  test("may be asked for with a cursor alone", async () => {
    const { client } = await serviceWith(memories(300));
    const { nextCursor = "" } = await client.listMemories({ limit: 10 });
    const page = await client.listMemories({ cursor: nextCursor });
    expect(page.memories[0]?.memoryId).toBe(memory(290).memoryId);
    expect(page.memories.length).toBeLessThan(290);
    expect(page.nextCursor).toBeDefined();
  });

  test("neither lose nor repeat a memory if others are captured in between", async () => {
    const { client } = await serviceWith(memories(10));
    const first = await client.listMemories({ limit: 5 });
    await client.capture({ namespace: "n", content: "In between.", sourceAgent: "teller" });
    const second = await client.listMemories({ limit: 10, cursor: first.nextCursor });
    expect([...first.memories, ...second.memories]).toEqual(memories(10).reverse());
  });
});

test.for([0, 1, 500, 501, 1_000])("a list of %i memories is complete", async (count) => {
  const { url } = await serviceWith(memories(count));
  const { text } = await send(`${url}/api/memories`);
  expect(JSON.parse(text)).toEqual({ memories: memories(count).reverse() });
});

/** Records with a list of `pageCount` pages; `pages` says how many were read. */
function longList(
  pageCount: number,
  content: string,
): { records: DeploymentRecords; pages: () => number; begin(): void } {
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

/** Enough for any work that needs only turns of the event loop. */
async function manyTurns(): Promise<void> {
  for (let i = 0; i < 1_000; i++) await turn();
}

describe("the stream", () => {
  test("reads no more pages after its client leaves", async () => {
    const { records, pages, begin } = longList(1_000, "x".repeat(1_000));
    const { url } = await serviceForTest({ overrides: { records } });
    begin();
    const { socket, write } = await connectTo(url);
    write("GET /api/memories HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    await waitFor(() => expect(pages()).toBeGreaterThan(1));
    socket.destroy();
    await send(`${url}/livez`);
    await manyTurns();
    const read = pages();
    await send(`${url}/livez`);
    await manyTurns();
    expect(pages()).toBe(read);
    expect(read).toBeLessThan(1_000);
  });

  test("waits for a slow client instead of buffering", async () => {
    // 200 pages of 500 memories of 4,000 characters: 400 MB, of which the system's socket buffers hold a few.
    const { records, pages, begin } = longList(200, "x".repeat(4_000));
    const { url } = await serviceForTest({ overrides: { records } });
    begin();
    const { socket, write } = await connectTo(url);
    write("GET /api/memories HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    await waitFor(() => expect(pages()).toBeGreaterThan(1));
    for (let i = 0; i < 50; i++) await send(`${url}/livez`);
    await manyTurns();
    expect(pages()).toBeLessThan(20);
    socket.destroy();
  });

  test.for([1, 2, 3, 10])("that fails at page %i does not look complete, and the failure is logged", async (broken) => {
    const written = spyOnConsole();
    const { records, pages, begin } = longList(20, "short");
    const readPage: typeof records.memories.page = async (page) => {
      const found = await records.memories.page(page);
      if (pages() === broken) throw new Error("canary");
      return found;
    };
    const memories = { ...records.memories, page: readPage };
    const { url, logLines } = await serviceForTest({ overrides: { records: { ...records, memories } } });
    begin();
    // Before the first byte a failure is a problem; later the connection breaks.
    const ended = ({ status, text }: Answer) => `${status}, ending in ${text.slice(-40)}`;
    const outcome = await send(`${url}/api/memories`).then(ended, () => "broken off");
    expect(outcome).toMatch(broken === 1 ? /^500, / : /^broken off$/);
    expect(outcome).not.toContain("canary");
    expect((await send(`${url}/livez`)).status).toBe(200);
    expect(logLines.filter((line) => JSON.parse(line).level >= 50)).toHaveLength(1);
    expect(logLines.join()).not.toContain("canary");
    expect(written()).toEqual([]);
  });
});
