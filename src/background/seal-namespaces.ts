// Seals what is open in sealed namespaces: what a process left when it ended, and captures that had begun when the
// namespace was sealed.
import type { Log } from "#log.ts";
import type { Deps } from "#service/deps.ts";
import { sealNamespace } from "#service/sealing/seal-namespace.ts";

const INTERVAL_MS = 60_000;

export function sealRegularly(deps: Deps, log: Log, intervalMs: number = INTERVAL_MS): { stop(): void } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning || deps.cipher.status() !== "ready") return;
    isRunning = true;
    try {
      for (const namespace of await deps.records.seals.unsealedNamespaces()) {
        const done = await sealNamespace(deps, namespace, { signal });
        if (done.sealed + done.forgottenHistory > 0) log.info(done, "sealed open memories of a sealed namespace");
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, "open memories of a sealed namespace could not be sealed");
    } finally {
      isRunning = false;
    }
  }

  void run();
  const timer = setInterval(() => void run(), intervalMs).unref();
  return {
    stop() {
      stopping.abort();
      clearInterval(timer);
    },
  };
}
