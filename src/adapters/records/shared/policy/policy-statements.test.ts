import { expect, test } from "vitest";
import { toChangePage } from "./policy-statements.ts";

const change = (version: number, namespace: string) => ({
  version,
  agentId: "a",
  namespace,
  from: null,
  to: true,
  by: "b",
  at: "2026-01-02T03:04:05.678Z",
});

test("the last page names no next one", () => {
  const rows = [change(2, "x"), change(1, "x")];
  expect(toChangePage(rows, { limit: 2 })).toEqual({ changes: rows });
});

test("a page that ends inside a version says how many of its rules came before, on this page and on earlier ones", () => {
  const rows = [change(3, "x"), change(2, "x"), change(2, "y"), change(2, "z")];
  expect(toChangePage(rows, { limit: 3 }).next).toEqual({ version: 2, rules: 2 });
  const rest = [change(2, "z"), change(2, "zz")];
  expect(toChangePage(rest, { limit: 1, from: { version: 2, rules: 2 } }).next).toEqual({ version: 2, rules: 3 });
});
