/** Why a memory was recalled. It quotes words of the question, so it never stands in a receipt, which may be published. */
export interface Why {
  /** The terms that it shares with the question, or nearly shares. */
  readonly terms?: readonly string[];
  /** A date of the question is a date of its text, or the time of its capture. */
  readonly date?: true;
  /** How close its meaning is to the question's, from -1 to 1. */
  readonly meaning?: number;
  /** The table of word vectors, or the sentence model if it is configured and was in time. */
  readonly meaningBy?: "table" | "minilm";
  /** The memories that were captured just before or after it match the question. */
  readonly neighbour?: true;
  readonly pinned?: true;
  /** Nothing else spoke for it: it is among the newest. */
  readonly newest?: true;
}

/** A memory as the ranking gave it. */
export type Scored<M> = M & { readonly score: number; readonly why: Why };
