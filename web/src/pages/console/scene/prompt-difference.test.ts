import { expect, test } from "vitest";
import { promptDifference } from "./prompt-bytes.tsx";

const line = (n: number, content: string) => `{"n":${n},"namespace":"x","content":"${content}"}`;
const prompt = (...lines: readonly string[]) => ["<memories>", ...lines, "</memories>"].join("\n");
const kinds = (before: string, now: string) => promptDifference(before, now).map(({ kind }) => kind);

test("a memory that was withdrawn is a removed line, and those after it are renumbered", () => {
  const before = prompt(line(1, "allergy"), line(2, "dinner"), line(3, "runs"));
  const now = prompt(line(1, "dinner"), line(2, "runs"), line(3, "car"));
  expect(promptDifference(before, now)).toEqual([
    { kind: "same", text: "<memories>" },
    { kind: "removed", text: line(1, "allergy") },
    { kind: "renumbered", text: line(1, "dinner") },
    { kind: "renumbered", text: line(2, "runs") },
    { kind: "added", text: line(3, "car") },
    { kind: "same", text: "</memories>" },
  ]);
});

test("the same prompt has no difference, and two without a common line are removed and added", () => {
  expect(kinds(prompt(line(1, "a")), prompt(line(1, "a")))).toEqual(["same", "same", "same"]);
  expect(kinds("a", "b")).toEqual(["removed", "added"]);
});
