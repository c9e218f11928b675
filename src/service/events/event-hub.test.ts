import { afterEach, expect, test, vi } from "vitest";
import type { RecordedEvent } from "#ports.ts";
import { createEventHub } from "./event-hub.ts";

const event = (sequence: number) =>
  ({ sequence, kind: "policy-changed", at: "2026-01-02T03:04:05.678Z" }) as RecordedEvent;

/** Records whose reads end when the test says so. */
function slowRecords() {
  const reads: ((events: readonly RecordedEvent[]) => void)[] = [];
  return {
    reads,
    records: {
      position: async () => ({ head: 0, floor: 0 }),
      after: () => new Promise<RecordedEvent[]>((resolve) => reads.push((events) => resolve([...events]))),
      prune: async () => 0,
    },
  };
}

afterEach(() => vi.useRealTimers());

test("a poll that outlives its listeners is the only one, and nobody gets an event twice", async () => {
  vi.useFakeTimers();
  const { reads, records } = slowRecords();
  const hub = createEventHub(records, { pollMs: 10 });
  const first = await hub.open("a");
  await vi.advanceTimersByTimeAsync(10);
  expect(reads).toHaveLength(1);
  first.close();
  const second = await hub.open("b");
  // The poll of the first listener is still under way.
  await vi.advanceTimersByTimeAsync(100);
  expect(reads).toHaveLength(1);
  reads[0]?.([event(1), event(2)]);
  await vi.advanceTimersByTimeAsync(10);
  expect(reads).toHaveLength(2);
  const { signal } = new AbortController();
  expect((await second.next(0, 0, signal)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  second.close();
  hub.close();
});
