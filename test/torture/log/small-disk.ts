// A disk that can be filled: a small file system of its own, where there is the right to mount one.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const MEGABYTES = 128;

export interface SmallDisk {
  /** Nothing can be written any more, until it is emptied. */
  fill(): void;
  empty(): void;
  unmount(): void;
}

/** Undefined where nobody may mount. It is gone when the process ends. */
export function mountSmallDisk(folder: string): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  const mount = ["-t", "tmpfs", "-o", `size=${MEGABYTES}m,mode=700`, "tmpfs", folder];
  if (process.platform !== "linux" || spawnSync("mount", mount).status !== 0) return undefined;
  const ballast = join(folder, "ballast");
  const unmount = () => void spawnSync("umount", ["--lazy", folder]);
  process.once("exit", unmount);
  return {
    fill: () => void spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64K"]),
    empty: () => rmSync(ballast, { force: true }),
    unmount() {
      process.off("exit", unmount);
      unmount();
    },
  };
}
