import { describe, expect, test } from "vitest";
import type { Check } from "#core/verify/check.ts";
import { disagreements } from "./disagreements.ts";

type Named = Pick<Check, "name" | "status" | "index">;

const memories = (...statuses: Check["status"][]): Named[] =>
  statuses.map((status, index) => ({ name: "memory", status, index }));
const checks = (digest: Check["status"], ...rest: Named[]): Named[] => [
  { name: "object", status: "pass" },
  { name: "digest", status: digest },
  ...rest,
];

describe("Disagreements of browser and service", () => {
  test("are none when every check has the same result", () => {
    const both = checks("fail", ...memories("pass", "unknown"));
    expect(disagreements(both, both)).toEqual([]);
  });

  test("leave out the checks that only the service makes", () => {
    const both = checks("pass");
    expect(disagreements(both, [...both, { name: "id", status: "fail" }])).toEqual([]);
  });

  test("name each check and each memory", () => {
    const ours = checks("fail", ...memories("pass", "fail"));
    const theirs = checks("pass", ...memories("pass", "pass"));
    expect(disagreements(ours, theirs)).toEqual([
      { about: "Is this the text that was anchored?", browser: "fail", service: "pass" },
      { about: "Memory 2", browser: "fail", service: "pass" },
    ]);
  });

  test("merge all memories into one row when one side checked none", () => {
    const ours = checks("pass", { name: "memory", status: "unknown" });
    const theirs = checks("pass", ...memories("pass", "pass", "fail"));
    const about = "Are the memories what it shows?";
    expect(disagreements(ours, theirs)).toEqual([{ about, browser: "unknown", service: "2 pass, 1 fail" }]);
    expect(disagreements(theirs, ours)).toEqual([{ about, browser: "2 pass, 1 fail", service: "unknown" }]);
  });
});
