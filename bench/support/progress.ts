import type { Progress } from "./benchmark.ts";

const CLEAR_LINE = "\r\x1b[K";

/** A status line on a terminal. Writes nothing if the stream is no terminal. */
export function createProgress(stream: NodeJS.WriteStream): { readonly say: Progress; clear(): void } {
  const write = (text: string) => void (stream.isTTY && stream.write(CLEAR_LINE + text));
  return { say: write, clear: () => write("") };
}
