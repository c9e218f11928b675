// SIGTERM and SIGINT: the first one stops the service in order, a second one ends the process at once.

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** npm passes Ctrl+C on to a process that has it from the terminal already. That is one signal, and not two. */
const SAME_SIGNAL_MS = 500;

/** By convention, 128 and the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

export function onStopSignals(stop: (signal: (typeof SIGNALS)[number]) => void): void {
  let stoppingSince: number | undefined;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now();
        stop(signal);
      } else if (performance.now() - stoppingSince >= SAME_SIGNAL_MS) process.exit(EXIT_CODES[signal]);
    });
  }
}
