// The keys of the advisory locks, as arguments of PostgreSQL's functions: "Port", and a number. Locks belong to a
// database, so services on two databases of one server do not share them.
export const LOCKS = {
  migration: "1349481076, 1",
  anchoring: "1349481076, 3",
  seeding: "1349481076, 4",
  "first-key": "1349481076, 5",
  pruning: "1349481076, 8",
  "signing-key": "1349481076, 9",
  encryption: "1349481076, 11",
  "encryption-secret": "1349481076, 12",
} as const;

/** The fence of a tenant: its actions share the lock; a change of its policy, and a removal of memories, takes it alone. */
export const fenceLock = (tenant: number): string => `1349481079, ${tenant}`;
/** Taken before the others by whoever removes memories of a tenant, so that no two wait for each other in a circle. */
export const removalLock = (tenant: number): string => `1349481080, ${tenant}`;

/** The first number of the locks of fence sessions; the second is a session's id. */
export const FENCE_SESSIONS = 1349481077;
/** Of the locks with which the start checks that locks exclude. */
export const CHECKS = 1349481078;
