// Temporary folders. The bench removes them when it exits, however it ends.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

/** Of Linux. What is there is never on a disk. */
const IN_MEMORY = "/dev/shm";

export function createTemporaryFolder({ inMemory = false } = {}): string {
  const parent = inMemory && existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir();
  const folder = mkdtempSync(join(parent, "portcullis-bench-"));
  folders.add(folder);
  return folder;
}

/** Call this only when no process writes there any more. */
export function removeTemporaryFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.clear();
}
