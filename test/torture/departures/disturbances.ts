// What goes wrong while answers are made. Each disturbance lasts for a moment, and answers when the service can recover.
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { PostgresServer } from "#test/support/postgres/server.ts";
import type { Random } from "#test/torture/kills/seeded-random.ts";
import { endSessionsOfActions } from "#test/torture/lose-sessions.ts";

const LONGEST_MS = 600;

export type Disturbance = "none" | "full disk" | "lost sessions" | "killed service" | "killed database";

/** A file that may not grow fails its writes, as a full disk does. */
export async function fillDisk(pid: number, path: string, random: Random): Promise<void> {
  const limit = (bytes: number | "unlimited") =>
    promisify(execFile)("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
  const largest = Math.max(
    ...[path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0),
  );
  await limit(largest + random.below(100_000));
  await delay(random() * LONGEST_MS);
  await limit("unlimited");
}

/** Ends the sessions that hold the fence, again and again. */
export async function loseSessions(database: string, random: Random): Promise<number> {
  let lost = 0;
  for (let i = 0; i < 10; i++) {
    lost += await endSessionsOfActions(database);
    await delay((random() * LONGEST_MS) / 10);
  }
  return lost;
}

export async function killDatabase(server: PostgresServer): Promise<void> {
  await server.kill();
  await server.start();
}
