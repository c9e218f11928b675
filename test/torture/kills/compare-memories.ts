// Compares the memories after a crash with what was captured, superseded and forgotten before it. A memory is current, or
// history, or gone.
import type { RecordRows } from "#ports.ts";
import { SEED_FACTS } from "#service/operations/reset.ts";
import type { Capture, Journal } from "./journal.ts";

type Row = RecordRows["memory"];
type State = "current" | "history" | "gone";

/** What earlier checks found, by content. It must stay; only the requests of the journal remove memories. */
export interface SeenMemories {
  readonly memories: Map<string, Capture>;
  /** Superseded ones. */
  readonly history: Map<string, Capture>;
  /** The contents of memories that were on record and are not any more. */
  readonly gone: Set<string>;
  /** Those whose forgetting was acknowledged, by id. */
  readonly forgotten: Map<string, { readonly storeRef?: string | undefined }>;
}

interface Rows {
  readonly current: readonly Row[];
  readonly superseded: readonly Row[];
}

/** Answers with the violations, a sentence each, and updates `seen` to what is on record now. */
export function compareMemories(rows: Rows, journal: Journal, seen: SeenMemories): string[] {
  const counts = withoutExpired([...rows.current, ...rows.superseded]);
  const [current, superseded] = [rows.current.filter(counts), rows.superseded.filter(counts)];
  const violations: string[] = [];
  const seeds = new Set(SEED_FACTS.map(({ content }) => content));
  const recorded = new Map<string, { readonly row: Row; readonly state: State }>();
  for (const [state, rows] of [["current", current] as const, ["history", superseded] as const]) {
    for (const row of rows) {
      if (recorded.has(row.content)) violations.push(`memory ${row.memoryId} is on record twice`);
      recorded.set(row.content, { row, state });
    }
  }
  if (![...seeds].every((content) => recorded.has(content))) violations.push("a seed memory is missing");

  const known = [...seen.memories.values(), ...seen.history.values(), ...journal.captures];
  const captures = new Map(known.map((entry) => [entry.content, entry]));
  for (const { content, memoryId, namespace, sourceAgent, storeRef } of [...current, ...superseded]) {
    const entry = captures.get(content);
    if (seeds.has(content)) continue;
    if (seen.gone.has(content)) violations.push(`memory ${memoryId} was forgotten, and is on record again`);
    else if (entry === undefined) violations.push(`memory ${memoryId} was never captured`);
    else if (entry.namespace !== namespace || entry.sourceAgent !== sourceAgent)
      violations.push(`memory ${memoryId} differs from what was captured`);
    else if (entry.memoryId !== undefined && (entry.memoryId !== memoryId || entry.storeRef !== storeRef))
      violations.push(`memory ${memoryId} was acknowledged as ${entry.memoryId}, or with another blob`);
  }
  violations.push(...disagreements(journal));
  const stateOf = (content: string): State => recorded.get(content)?.state ?? "gone";
  violations.push(...wrongStates([...captures.values()], journal, seen, stateOf));

  seen.memories.clear();
  seen.history.clear();
  for (const [content, entry] of captures) {
    const found = recorded.get(content);
    if (found === undefined) seen.gone.add(content);
    else
      (found.state === "current" ? seen.memories : seen.history).set(content, {
        ...withoutLinks(entry),
        ...withoutNull(found.row),
        asked: 0,
        acknowledged: 0,
      });
  }
  for (const { memoryId, storeRef, acknowledged } of journal.forgets)
    if (acknowledged !== undefined) seen.forgotten.set(memoryId, { storeRef });
  return violations;
}

/** On a busy machine a fact may come again after it expired, and before it is removed. Then the later one counts. */
function withoutExpired(rows: readonly Row[]): (row: Row) => boolean {
  const last = new Map<string, string>();
  for (const { content, memoryId } of rows) if (memoryId > (last.get(content) ?? "")) last.set(content, memoryId);
  const hasExpired = ({ expiresAt }: Row) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (row) => last.get(row.content) === row.memoryId || !hasExpired(row);
}

/** What it superseded was judged. */
const withoutLinks = ({ supersedes: _, ...entry }: Capture): Capture => entry;
const withoutNull = ({ expiresAt, ...row }: Row) => ({ ...row, ...(expiresAt !== null && { expiresAt }) });

/** The same fact has one memory, unless a reset forgot the first one in between. */
function disagreements({ captures, resets }: Journal): string[] {
  return captures.flatMap(({ asked, content, disagreed }) => {
    const mayBeForgotten = resets.some(({ acknowledged }) => acknowledged === undefined || acknowledged > asked);
    return disagreed && !mayBeForgotten ? [`the same fact was acknowledged as two memories: ${content}`] : [];
  });
}

/** Finds memories that are missing, or that should not be where they are. An unacknowledged reset removes all or none. */
function wrongStates(
  captures: readonly Capture[],
  { resets, forgets, captures: journaled }: Journal,
  seen: SeenMemories,
  stateOf: (content: string) => State,
): string[] {
  const violations: string[] = [];
  const unsure = { kept: 0, gone: 0 };
  const forgetOf = new Map(forgets.map((each) => [each.content, each]));
  const successorOf = new Map(journaled.flatMap((each) => (each.supersedes ? [[each.supersedes, each]] : [])));
  for (const { content, asked, acknowledged, memoryId = "without an id", ...entry } of captures) {
    if (acknowledged === undefined) continue;
    const state = stateOf(content);
    const later = resets.filter((reset) => reset.acknowledged === undefined || reset.acknowledged > asked);
    const [certain, open] = [later.some(isAfter(acknowledged, true)), later.some(isAfter(acknowledged, false))];
    if (certain && state !== "gone")
      violations.push(`memory ${memoryId} was forgotten by an acknowledged reset, and is on record`);
    const forgotten = forgetOf.get(content);
    if (forgotten?.acknowledged !== undefined && state !== "gone")
      violations.push(`memory ${memoryId} was forgotten, and is on record`);
    const successor = successorOf.get(content);
    const mayBeGone = forgotten !== undefined || entry.expires === true;
    if (open && !certain && later.length === 1 && !mayBeGone) unsure[state === "gone" ? "gone" : "kept"] += 1;
    if (later.length > 0 || mayBeGone) continue;
    if (state === "gone") violations.push(`memory ${memoryId} was acknowledged, and is missing`);
    else if (successor !== undefined) {
      const isRecorded = successor.acknowledged !== undefined || stateOf(successor.content) !== "gone";
      if (isRecorded !== (state === "history"))
        violations.push(
          `memory ${memoryId} is ${state}, and the one that takes its place is${isRecorded ? "" : " not"} on record`,
        );
    } else if ((state === "history") !== seen.history.has(content))
      violations.push(`memory ${memoryId} is ${state}, and nobody asked for that`);
  }
  if (unsure.kept > 0 && unsure.gone > 0)
    violations.push(`a reset removed ${unsure.gone} memories, and left ${unsure.kept}`);
  return violations;
}

/** Whether a reset was asked for after this moment, and was acknowledged or not, as `isAcknowledged` says. */
const isAfter = (moment: number, isAcknowledged: boolean) => (reset: Journal["resets"][number]) =>
  reset.asked > moment && (reset.acknowledged !== undefined) === isAcknowledged;
