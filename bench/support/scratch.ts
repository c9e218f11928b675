// Temporary folders, gone when the bench is, however it ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

export function createScratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-bench-"));
  folders.add(folder);
  return folder;
}

/** Call it when nothing writes there any more. */
export function removeScratch(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.clear();
}
