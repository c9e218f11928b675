// Forgets events that nobody can ask for any more.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Log } from "#log.ts";
import type { Deps } from "#service/deps.ts";
import { REPLAY_MS } from "#service/events/deliver-events.ts";

const INTERVAL_MS = 600_000;
/** Longer than they are replayed: an event is recorded a moment after the time that it has, and clocks differ. */
const KEPT_MS = REPLAY_MS + 3_600_000;

export function pruneRegularly({ records, now }: Pick<Deps, "records" | "now">, log: Log): { stop(): void } {
  let isStopped = false;
  async function prune(): Promise<void> {
    const before = new Date(now().getTime() - KEPT_MS).toISOString();
    try {
      while (!isStopped && (await records.events.prune(before)) > 0) await nextTurn();
    } catch (error) {
      log.warn({ error }, "could not forget old events");
    }
  }
  void prune();
  const timer = setInterval(() => void prune(), INTERVAL_MS).unref();
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
