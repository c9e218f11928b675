// Logs failed requests. While the disk is full or the database file gone, every request fails in the same way, and the
// log may be on the same disk: then there is one line a minute, with the number of requests that failed.
import { CodedError } from "#core/errors.ts";
import type { Log } from "#log.ts";

const INTERVAL_MS = 60_000;
const RATIONED = new Set(["storage-full", "storage-lost"]);

export interface FailedRequest {
  readonly requestId: string;
  readonly route: string;
  readonly error: unknown;
}

export function createFailureLog(log: Log, now: () => number = () => performance.now()) {
  /** For each code: when it was logged last, and how often it failed since. */
  const rationed = new Map<string, { at: number; unlogged: number }>();

  return (failed: FailedRequest, message: string): void => {
    const { error } = failed;
    const code = error instanceof CodedError && RATIONED.has(error.code) ? error.code : undefined;
    if (code === undefined) return void log.error(failed, message);
    const last = rationed.get(code);
    if (last !== undefined && now() - last.at < INTERVAL_MS) {
      last.unlogged += 1;
      return;
    }
    rationed.set(code, { at: now(), unlogged: 0 });
    log.error({ ...failed, failures: 1 + (last?.unlogged ?? 0) }, message);
  };
}
