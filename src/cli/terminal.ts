// What a command writes to standard error: a progress bar, and the error that ends it.

const WIDTH = 30;

/** A progress bar on a terminal. Where standard error is no terminal, only printed lines appear. */
export function progressBar(total: number) {
  const stream = process.stderr;
  let shownPercent = -1;

  function clear(): void {
    if (stream.isTTY) stream.write("\r\u001b[K");
    shownPercent = -1;
  }

  return {
    /** Removes the bar, so that something else can be written. */
    clear,
    show(done: number, note: string): void {
      const filled = Math.min(WIDTH, Math.round((WIDTH * done) / Math.max(total, 1)));
      const percent = Math.min(100, Math.floor((100 * done) / Math.max(total, 1)));
      if (!stream.isTTY || percent === shownPercent) return;
      shownPercent = percent;
      stream.write(
        `\r\u001b[K[${"█".repeat(filled)}${"·".repeat(WIDTH - filled)}] ${String(percent).padStart(3)} %  ${note}`,
      );
    },
    /** Removes the bar and prints a line. */
    print(line: string): void {
      clear();
      stream.write(`${line}\n`);
    },
  };
}

/** Runs a command. An error becomes one line, and the process exits with `exitCode`. */
export async function runCommand(name: string, exitCode: number, command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    // The error of several failed connections has a code and no message.
    const why = cause instanceof Error ? ` (${cause.message || ("code" in cause && cause.code)})` : "";
    process.stderr.write(`${name}: ${message}${why}\n`);
    process.exitCode = exitCode;
  }
}
