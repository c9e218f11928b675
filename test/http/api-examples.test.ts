import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { serviceForTest } from "#test/support/service.ts";
import { elideLike, parseElided, printElided } from "../../scripts/api-examples/elided-json.ts";
import { runExamples } from "../../scripts/api-examples/examples.ts";
import { stable } from "../../scripts/api-examples/stable.ts";

const DOCUMENT = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

test("docs/api.md shows what the service answers; run `npm run api-examples` when it does not", async () => {
  const { url } = await serviceForTest();
  const { examples } = await runExamples(DOCUMENT, url);
  expect(examples.length).toBe(DOCUMENT.match(/^```json$/gm)?.length);
  for (const { command, documented, answered } of examples) {
    expect(stable(answered), command).toEqual(stable(documented));
  }
});

test("parts that are left out of an example stay left out, and all others are shown", () => {
  const shown = '{\n  "a": [\n    1,\n    …\n  ],\n  …\n  "text": "abc…"\n}';
  const pattern = parseElided(shown);
  expect(printElided(elideLike(pattern, { a: [2, 3, 4], b: 5, text: "xyzuvw" }), shown)).toBe(
    '{\n  "a": [\n    2,\n    …\n  ],\n  …\n  "text": "xyz…"\n}',
  );
  // An object without a line of dots is shown with all its fields, so that a new one is noticed.
  expect(elideLike({ a: 1 }, { a: 2, b: 3 })).toEqual({ a: 2, b: 3 });
});

test("two runs differ in ids, times and keys, and in nothing else", () => {
  const entry = {
    memoryId: `mem_${"0".repeat(26)}`,
    createdAt: "2026-01-02T03:04:05.678Z",
    contentDigest: "a".repeat(64),
  };
  const other = { ...entry, memoryId: `mem_${"1".repeat(26)}`, createdAt: "2027-01-02T03:04:05.678Z" };
  expect(stable(entry)).toEqual(stable(other));
  expect(stable(entry)).not.toEqual(stable({ ...entry, contentDigest: "b".repeat(64) }));
  const evidence = { commitments: { "/answer": "a".repeat(64) } };
  expect(stable(evidence)).toEqual(stable({ commitments: { "/answer": "b".repeat(64) } }));
  expect(stable(evidence)).not.toEqual(stable({ commitments: { "/prompt": "a".repeat(64) } }));
});
