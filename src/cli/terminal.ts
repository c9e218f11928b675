const WIDTH = 30;

/** A progress bar on a terminal. Where the stream is no terminal, only printed lines appear. */
export function progressBar({ total, stream }: { total: number; stream: NodeJS.WriteStream }) {
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
