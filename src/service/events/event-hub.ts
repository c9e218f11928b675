// The newest events, shared by all listeners of this process: one poll reads what any replica recorded. A listener that
// fell behind the shared tail reads from the records instead, and nothing is kept for it.
import { PortcullisError } from "#core/errors.ts";
import type { EventRecords, Metrics, RecordedEvent } from "#ports.ts";

interface HubOptions {
  readonly pollMs?: number;
  /** Registers what is called soon after a change of the policy. Nothing depends on it: polls find every event. */
  readonly onChange?: ((listener: () => void) => void) | undefined;
  readonly most?: number;
  readonly metrics?: Pick<Metrics, "gauge"> | undefined;
}

export type EventHub = ReturnType<typeof createEventHub>;

const TAIL = 1_000;
const BATCH = 200;
const READ = 500;
const MOST_OF_ONE = 50;
/** After a change of the policy. Changes in the meantime are read with it. */
const SOON_MS = 20;

export function createEventHub(
  records: EventRecords,
  { pollMs = 500, most = 200, metrics, onChange }: HubOptions = {},
) {
  const controller = new AbortController();
  const listeners = new Map<string, number>();
  const waiting = new Set<() => void>();
  let count = 0;
  let tail: RecordedEvent[] = [];
  let head = 0;
  let started: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;
  /** Whether something changed since the last poll began. */
  let isBehind = false;
  metrics?.gauge("eventListeners", () => count);

  async function start(): Promise<void> {
    head = (await records.position()).head;
    schedule();
  }

  function schedule(ms = pollMs): void {
    // A poll may still be under way for listeners that have gone. Two at once would give events twice.
    if (timer !== undefined || isPolling || count === 0 || controller.signal.aborted) return;
    timer = setTimeout(() => void poll(), ms);
  }

  function pollSoon(): void {
    const isStarted = timer !== undefined || isPolling;
    if (!isStarted || isBehind) return;
    isBehind = true;
    if (isPolling) return;
    stopTimer();
    schedule(SOON_MS);
  }
  onChange?.(pollSoon);

  async function poll(): Promise<void> {
    timer = undefined;
    isPolling = true;
    isBehind = false;
    try {
      let events: readonly RecordedEvent[];
      do {
        events = await records.after({ after: head, limit: READ });
        tail = [...tail, ...events].slice(-TAIL);
        head = events.at(-1)?.sequence ?? head;
        if (events.length > 0) wake();
      } while (events.length === READ);
    } catch {
      // The records do not answer. The next poll finds out whether they do.
    }
    isPolling = false;
    schedule(isBehind ? SOON_MS : pollMs);
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function wake(): void {
    for (const resume of waiting) resume();
  }

  function change(identity: string, by: 1 | -1): void {
    count += by;
    listeners.set(identity, (listeners.get(identity) ?? 0) + by);
    if (listeners.get(identity) === 0) listeners.delete(identity);
    if (count > 0) return;
    stopTimer();
    isBehind = false;
    started = undefined;
    tail = [];
  }

  /** The next events after this sequence, some at a time; none when nothing happened for so long. */
  async function next(after: number, waitMs: number, signal: AbortSignal): Promise<readonly RecordedEvent[]> {
    if (after >= head) await pause(waitMs, signal);
    if (after >= head) return [];
    const first = tail[0]?.sequence;
    if (first === undefined || first > after + 1) return records.after({ after, limit: BATCH });
    const start = tail.findIndex(({ sequence }) => sequence > after);
    return tail.slice(start, start + BATCH);
  }

  function pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(ending);
        waiting.delete(end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const ending = setTimeout(end, ms);
      waiting.add(end);
      signal.addEventListener("abort", end);
    });
  }

  return {
    /** Aborts when the service stops, and its streams must end. */
    closed: controller.signal,
    /** Rejects with `too-many-listeners`. `head` is the sequence of the newest event that is known. */
    async open(identity: string) {
      const isFull = count >= most || (listeners.get(identity) ?? 0) >= MOST_OF_ONE;
      if (isFull || controller.signal.aborted)
        throw new PortcullisError("too-many-listeners", "Too many clients listen to events. Try again later.");
      change(identity, 1);
      let isOpen = true;
      const close = () => {
        if (isOpen) change(identity, -1);
        isOpen = false;
      };
      try {
        started ??= start();
        await started;
      } catch (error) {
        started = undefined;
        close();
        throw error;
      }
      return { head: () => head, next, close };
    },
    close(): void {
      controller.abort();
      stopTimer();
    },
  };
}
