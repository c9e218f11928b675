// Temporary folders. The bench removes them when it exits, however it ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-bench-"));
  folders.add(folder);
  return folder;
}

/** Call this only when no process writes there any more. */
export function removeTemporaryFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.clear();
}
