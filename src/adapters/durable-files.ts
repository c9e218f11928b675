// Files and folders that survive a crash once a call has answered, and that only their owner may read.
import { closeSync, fsyncSync, openSync } from "node:fs";
import { chmod, copyFile, open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Waits until a file, or the entries of a folder, are on disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same, and blocks the thread. */
export function syncNow(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a finished file private and durable. Its name becomes durable when its folder is synchronized. */
export async function finish(path: string): Promise<void> {
  await chmod(path, 0o600);
  await sync(path);
}

export async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await finish(to);
}

/** Gives a finished file or folder its final name. */
export async function publish(from: string, to: string): Promise<void> {
  await rename(from, to);
  await sync(dirname(to));
}
