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

const LINE_FEED = 0x0a;

/** Shows on a terminal how many lines have passed. */
export function lineCounter(what: string) {
  const stream = process.stderr;
  let count = 0;
  let shownAt = 0;
  return {
    count(bytes: Uint8Array): void {
      for (const byte of bytes) if (byte === LINE_FEED) count += 1;
      if (!stream.isTTY || performance.now() - shownAt < 200) return;
      shownAt = performance.now();
      stream.write(`\r\u001b[K${count} ${what}`);
    },
    /** Prints a last line. */
    end(text: (count: number) => string): void {
      stream.write(`${stream.isTTY ? "\r\u001b[K" : ""}${text(count)}\n`);
    },
  };
}

/** The last line of what came before and of these bytes. */
export function lastLineOf(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const feed = bytes.subarray(0, -1).lastIndexOf(LINE_FEED);
  const isNew = before.at(-1) === LINE_FEED;
  if (feed !== -1) return bytes.slice(feed + 1);
  return isNew ? bytes.slice() : Buffer.concat([before, bytes]);
}
