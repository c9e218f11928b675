import { expect, test } from "vitest";
import { readQuery } from "./read-input.ts";

const KNOWN = ["limit", "viewAs"];
const read = (query: string) => readQuery(`http://localhost/api/memories${query}`, KNOWN);

function faultsOf(query: string): unknown {
  try {
    return read(query);
  } catch (error) {
    return (error as { fields: unknown }).fields;
  }
}

test("known parameters are read", () => {
  expect(read("?limit=1&viewAs=a%20b")).toEqual({ limit: "1", viewAs: "a b" });
  expect(read("")).toEqual({});
});

test("an unknown parameter is refused by its name", () => {
  const detail = "is not a parameter of this route, which takes limit, viewAs";
  expect(faultsOf("?dryRun=a&limit=1")).toEqual([{ parameter: "dryRun", detail }]);
  expect(faultsOf("?__proto__=a")).toEqual([{ parameter: "__proto__", detail }]);
  expect(faultsOf("?=a")).toEqual([{ parameter: "", detail }]);
});

test("a parameter with a mistake is refused, and the error names the right one", () => {
  const detail = "is not a parameter of this route; did you mean viewAs?";
  expect(faultsOf("?view=a")).toEqual([{ parameter: "view", detail }]);
  expect(faultsOf("?viewas=a")).toEqual([{ parameter: "viewas", detail }]);
});

test("a repeated parameter is refused, also when it has the same value", () => {
  expect(faultsOf("?limit=1&limit=1")).toEqual([{ parameter: "limit", detail: "must be given once" }]);
});

test("many and long faults are cut", () => {
  const many = Array.from({ length: 50 }, (_, i) => `p${i}=`).join("&");
  expect(faultsOf(`?${many}`)).toHaveLength(20);
  expect(faultsOf(`?${"x".repeat(500)}=`)).toMatchObject([{ parameter: "x".repeat(64) }]);
});
