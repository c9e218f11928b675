import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withExamples } from "./page-examples.ts";
import { vectorFiles } from "./vectors.ts";

const FOLDER = new URL("../../test/vectors/receipt-v2/", import.meta.url);
const PAGE = new URL("../../docs/proof.md", import.meta.url);

test.for(Object.entries(await vectorFiles()))("%s is what the service makes of these inputs", ([name, vectors]) => {
  expect(JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))).toEqual(JSON.parse(JSON.stringify(vectors)));
});

test("the examples of docs/proof.md are up to date", async () => {
  const page = readFileSync(PAGE, "utf8");
  expect(await withExamples(page)).toBe(page);
});
