import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "./statistics.ts";

/** The time of a small durable write to the disk that holds the database. */
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
