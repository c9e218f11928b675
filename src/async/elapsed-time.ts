// Elapsed time, also across a pause of the whole machine. A monotonic clock may stand still while a virtual machine is
// suspended; the wall clock has moved on afterwards, but somebody may set it back. So both are read, and the one that
// moved most counts.

export type Clock = () => number;

const CLOCKS: readonly Clock[] = [() => performance.now(), () => Date.now()];

/** Answers with a function that says how many milliseconds have passed since. */
export function startTimer(clocks: readonly Clock[] = CLOCKS): () => number {
  const began = clocks.map((clock) => clock());
  return () => Math.max(...clocks.map((clock, i) => clock() - (began[i] ?? 0)));
}
