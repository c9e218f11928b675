/**
 * How many questions one step drops before their memory is forgotten. A pinned memory may be named by every receipt, and
 * the forgetting itself, which everybody waits for, has only the last few left to drop.
 */
export const QUESTIONS_AT_ONCE = 500;
