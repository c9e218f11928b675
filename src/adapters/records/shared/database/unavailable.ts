// Failures of a database, as the services learn of them.
import { isDiskFull } from "#adapters/disk-full.ts";
import { PortcullisError, storageFull } from "#core/errors.ts";

/** Whatever a database or the connection to it did, the services learn that the records are unavailable, or the disk full. */
export function unavailable(error: unknown): PortcullisError {
  if (error instanceof PortcullisError) return error;
  if (isDiskFull(error)) return storageFull(error);
  return new PortcullisError("records-unavailable", "The database does not answer. Try again shortly.", {
    cause: error,
  });
}

export function throwUnavailable(error: unknown): never {
  throw unavailable(error);
}

// Remembers for a while that a commit found the disk full: reads succeed there, so readiness needs this to know.

/** Longer than the interval of a balancer's checks, and short enough that a service with room again is used soon. */
const REMEMBERED_MS = 5_000;

export function fullDiskMemory(now: () => number = () => performance.now()) {
  let last: { readonly at: number; readonly error: PortcullisError } | undefined;
  return {
    failed(error: unknown): void {
      if (error instanceof PortcullisError && error.code === "storage-full") last = { at: now(), error };
    },
    throwIfRecent(): void {
      if (last !== undefined && now() - last.at < REMEMBERED_MS) throw last.error;
    },
    forget(): void {
      last = undefined;
    },
  };
}
