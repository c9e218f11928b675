// Commands may run as root beside a service that runs as a user of its own. What they make must stay readable to it.
import { chownSync, statSync } from "node:fs";

const ROOT = 0;

/** As root, gives a file or folder the owner and the group of another one. Other users cannot, and need not. */
export function giveOwnerOf(model: string, path: string): void {
  if (process.geteuid?.() !== ROOT) return;
  const { uid, gid } = statSync(model);
  chownSync(path, uid, gid);
}
