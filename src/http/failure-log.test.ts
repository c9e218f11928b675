import { expect, test } from "vitest";
import { PortcullisError, storageFull } from "#core/errors.ts";
import type { Log } from "#log.ts";
import { createFailureLog } from "./router.ts";

test("a full disk is logged once a minute, with the number of requests that failed; other failures are all logged", () => {
  const lines: object[] = [];
  const log = { error: (line: object) => void lines.push(line) } as unknown as Log;
  let now = 0;
  const logFailure = createFailureLog(log, () => now);
  const fail = (error: Error) => logFailure({ requestId: "r", route: "/", error }, "request failed");
  const [full, lost] = [storageFull(), new PortcullisError("storage-lost", "Gone.")];
  for (let i = 0; i < 1_000; i += 1) fail(full);
  expect(lines).toEqual([{ requestId: "r", route: "/", error: full, failures: 1 }]);
  fail(lost);
  expect(lines).toHaveLength(2);
  now += 60_000;
  fail(full);
  expect(lines.at(-1)).toMatchObject({ error: full, failures: 1_000 });
  for (let i = 0; i < 3; i += 1) fail(new Error("another"));
  expect(lines).toHaveLength(6);
});
