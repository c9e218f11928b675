// Where a command writes: a terminal, a pipe or a file.
import type { Writable } from "node:stream";

export interface Output {
  readonly isTerminal: boolean;
  readonly hasColors: boolean;
  readonly columns: number;
  /** Resolves when it can take more. Rejects with EPIPE when nobody reads any more. */
  write(text: string | Uint8Array): Promise<void>;
}

const USUAL_COLUMNS = 80;

type Stream = Writable & Partial<Pick<NodeJS.WriteStream, "isTTY" | "columns" | "hasColors">>;

export function outputTo(stream: Stream): Output {
  // The promise of the write says it.
  stream.on("error", () => undefined);
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    // Node looks at NO_COLOR, FORCE_COLOR and TERM.
    hasColors: isTerminal && stream.hasColors?.() === true,
    get columns() {
      return stream.columns || USUAL_COLUMNS;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      }),
  };
}
