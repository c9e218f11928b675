// One shell for all commands of a document, as a reader has it: variables and files of one command are there for the
// next.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";

export interface ShellSession {
  /** Runs a command, and gives what it prints, errors included. */
  run(command: string): Promise<{ readonly output: string; readonly exitCode: number }>;
  end(): Promise<void>;
}

interface Options {
  /** The shell's working directory. It should be empty. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const CURL = fileURLToPath(new URL("curl.ts", import.meta.url));
const OWN_CURL = `command -v curl > /dev/null || curl() { node '${CURL}' "$@"; }`;

/** `node` is this one, and `curl` is our own on a machine that has none. */
export async function startShell({ folder, environment = {} }: Options): Promise<ShellSession> {
  const { PATH = "" } = process.env;
  const shell = spawn("bash", ["--noprofile", "--norc"], {
    cwd: folder,
    env: { ...process.env, ...environment, PATH: `${dirname(process.execPath)}${delimiter}${PATH}` },
    stdio: ["pipe", "pipe", "inherit"],
  });
  shell.stdout.setEncoding("utf8");
  let printed = "";
  let onPrinted = () => {};
  shell.stdout.on("data", (text: string) => {
    printed += text;
    onPrinted();
  });
  const closed = once(shell, "close");

  async function run(command: string) {
    const marker = `end-${randomUUID()}`;
    const end = new RegExp(`${marker} (\\d+)\\n`);
    printed = "";
    // A command that reads its input must not read the rest of the session.
    shell.stdin.write(`{ ${command.trim()}\n} 2>&1 < /dev/null\nprintf '${marker} %s\\n' $?\n`);
    for (;;) {
      const found = end.exec(printed);
      if (found !== null) return { output: printed.slice(0, found.index), exitCode: Number(found[1]) };
      if (shell.exitCode !== null) throw new Error(`The shell ended: ${printed}`);
      await Promise.race([new Promise<void>((resolve) => (onPrinted = resolve)), closed]);
    }
  }

  const session = {
    run,
    async end() {
      shell.stdin.end();
      await closed;
    },
  };
  await run(OWN_CURL);
  return session;
}
