import type { JobLocks } from "#ports.ts";

/** Takes the lock, and answers with what gives it back. For work that is not one function. */
export async function heldLock(
  locks: JobLocks,
  name: Parameters<JobLocks["exclusively"]>[0],
): Promise<() => Promise<void>> {
  const taken = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  const job = locks.exclusively(name, () => {
    taken.resolve();
    return given.promise;
  });
  // A lock that cannot be taken rejects.
  await Promise.race([taken.promise, job]);
  return () => {
    given.resolve();
    return job;
  };
}
