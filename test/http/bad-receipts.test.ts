// Values that cannot be anchored: they are no receipts, or have no canonical JSON.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem, RECEIPT, spoiled } from "#test/support/bodies.ts";
import { post, problemIn } from "#test/support/send.ts";
import { changingNothing, type Service, startService } from "#test/support/service.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const anchor = (body: unknown) => changingNothing(service, () => post(`${service.url}/api/anchor`, body));

async function expectRefused(body: unknown, pointer: string): Promise<void> {
  expectProblem(await anchor(body), 400, "invalid-request", pointer);
}

const refusedAt = (pointer: string, value: unknown) =>
  expectRefused(spoiled(["/api/anchor", pointer], value), `#${pointer}`);

const [USED] = RECEIPT.usedMemories;

test("A body without a receipt is refused", () => expectRefused({}, "#/receipt"));

test("A receipt that is not an object is refused", async () => {
  for (const receipt of ["text", 0, null, [], true]) await expectRefused({ receipt }, "#/receipt");
});

describe("A receipt with too many used memories", () => {
  test("is refused for its size when 20,000 of them are complete", async () => {
    const body = { receipt: { ...RECEIPT, usedMemories: Array(20_000).fill(USED) } };
    expectProblem(await anchor(body), 413, "body-too-large");
  });

  test.for(["{}", "0", "[]", '""', "null"])(
    "is refused with at most 20 faults when each of 10,000 is %s",
    async (each) => {
      const list = Array(10_000).fill(each).join(",");
      const body = JSON.stringify({ receipt: { ...RECEIPT, usedMemories: [] } }).replace("[]", `[${list}]`);
      expect(Buffer.byteLength(body)).toBeLessThan(64 * 1024);
      const answer = await anchor(body);
      expectProblem(answer, 400, "invalid-request", "#/receipt/usedMemories");
      expect(problemIn(answer).errors?.length).toBeLessThanOrEqual(20);
    },
  );

  test("is refused when all of them fit into a body", async () => {
    const usedMemories = Array(600).fill({ ...USED, snippet: "", storeRef: "b" });
    await expectRefused({ receipt: { ...RECEIPT, usedMemories } }, "#/receipt/usedMemories");
  });
});

test("A receipt with too many blocked namespaces is refused", () =>
  refusedAt("/receipt/blockedNamespaces", Array(2_000).fill("health")));

describe("Strings of a receipt", () => {
  test.for([
    ["/receipt/answerId", ""],
    ["/receipt/answerId", "a".repeat(129)],
    ["/receipt/usedMemories/0/storeRef", ""],
    ["/receipt/usedMemories/0/storeRef", "b".repeat(257)],
    ["/receipt/usedMemories/0/snippet", "s".repeat(8_001)],
    ["/receipt/createdAt", ""],
    ["/receipt/createdAt", "yesterday"],
    ["/receipt/createdAt", "2026-13-01T10:00:00Z"],
    ["/receipt/createdAt", "2026-05-01"],
  ] as const)("%s is refused when it is '%s'", ([pointer, value]) => refusedAt(pointer, value));

  test.for(["/receipt/answerId", "/receipt/usedMemories/0/storeRef", "/receipt/usedMemories/0/snippet"])(
    "%s is refused with a control character",
    (pointer) => refusedAt(pointer, "a\u0000b"),
  );

  test.for(["/receipt/answerId", "/receipt/usedMemories/0/storeRef", "/receipt/usedMemories/0/snippet"])(
    "%s is refused with a lone surrogate",
    (pointer) => refusedAt(pointer, "a\ud800b"),
  );
});

describe("Unknown fields of a receipt belong to its bytes:", () => {
  test("a lone surrogate in one is refused, with a pointer to it", () =>
    expectRefused({ receipt: { ...RECEIPT, note: "a\udc00b" } }, "#/receipt/note"));

  test("a lone surrogate deep inside one is refused, with a pointer to it", () =>
    expectRefused({ receipt: { ...RECEIPT, "a/b": [{ "c~d": "\ud800" }] } }, "#/receipt/a~1b/0/c~0d"));

  test("a lone surrogate in the name of one is refused", async () => {
    const answer = await anchor({ receipt: { ...RECEIPT, "\ud800": 1 } });
    expectProblem(answer, 400, "invalid-request");
    expect(problemIn(answer).errors?.[0]?.pointer).toMatch(/^#\/receipt/);
  });

  test.for(["1e400", "-1e400"])("the number %s is refused, with a pointer to it", (number) =>
    expectRefused(
      JSON.stringify({ receipt: { ...RECEIPT, score: 0 } }).replace('"score":0', `"score":${number}`),
      "#/receipt/score",
    ),
  );
});
