// The command `portcullis` in this process, with its own streams. It is the whole command line but for main.ts.
import { Readable } from "node:stream";
import { runCommand } from "#cli/run-command.ts";
import type { Output } from "#cli/terminal/output.ts";
import type { CommandResult } from "./run-command.ts";

export interface PortcullisOptions {
  /** PORTCULLIS_URL and PORTCULLIS_KEY. */
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  /** The settings of a service, for commands that work on its database. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Typed on a terminal, in place of standard input from a file. */
  readonly typed?: string;
  /** Standard output and standard error are a terminal of so many columns. */
  readonly columns?: number | undefined;
  readonly hasColors?: boolean;
  readonly signal?: AbortSignal;
  /** Called with each piece that is written to standard output. */
  readonly onWrite?: (text: string) => void;
}

export async function portcullis(args: readonly string[], options: PortcullisOptions = {}): Promise<CommandResult> {
  const { url, key, settings = {}, typed, stdin = typed ?? "", columns, hasColors = false, signal, onWrite } = options;
  const written = { out: "", err: "" };
  const output = (name: "out" | "err"): Output => ({
    isTerminal: columns !== undefined,
    hasColors,
    columns: columns ?? 80,
    async write(text) {
      const piece = typeof text === "string" ? text : Buffer.from(text).toString("utf8");
      written[name] += piece;
      if (name === "out") onWrite?.(piece);
    },
  });
  const code = await runCommand(args, {
    stdin: Object.assign(Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]), { isTTY: typed !== undefined }),
    out: output("out"),
    err: output("err"),
    signal: signal ?? new AbortController().signal,
    clientEnvironment: () => ({ url, key }),
    serviceEnvironment: async () => settings,
  });
  return { code, ...written };
}
