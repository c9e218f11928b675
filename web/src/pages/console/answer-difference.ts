// What changed between two answers: which memories left or came, and which gates closed or opened between them.
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";

export interface Difference {
  readonly closed: readonly string[];
  readonly opened: readonly string[];
  readonly left: readonly UsedMemory[];
  readonly came: readonly UsedMemory[];
  readonly stayed: number;
}

export function differenceOf(before: AnswerReceipt, now: AnswerReceipt): Difference {
  return {
    closed: without(now.blockedNamespaces, before.blockedNamespaces),
    opened: without(before.blockedNamespaces, now.blockedNamespaces),
    left: unshared(before, now),
    came: unshared(now, before),
    stayed: before.usedMemories.length - unshared(before, now).length,
  };
}

export const isSame = ({ closed, opened, left, came }: Difference): boolean =>
  closed.length + opened.length + left.length + came.length === 0;

/** Why a memory is not in the other answer, in words: its gate, or its rank. */
export function leaving({ left }: Difference, now: AnswerReceipt): ReadonlyMap<string, string> {
  const blocked = new Set(now.blockedNamespaces);
  return new Map(
    left.map(({ memoryId, namespace }) => [memoryId, blocked.has(namespace) ? "gone: gate closed" : "gone: outranked"]),
  );
}

export function coming({ came, opened }: Difference): ReadonlyMap<string, string> {
  const fresh = new Set(opened);
  return new Map(
    came.map(({ memoryId, namespace }) => [
      memoryId,
      fresh.has(namespace) ? "new: gate opened" : "new: took the place",
    ]),
  );
}

interface Piece {
  readonly text: string;
  /** Quoted from one of the memories that were asked for. */
  readonly quoted: boolean;
}

/** An answer in pieces, so that what it quotes from `memories` can be marked. A model that does not quote has none. */
export function quotedFrom(answer: string, memories: readonly UsedMemory[]): readonly Piece[] {
  const quotes = memories.map(({ snippet }) => snippet.replace(/…$/u, "")).filter((quote) => quote.length > 0);
  let pieces: readonly Piece[] = [{ text: answer, quoted: false }];
  for (const quote of quotes) {
    pieces = pieces.flatMap((piece) => (piece.quoted ? [piece] : parted(piece.text, quote)));
  }
  return pieces;
}

function parted(text: string, quote: string): Piece[] {
  const at = text.indexOf(quote);
  if (at === -1) return [{ text, quoted: false }];
  const rest = text.slice(at + quote.length);
  return [
    ...(at > 0 ? [{ text: text.slice(0, at), quoted: false }] : []),
    { text: quote, quoted: true },
    ...(rest === "" ? [] : [{ text: rest, quoted: false }]),
  ];
}

const without = (names: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);
  return names.filter((name) => !known.has(name));
};

function unshared(receipt: AnswerReceipt, other: AnswerReceipt): UsedMemory[] {
  const shared = new Set(other.usedMemories.map(({ memoryId }) => memoryId));
  return receipt.usedMemories.filter(({ memoryId }) => !shared.has(memoryId));
}
