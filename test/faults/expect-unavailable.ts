import { expect } from "vitest";
import { expectProblem } from "#test/support/bodies.ts";
import type { Answer } from "#test/support/send.ts";

/** Expects the answer of a service without its database: 503, when to ask again, and nothing of the database's error. */
export function expectUnavailable(answer: Answer): void {
  expectProblem(answer, 503, "records-unavailable");
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/no such table|ECONN|sqlite|\.ts|node:/i);
}
