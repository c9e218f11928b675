// Histories of memories for tests of the recall index.
import fc from "fast-check";
import { createRecallIndex, type MemoryChange } from "#core/recall/recall-index.ts";
import { embedLetters, facts } from "./arbitraries.ts";

/** Captures, and forgettings and pins of memories captured earlier. */
export const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: facts.map((fact) => ({ kind: "captured" as const, ...fact })) },
    { weight: 1, arbitrary: fc.nat().map((which) => ({ kind: "forgotten" as const, which })) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("pinned" as const), which: fc.nat(), pinned: fc.boolean() }),
    },
  ),
  { maxLength: 40 },
);

type Step =
  | { kind: "captured"; namespace: string; content: string }
  | { kind: "forgotten"; which: number }
  | { kind: "pinned"; which: number; pinned: boolean };

interface LiveMemory {
  readonly sequence: number;
  readonly namespace: string;
  readonly content: string;
  readonly createdAt: string;
  readonly pinned: boolean;
}

/** Applies the history to a new index. `live` are the memories that it must then hold. */
export function replay(history: readonly Step[], options: Parameters<typeof createRecallIndex>[0] = {}) {
  const index = createRecallIndex({ embed: embedLetters, ...options });
  const { changes, live } = changesOf(history);
  for (const change of changes) index.apply(change);
  return { index, live };
}

/** The history as the change feed tells it. A step that has no memory to work on is left out. */
export function changesOf(history: readonly Step[]) {
  const changes: MemoryChange[] = [];
  let live: LiveMemory[] = [];
  history.forEach((step, i) => {
    const sequence = i + 1;
    if (step.kind === "captured") {
      const createdAt = new Date(Date.UTC(2026, 4, 1 + (i % 40))).toISOString();
      const { namespace, content } = step;
      live.push({ sequence, namespace, content, createdAt, pinned: false });
      changes.push({ kind: "captured", namespace, content, sequence, createdAt });
      return;
    }
    const chosen = live[step.which % Math.max(live.length, 1)];
    if (chosen === undefined) return;
    const { namespace, sequence: captured } = chosen;
    if (step.kind === "forgotten") {
      live = live.filter((memory) => memory !== chosen);
      changes.push({ kind: "forgotten", sequence, namespace, captured });
      return;
    }
    live = live.map((memory) => (memory === chosen ? { ...memory, pinned: step.pinned } : memory));
    changes.push({ kind: "pinned", sequence, namespace, captured, pinned: step.pinned });
  });
  return { changes, live };
}
