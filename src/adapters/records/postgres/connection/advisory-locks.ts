// The advisory locks, as arguments of PostgreSQL's functions: "Port", and then which. They are a database's own, so
// two services on two databases of one server do not meet.

export const LOCKS = {
  migration: "1349481076, 1",
  /** Acts share it; a change of the policy has it alone. */
  policy: "1349481076, 2",
  anchoring: "1349481076, 3",
  seeding: "1349481076, 4",
} as const;
