import { expect, test } from "vitest";
import { paths } from "#contract/paths.ts";
import { activityKind, EXPIRY, type Outcome } from "./activity-kind.ts";

test("each outcome has its kind, and a change is told apart by its route", () => {
  const kindOf = (outcome: Outcome, route = "chat") => activityKind({ outcome, route });
  expect(
    (["answered", "broken-off", "given", "captured", "anchored"] as const).map((outcome) => kindOf(outcome)),
  ).toEqual(["answer", "answer", "read", "capture", "anchor"]);
  expect([kindOf("refused", "setAccess"), kindOf("failed", "forgetMemory")]).toEqual(["refusal", "failure"]);
  expect(kindOf("changed", "setAccess")).toBe("policy");
  expect(kindOf("changed", EXPIRY)).toBe("forgetting");
  expect(kindOf("changed", "createKey")).toBe("setting");
});

test("every route that forgets is a forgetting", () => {
  const routes = Object.keys(paths).filter((route) => route.startsWith("forget"));
  expect(routes.map((route) => activityKind({ outcome: "changed", route }))).toEqual(routes.map(() => "forgetting"));
});
