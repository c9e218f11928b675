// Fits memories into the room that a prompt has for them, pinned ones first and then in their order. A memory that is too
// long is cut and marked. One of which too little would remain is left out.

import { partitionPoint } from "#core/collections/partition-point.ts";
import type { AllowedMemory } from "#core/gate/gate.ts";
import { escapedJson } from "./escaped-json.ts";
import { memoryLine, type PromptFact } from "./template.ts";

export interface GivenMemory<M = AllowedMemory> {
  readonly memory: M;
  /** How many UTF-16 code units of its content the prompt holds, from its start. */
  readonly given: number;
}

interface PromptLine<M> extends GivenMemory<M> {
  readonly json: string;
}

/** Kept for each memory to come, so that a few long ones do not crowd out all the others. */
const RESERVED_CHARACTERS = 500;
/** Less than this of a memory's text says too little. */
const MIN_CUT_CHARACTERS = 100;

/** `room` counts the line ends too. */
export function fitMemories<M extends PromptFact>(memories: readonly M[], room: number): PromptLine<M>[] {
  const ordered = [...memories.filter(({ pinned }) => pinned), ...memories.filter(({ pinned }) => !pinned)];
  const reserves = reservesOf(ordered, room);
  let reserved = reserves.reduce((sum, reserve) => sum + reserve, 0);
  let free = room;
  const lines: PromptLine<M>[] = [];
  for (const [i, memory] of ordered.entries()) {
    reserved -= reserves[i] ?? 0;
    const n = lines.length + 1;
    const available = free - reserved - 1;
    const line = wholeLine(n, memory, available) ?? cutLine(n, memory, available);
    if (line === undefined) continue;
    lines.push(line);
    free -= line.json.length + 1;
  }
  return lines;
}

/** For as many of the first memories as there is room for. */
function reservesOf(memories: readonly PromptFact[], room: number): number[] {
  let free = room;
  return memories.map((memory, i) => {
    // A memory that is left out makes the numbers after it smaller, and no line longer.
    const line = wholeLine(i + 1, memory, RESERVED_CHARACTERS - 1);
    const reserve = line === undefined ? RESERVED_CHARACTERS : line.json.length + 1;
    free = reserve <= free ? free - reserve : -1;
    return free < 0 ? 0 : reserve;
  });
}

/** Undefined if it is longer than `available`. */
function wholeLine<M extends PromptFact>(n: number, memory: M, available: number): PromptLine<M> | undefined {
  const given = memory.content.length;
  // To escape a text takes time, and never makes it shorter.
  if (given > available) return undefined;
  const json = memoryLine(n, memory);
  return json.length <= available ? { memory, given, json } : undefined;
}

/** The memory's line with less of its text; undefined if too little would remain. */
function cutLine<M extends PromptFact>(n: number, memory: M, available: number): PromptLine<M> | undefined {
  const room = available - memoryLine(n, memory, 0).length;
  if (room < MIN_CUT_CHARACTERS) return undefined;
  // The quotes around the text are counted already.
  const { length: given } = cutText(
    memory.content,
    (text) => text.length <= room && escapedJson(text).length - 2 <= room,
  );
  return given < MIN_CUT_CHARACTERS / 2 ? undefined : { memory, given, json: memoryLine(n, memory, given) };
}

// Cuts a long text: after a sentence if that keeps half of what fits, else after a word, if its script has spaces.

// Both match a place between two characters. The lookbehinds are bounded, so that no text makes the search slow.
const SENTENCE_END =
  /(?<=[.!?…؟।۔][\p{Pe}\p{Pf}"']{0,3})(?=\s)|(?<=[。！？｡][\p{Pe}\p{Pf}]{0,3})(?![。！？｡\p{Pe}\p{Pf}])|(?=\n)/uy;
const WORD_END = /(?<=\S)(?=\s)/uy;

/** The beginning of `text`, such that `fits` holds. Shorter texts must fit if longer ones do. Empty if nothing fits. */
export function cutText(text: string, fits: (start: string) => boolean): string {
  const longest = longestStart(text, fits);
  if (longest.length === text.length) return text;
  const half = Math.ceil(longest.length / 2);
  const end =
    lastMatch(SENTENCE_END, text, longest.length, half) ?? lastMatch(WORD_END, text, longest.length, half) ?? Infinity;
  return longest.slice(0, end).trimEnd();
}

const longestStart = (text: string, fits: (start: string) => boolean): string =>
  start(
    text,
    partitionPoint(text.length, (i) => fits(start(text, i + 1))),
  );

/** The first `length` code units, one less if that would split a surrogate pair. */
function start(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** The last place from `to` down to `from` where the pattern matches. */
function lastMatch(pattern: RegExp, text: string, to: number, from: number): number | undefined {
  for (let at = to; at >= from; at--) {
    pattern.lastIndex = at;
    // Within a surrogate pair the pattern matches at the pair's first half.
    const match = pattern.exec(text);
    if (match !== null) return match.index;
  }
  return undefined;
}
