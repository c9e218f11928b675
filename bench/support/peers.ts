import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface WalrusSettings {
  readonly getMs?: number;
  readonly putMs?: number;
}

/** The stand-in for Walrus in a process of its own, so that its work is not ours. */
export async function peersInAChild() {
  const child = fork(fileURLToPath(new URL("walrus-child.ts", import.meta.url)));
  const answer = () =>
    new Promise<Record<string, string>>((resolve) => child.once("message", (m) => resolve(m as never)));
  const { publisherUrl = "", aggregatorUrl = "" } = await answer();
  return {
    publisherUrl,
    aggregatorUrl,
    async set(settings: WalrusSettings): Promise<void> {
      const done = answer();
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
