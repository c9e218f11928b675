// Whether a later version of the policy was in force on the ledger when an answer was made. The ledger's receipt says
// when the version after the answer's was closed there. The service records a change before the ledger closes it, so an
// answer of an honest service is later than that only by what clocks differ, and by the time that it takes.

/** Clocks differ. More than this is not a difference of clocks. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * An answer keeps the version that it began with when a change does not concern it. Its receipt is dated when its prompt
 * leaves. That is late if the model was asked before with a longer prompt, and took all the time of a call to refuse it.
 * So this is the longest deadline of a call, too.
 */
export const LONGEST_ANSWER_MS = 10 * 60_000;

/** In minutes. */
export const SUPERSEDED_TOLERANCE = (CLOCK_TOLERANCE_MS + LONGEST_ANSWER_MS) / 60_000;

/** `supersededAtMs` is when the next version was closed on the ledger, if it was. */
export function wasSuperseded(supersededAtMs: number | undefined, createdAt: string): boolean {
  return supersededAtMs !== undefined && Date.parse(createdAt) > supersededAtMs + SUPERSEDED_TOLERANCE * 60_000;
}
