import { expect, test } from "vitest";
import { PortcullisError } from "#core/errors.ts";
import { isLost } from "./failures.ts";

test.for([
  ["Connection terminated unexpectedly", true],
  ["read ECONNRESET", true],
  // The server is silent: each further try would wait as long again.
  ["Connection terminated due to connection timeout", false],
  ["timeout exceeded when trying to connect", false],
  ["Query read timeout", false],
] as const)("after “%s”, a session counts as lost: %s", ([message, expected]) => {
  const error = new Error(message);
  expect(isLost(error)).toBe(expected);
  expect(isLost(new PortcullisError("records-unavailable", "x", { cause: error }))).toBe(expected);
});
