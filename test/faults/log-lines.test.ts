import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const LOG = new URL("../../src/log.ts", import.meta.url).href;

test("lines are written once and in order, also those of the turn in which the process exits", () => {
  const script = `
    const { createLog } = await import(${JSON.stringify(LOG)});
    const log = createLog({ level: "info" });
    for (const n of [1, 2]) log.info({ n }, "first turn");
    setImmediate(() => setImmediate(() => {
      log.info({ n: 3 }, "last turn");
      process.exit();
    }));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
  const lines = stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).n)).toEqual([1, 2, 3]);
});
