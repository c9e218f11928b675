// Remembers for a while that a commit failed because the disk was full. Reads succeed on a full disk, so readiness needs
// this to know.
import { PortcullisError } from "#core/errors.ts";

/** Longer than the interval of a balancer's checks, and short enough that a service with room again is used soon. */
const REMEMBERED_MS = 5_000;

export interface FullDiskMemory {
  /** To be told of every failure of a write. */
  failed(error: unknown): void;
  /** Throws the last failure if it is recent. */
  throwIfRecent(): void;
  /** A commit succeeded that needed room. */
  forget(): void;
}

export function fullDiskMemory(now: () => number = () => performance.now()): FullDiskMemory {
  let last: { readonly at: number; readonly error: PortcullisError } | undefined;
  return {
    failed(error) {
      if (error instanceof PortcullisError && error.code === "storage-full") last = { at: now(), error };
    },
    throwIfRecent() {
      if (last !== undefined && now() - last.at < REMEMBERED_MS) throw last.error;
    },
    forget() {
      last = undefined;
    },
  };
}
