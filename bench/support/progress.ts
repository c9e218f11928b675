import type { Progress } from "./benchmark.ts";

const CLEAR_LINE = "\r\x1b[K";

/** One line on the terminal that is always the newest; nothing at all when nobody looks. */
export function createProgress(stream: NodeJS.WriteStream): { readonly say: Progress; clear(): void } {
  const write = (text: string) => void (stream.isTTY && stream.write(CLEAR_LINE + text));
  return { say: write, clear: () => write("") };
}
