// The difference between two answers to the same question: gates that closed or opened, memories removed or added.
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";

type Named = Pick<UsedMemory, "memoryId" | "namespace">;

/** What an answer was given: its receipt says so, and so does the gate before there is one. */
interface Given<M extends Named> extends Pick<AnswerReceipt, "blockedNamespaces"> {
  readonly usedMemories: readonly M[];
}

export interface AnswerDifference<M extends Named = Named> {
  readonly closed: readonly string[];
  readonly opened: readonly string[];
  readonly removed: readonly M[];
  readonly added: readonly M[];
  /** The number of memories that both answers used. */
  readonly shared: number;
}

export function differenceOf<M extends Named>(before: Given<M>, now: Given<M>): AnswerDifference<M> {
  const removed = memoriesOnlyIn(before, now);
  return {
    closed: without(now.blockedNamespaces, before.blockedNamespaces),
    opened: without(before.blockedNamespaces, now.blockedNamespaces),
    removed,
    added: memoriesOnlyIn(now, before),
    shared: before.usedMemories.length - removed.length,
  };
}

export const isEmpty = ({ closed, opened, removed, added }: AnswerDifference): boolean =>
  closed.length + opened.length + removed.length + added.length === 0;

/** Why each removed memory is not in the new answer, by memory id. */
export function removalNotes({ removed }: AnswerDifference, now: AnswerReceipt): ReadonlyMap<string, string> {
  const blocked = new Set(now.blockedNamespaces);
  return new Map(
    removed.map(({ memoryId, namespace }) => [
      memoryId,
      blocked.has(namespace) ? "gone: gate closed" : "gone: outranked",
    ]),
  );
}

/** Why each added memory was not in the old answer, by memory id. */
export function additionNotes({ added, opened }: AnswerDifference): ReadonlyMap<string, string> {
  return new Map(
    added.map(({ memoryId, namespace }) => [
      memoryId,
      opened.includes(namespace) ? "new: gate opened" : "new: moved up",
    ]),
  );
}

interface AnswerPart {
  readonly text: string;
  /** No sentence of the other answer. */
  readonly isOnlyHere: boolean;
}

/** A sentence, with the marks behind it that say where it is from: "(diet)", "[2]". */
const SENTENCE = /.+?(?:[.!?…]+["”’']?(?:\s*[([][^()[\]]{0,70}[)\]])*(?=\s|$)\s*|$)/gsu;
const MARKS = /\s*[([][^()[\]]{0,70}[)\]]/gu;

const sentencesOf = (text: string): readonly string[] => text.match(SENTENCE) ?? [];
const bare = (sentence: string): string => sentence.replaceAll(MARKS, "").trim();

/** The sentences of an answer, and which the other does not have. Of two answers without a common one, nothing is told. */
export function sentencesOnlyIn(answer: string, other: string): readonly AnswerPart[] {
  const others = new Set(sentencesOf(other).map(bare));
  const parts = sentencesOf(answer).map((text) => ({ text, isOnlyHere: !others.has(bare(text)) }));
  return parts.every(({ isOnlyHere }) => isOnlyHere) ? [{ text: answer, isOnlyHere: false }] : parts;
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const excluded = new Set(others);
  return names.filter((name) => !excluded.has(name));
}

function memoriesOnlyIn<M extends Named>(receipt: Given<M>, other: Given<M>): M[] {
  const shared = new Set(other.usedMemories.map(({ memoryId }) => memoryId));
  return receipt.usedMemories.filter(({ memoryId }) => !shared.has(memoryId));
}
