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

test("a change of the policy is read soon, also when it comes in the middle of a poll, and many of them at once", async () => {
  vi.useFakeTimers();
  const { reads, records } = slowRecords();
  let changed = () => {};
  const hub = createEventHub(records, {
    pollMs: 500,
    onChange(listener) {
      changed = listener;
    },
  });
  changed();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads, "nobody listens").toHaveLength(0);
  const listener = await hub.open("a");
  for (let i = 0; i < 100; i++) changed();
  await vi.advanceTimersByTimeAsync(20);
  expect(reads).toHaveLength(1);
  for (let i = 0; i < 100; i++) changed();
  await vi.advanceTimersByTimeAsync(100);
  expect(reads, "one poll at a time").toHaveLength(1);
  reads[0]?.([event(1)]);
  await vi.advanceTimersByTimeAsync(20);
  expect(reads).toHaveLength(2);
  reads[1]?.([event(2)]);
  await vi.advanceTimersByTimeAsync(400);
  expect(reads, "nothing changed").toHaveLength(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(reads).toHaveLength(3);
  const { signal } = new AbortController();
  expect((await listener.next(0, 0, signal)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  listener.close();
  changed();
  reads[2]?.([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads, "nobody listens any more").toHaveLength(3);
  hub.close();
});
