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
  /** Quoted from one of the memories. */
  readonly isQuote: boolean;
}

/** Splits an answer where it quotes one of the memories. A model that does not quote leaves one part. */
export function splitByQuotes(answer: string, memories: readonly UsedMemory[]): readonly AnswerPart[] {
  const quotes = memories.map(({ snippet }) => snippet.replace(/…$/u, "")).filter((quote) => quote.length > 0);
  let parts: readonly AnswerPart[] = [{ text: answer, isQuote: false }];
  for (const quote of quotes) {
    parts = parts.flatMap((part) => (part.isQuote ? [part] : splitAt(part.text, quote)));
  }
  return parts;
}

function splitAt(text: string, quote: string): AnswerPart[] {
  const start = text.indexOf(quote);
  if (start === -1) return [{ text, isQuote: false }];
  const rest = text.slice(start + quote.length);
  return [
    ...(start > 0 ? [{ text: text.slice(0, start), isQuote: false }] : []),
    { text: quote, isQuote: true },
    ...(rest === "" ? [] : [{ text: rest, isQuote: false }]),
  ];
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const excluded = new Set(others);
  return names.filter((name) => !excluded.has(name));
}

function memoriesOnlyIn<M extends Named>(receipt: Given<M>, other: Given<M>): M[] {
  const shared = new Set(other.usedMemories.map(({ memoryId }) => memoryId));
  return receipt.usedMemories.filter(({ memoryId }) => !shared.has(memoryId));
}
