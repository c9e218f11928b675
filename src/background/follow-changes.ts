// Follows what other replicas capture, so that their changes are in the index before a recall needs them.
import type { Deps } from "#service/deps.ts";

const INTERVAL_MS = 500;

export function followRegularly({ gatekeeper }: Pick<Deps, "gatekeeper">): { stop(): void } {
  const timer = setInterval(() => gatekeeper.wake(), INTERVAL_MS).unref();
  return { stop: () => clearInterval(timer) };
}
