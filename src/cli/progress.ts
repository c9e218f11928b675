/** A line that shows how far long work is, on a terminal; where there is none, only what is said. */
export function progressBar({ total, stream }: { total: number; stream: NodeJS.WriteStream }) {
  const WIDTH = 30;
  let shown = -1;

  function clear(): void {
    if (stream.isTTY) stream.write("\r\u001b[K");
    shown = -1;
  }

  return {
    /** Makes room for what somebody else writes. */
    clear,
    show(done: number, note: string): void {
      const filled = Math.min(WIDTH, Math.round((WIDTH * done) / Math.max(total, 1)));
      const percent = Math.min(100, Math.floor((100 * done) / Math.max(total, 1)));
      if (!stream.isTTY || percent === shown) return;
      shown = percent;
      stream.write(
        `\r\u001b[K[${"█".repeat(filled)}${"·".repeat(WIDTH - filled)}] ${String(percent).padStart(3)} %  ${note}`,
      );
    },
    say(line: string): void {
      clear();
      stream.write(`${line}\n`);
    },
    end(note: string): void {
      clear();
      stream.write(`${note}\n`);
    },
  };
}
