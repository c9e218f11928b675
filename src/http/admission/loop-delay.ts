const SAMPLE_MS = 10;
const SAMPLES = 5;

interface WatchOptions {
  readonly isIdle: () => boolean;
  /** Is told each sample. */
  readonly onSample: (delayMs: number) => void;
  /** Is told the mean of a few. */
  readonly report: (delayMs: number) => void;
}

/**
 * Measures how late timers are, which is how long the event loop takes for one turn, and reports the mean of a few
 * samples. It runs while `isIdle` is false: a service without requests is not woken.
 */
export function watchLoopDelay({ isIdle, onSample, report }: WatchOptions) {
  let timer: NodeJS.Timeout | undefined;
  let expected = 0;
  let lateness: number[] = [];

  function sample(): void {
    const late = Math.max(0, performance.now() - expected);
    lateness.push(late);
    onSample(late);
    if (lateness.length === SAMPLES) {
      report(lateness.reduce((sum, ms) => sum + ms, 0) / SAMPLES);
      lateness = [];
    }
    timer = undefined;
    if (!isIdle() || lateness.length > 0) schedule();
  }

  function schedule(): void {
    expected = performance.now() + SAMPLE_MS;
    timer = setTimeout(sample, SAMPLE_MS).unref();
  }

  return {
    /** A request is there. */
    wake(): void {
      if (timer === undefined) schedule();
    },
  };
}
