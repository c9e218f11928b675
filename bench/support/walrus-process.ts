import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface WalrusSettings {
  readonly getMs?: number;
  readonly putMs?: number;
}

/** Starts the stand-in for Walrus in a process of its own, so that its work is not measured. */
export async function startWalrusProcess() {
  const child = fork(fileURLToPath(new URL("walrus-process-main.ts", import.meta.url)));
  const nextMessage = () =>
    new Promise<Record<string, string>>((resolve) => child.once("message", (m) => resolve(m as never)));
  const { publisherUrl = "", aggregatorUrl = "" } = await nextMessage();
  return {
    publisherUrl,
    aggregatorUrl,
    async set(settings: WalrusSettings): Promise<void> {
      const done = nextMessage();
      child.send(settings);
      await done;
    },
    async stop(): Promise<void> {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
    },
  };
}
