// The service as a process to be killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const SERVICE = fileURLToPath(new URL("mortal.ts", import.meta.url));
const KEPT = 20_000;

export interface Mortal {
  /** Rejects with what it wrote when it ends first. */
  readonly ready: Promise<string>;
  readonly hasEnded: () => boolean;
  /** The end of what it wrote. */
  readonly said: () => string;
  /** Answers when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export function startMortal(cwd: string, environment: Readonly<Record<string, string>>): Mortal {
  const child = spawn(process.execPath, [SERVICE], { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"] });
  const closed = once(child, "close");
  // One that was just killed does not take what is written to it.
  child.stdin.on("error", () => undefined);
  let said = "";
  let hasEnded = false;
  const ready = new Promise<string>((resolve, reject) => {
    const hear = (text: string) => {
      said = `${said}${text}`.slice(-KEPT);
      const url = /"url":"([^"]+)"[^\n]*"msg":"ready"/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", hear);
    child.once("close", () => {
      hasEnded = true;
      reject(new Error(`The service ended before it was ready:\n${said}`));
    });
  });
  // Whoever kills it while it starts does not wait for it.
  ready.catch(() => undefined);
  return {
    ready,
    hasEnded: () => hasEnded,
    said: () => said,
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await closed;
    },
  };
}
