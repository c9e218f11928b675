// The keys of the advisory locks, as arguments of PostgreSQL's functions: "Port", and a number. Locks belong to a
// database, so services on two databases of one server do not share them.

export const LOCKS = {
  migration: "1349481076, 1",
  /** The fence: actions share it; a change of the policy, and a removal of memories, takes it alone. */
  policy: "1349481076, 2",
  anchoring: "1349481076, 3",
  seeding: "1349481076, 4",
  "first-key": "1349481076, 5",
  pruning: "1349481076, 8",
  "signing-key": "1349481076, 9",
  /** Taken before the others by whoever removes memories, so that no two wait for each other in a circle. */
  removal: "1349481076, 10",
  encryption: "1349481076, 11",
  "encryption-secret": "1349481076, 12",
} as const;

/** The first number of the locks of fence sessions; the second is a session's id. */
export const FENCE_SESSIONS = 1349481077;
/** Of the locks with which the start checks that locks exclude. */
export const CHECKS = 1349481078;
