import { expect, test } from "vitest";
import { gatesNamed, readCommand } from "./commands.ts";

const NAMES = {
  agents: ["assistant", "planner", "for tests"],
  namespaces: ["health", "work", "work to do", "Finance"],
};
const named = (text: string, limit = 10) =>
  gatesNamed(text, NAMES, () => true, limit).map(({ namespace, agentId }) => `${namespace} > ${agentId}`);

test("reads a verb and what comes after it, in upper or lower case", () => {
  expect(readCommand("Close health to assistant")).toEqual({ verb: "close", rest: "health to assistant" });
  expect(readCommand(" revoke  work ")).toEqual({ verb: "close", rest: "work" });
  expect(readCommand("allow work for planner")).toEqual({ verb: "open", rest: "work for planner" });
  expect(readCommand("export")).toEqual({ verb: "export", rest: "" });
  expect(readCommand("forget peanut allergy")).toEqual({ verb: "forget", rest: "peanut allergy" });
});

test.for(["", "closed", "diet", "constructor", "__proto__ to x"])("takes “%s” for no command", (text) => {
  expect(readCommand(text)).toBeUndefined();
});

test("finds the gate that is named", () => {
  expect(named("health to assistant")).toEqual(["health > assistant"]);
  expect(named("finance for PLANNER")).toEqual(["Finance > planner"]);
});

test("finds a gate by the beginnings of its names", () => {
  expect(named("hea to pl")).toEqual(["health > planner"]);
  expect(named("health to")).toEqual(["health > assistant", "health > planner", "health > for tests"]);
  expect(named("health")).toEqual(named("health to"));
});

test("tells a word of a name from the word between two names", () => {
  expect(named("work to do to planner")).toEqual(["work to do > planner"]);
  expect(named("work to do for for tests")).toEqual(["work to do > for tests"]);
  expect(named("work to do")[0]).toBe("work to do > assistant");
});

test("finds only what is wanted, and no more than the limit", () => {
  const isOpen = ({ agentId }: { agentId: string }) => agentId === "planner";
  expect(gatesNamed("", NAMES, isOpen, 2)).toEqual([
    { agentId: "planner", namespace: "health" },
    { agentId: "planner", namespace: "work" },
  ]);
  expect(named("nothing to nobody")).toEqual([]);
});
