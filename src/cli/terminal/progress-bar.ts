// Progress on a terminal. Where standard error is no terminal, it shows nothing.
import type { Output } from "./output.ts";

const WIDTH = 30;
const CLEAR = "\r\u001b[K";
const LINE_FEED = 0x0a;
const COUNT_MS = 200;

export function progressBar(output: Output, total: number) {
  let shownPercent = -1;
  const write = (text: string) => void output.write(text).catch(() => undefined);
  return {
    clear(): void {
      if (shownPercent !== -1) write(CLEAR);
      shownPercent = -1;
    },
    show(done: number, note: string): void {
      const filled = Math.min(WIDTH, Math.round((WIDTH * done) / Math.max(total, 1)));
      const percent = Math.min(100, Math.floor((100 * done) / Math.max(total, 1)));
      if (!output.isTerminal || percent === shownPercent) return;
      shownPercent = percent;
      write(`${CLEAR}[${"█".repeat(filled)}${"·".repeat(WIDTH - filled)}] ${String(percent).padStart(3)} %  ${note}`);
    },
  };
}

export function lineCounter(output: Output, what: string) {
  let count = 0;
  let shownAt = 0;
  const write = (text: string) => void output.write(text).catch(() => undefined);
  return {
    count(bytes: Uint8Array): void {
      for (const byte of bytes) if (byte === LINE_FEED) count += 1;
      if (!output.isTerminal || performance.now() - shownAt < COUNT_MS) return;
      shownAt = performance.now();
      write(`${CLEAR}${count} ${what}`);
    },
    /** Removes what is shown, and gives the number of lines. */
    end(): number {
      if (shownAt !== 0) write(CLEAR);
      return count;
    },
  };
}
