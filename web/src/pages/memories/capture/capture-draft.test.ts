import { expect, test } from "vitest";
import { ProblemError } from "#contract/problem.ts";
import { type CaptureDraft, faultsFrom, faultsOf, requestOf } from "./capture-draft.ts";

const fact = { namespace: "garden", sourceAgent: "planner", content: "The apple tree was planted in March." };
const draft: CaptureDraft = { ...fact, key: "", expiry: "", days: "", time: "" };
const faultyFields = (given: Partial<CaptureDraft>) =>
  Object.entries(faultsOf({ ...draft, ...given })).flatMap(([field, fault]) => (fault === undefined ? [] : [field]));

test("a draft without a key and an expiry sends neither", () => {
  expect(faultyFields({})).toEqual([]);
  expect(requestOf({ ...draft, days: "3", time: "2030-01-01T00:00" })).toEqual(fact);
});

test("days become seconds, and a local time becomes an instant", () => {
  expect(requestOf({ ...draft, key: "tree", expiry: "days", days: "1.5" })).toEqual({
    ...fact,
    key: "tree",
    ttl: 129_600,
  });
  const time = "2030-01-01T12:00";
  expect(requestOf({ ...draft, expiry: "time", time })).toEqual({ ...fact, expiresAt: new Date(time).toISOString() });
});

test("only the chosen kind of expiry can be at fault", () => {
  for (const days of ["", " ", "0", "-1", "x", "36501", "Infinity"])
    expect(faultyFields({ expiry: "days", days })).toEqual(["days"]);
  expect(faultyFields({ expiry: "time", time: "" })).toEqual(["time"]);
  expect(faultyFields({ expiry: "time", time: "2030-01-01T12:00", days: "x" })).toEqual([]);
  expect(faultyFields({ key: "a\u0000" })).toEqual(["key"]);
});

test("the service's faults stand at the fields of the form", () => {
  const errors = [
    { pointer: "#/expiresAt", detail: "must be in the future" },
    { pointer: "#/ttl", detail: "is too long" },
    { pointer: "#/supersedes", detail: "is shown nowhere" },
  ];
  const problem = { type: "", title: "", status: 400, detail: "", code: "invalid", errors };
  expect(faultsFrom(new ProblemError(problem as never))).toEqual({
    time: "must be in the future",
    days: "is too long",
  });
});
