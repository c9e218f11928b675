import { beforeEach, describe, expect, test } from "vitest";
import { createSnapshotSchedule } from "./index-snapshots.ts";

let now: number;
let memories: Map<string, number>;
let schedule: ReturnType<typeof createSnapshotSchedule>;
beforeEach(() => {
  now = 1_000;
  memories = new Map();
  schedule = createSnapshotSchedule(
    (namespace) => memories.get(namespace) ?? 0,
    () => now,
  );
});

function change(namespace: string, count: number, kind: "captured" | "forgotten" = "captured"): void {
  for (let i = 0; i < count; i++) schedule.changed({ kind, namespace });
  memories.set(namespace, (memories.get(namespace) ?? 0) + (kind === "captured" ? count : -count));
}
function write(namespace: string, ms: number, outcome: "written" | "failed" = "written"): void {
  const end = schedule.begin(namespace);
  now += ms;
  end(outcome);
}

describe("a snapshot is due", () => {
  test("after 2,000 changes, or 500 when the process ends", () => {
    change("n", 500);
    expect([schedule.due(false), schedule.due(true)]).toEqual([[], ["n"]]);
    change("n", 1_500);
    expect(schedule.due(false)).toEqual(["n"]);
    write("n", 0);
    expect(schedule.due(true)).toEqual([]);
  });

  test("after a sixteenth of the memories changed, if that is more", () => {
    change("n", 64_000);
    write("n", 0);
    change("n", 4_000);
    expect(schedule.due(false)).toEqual([]);
    change("n", 300);
    expect(schedule.due(false)).toEqual(["n"]);
  });

  test("soon after a memory was forgotten, if there is a snapshot that may hold it", () => {
    change("small", 10);
    change("small", 1, "forgotten");
    expect(schedule.due(true)).toEqual([]);
    schedule.found("loaded");
    change("loaded", 10);
    expect(schedule.due(false)).toEqual([]);
    change("loaded", 1, "forgotten");
    expect(schedule.due(false)).toEqual(["loaded"]);
  });

  test("not before a pause that is as long as the last one was costly, unless the process ends or nothing is left", () => {
    change("n", 2_000);
    write("n", 100);
    change("n", 1, "forgotten");
    now += 1_999;
    expect([schedule.due(false), schedule.due(true)]).toEqual([[], ["n"]]);
    now += 1;
    expect(schedule.due(false)).toEqual(["n"]);
    write("n", 100);
    change("n", 1_999, "forgotten");
    expect(schedule.due(false)).toEqual(["n"]);
    schedule.begin("n")("removed");
    expect(schedule.due(true)).toEqual([]);
  });

  test("again a minute after a failure, with what changed before it", () => {
    change("n", 2_000);
    write("n", 10, "failed");
    expect(schedule.due(false)).toEqual([]);
    now += 60_000;
    expect(schedule.due(false)).toEqual(["n"]);
  });

  test("because of what is forgotten while one is written", () => {
    change("n", 2_000);
    const end = schedule.begin("n");
    change("n", 1, "forgotten");
    end("written");
    expect(schedule.due(false)).toEqual(["n"]);
  });
});
