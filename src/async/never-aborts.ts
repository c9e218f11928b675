/** The signal of work that nothing can end early. Whoever listens to it must stop listening: it is never collected. */
export const NEVER_ABORTS: AbortSignal = new AbortController().signal;
