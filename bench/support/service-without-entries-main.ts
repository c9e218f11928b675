// The service without entries for its transparency log, to see what they cost.
import { replaceLine } from "#test/support/replace-line.ts";

replaceLine(
  "/shared/logs/log-entries.ts",
  "const batches = Math.ceil(entries.length / MOST_IN_BATCH);",
  "const batches = 0;",
);
await import("../../src/main.ts");
