import { expect, test } from "vitest";
import { readFilters } from "./use-filters.ts";

const DEFINITIONS = { q: {}, namespace: {}, anchored: { values: ["yes", "no"] } } as const;
const read = (query: string) => readFilters(DEFINITIONS, new URLSearchParams(query));

test("reads the filters that are defined, and ignores other parameters", () => {
  expect(read("q=tea&namespace=diet&anchored=yes&page=2")).toEqual({ q: "tea", namespace: "diet", anchored: "yes" });
});

test("ignores blank values, which the service refuses", () => {
  expect(read("q=%20&namespace=&anchored=")).toEqual({});
});

test("ignores a value that the filter does not have", () => {
  expect(read("anchored=maybe")).toEqual({});
});
