import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "./statistics.ts";

/** How long the disk under the database takes to make a small write durable. On a RAM disk, hardly any time. */
export function diskMs(folder: string): number {
  const file = openSync(join(folder, "disk"), "w");
  const page = Buffer.alloc(4_096);
  const times = Array.from({ length: 50 }, () => {
    const started = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return median(times);
}
