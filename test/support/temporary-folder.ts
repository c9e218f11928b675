// Where tests keep their files. In memory, if there is room: most of the time that a test with a database takes is
// spent waiting for the disk, and no test cuts the power.
import { readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const IN_MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 2 ** 30;

export function temporaryFolder(): string {
  // biome-ignore lint/style/noProcessEnv: Node reads this setting from the environment alone.
  if (process.env.TMPDIR !== undefined) return tmpdir();
  return isUsable() ? IN_MEMORY : tmpdir();
}

/** Programs are started from it, too. */
function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES && mount !== undefined && !mount.includes("noexec");
  } catch {
    return false;
  }
}
