// Reads the citations of an answer while it arrives ("[1]", "[2][3]", "[2, 3]" at the end of a sentence), and removes
// them from the text. A mark with a number that no memory has is not a citation and stays.

// The repetitions are bounded, so that no text makes the search slow.
const MARKS =
  /[^\S\r\n]{0,2}\[\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,64}\](?:[,;]?[^\S\r\n]?\[\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,64}\]){0,64}/g;
/** The end of a text that may become a mark, or a longer one. */
const UNFINISHED = /[^\S\r\n]{0,2}(?:\[[\d,;\s[\]]*)?$/;
const MAX_UNFINISHED = 400;

/** `count`: how many memories the prompt holds. */
export function createCitationReader(count: number) {
  const numbers = new Set<number>();
  let held = "";
  let isAtLineStart = true;
  let skipsBlanks = false;

  function passOn(text: string): string {
    const passed = skipsBlanks ? text.replace(/^[^\S\r\n]+/, "") : text;
    if (passed === "") return "";
    skipsBlanks = false;
    isAtLineStart = passed.endsWith("\n");
    return passed;
  }

  function withoutMarks(text: string): string {
    let passed = "";
    let from = 0;
    for (const { 0: marks, index } of text.matchAll(MARKS)) {
      const cited = (marks.match(/\d+/g) ?? []).map(Number);
      if (!cited.every((n) => n >= 1 && n <= count)) continue;
      passed += passOn(text.slice(from, index));
      for (const n of cited) numbers.add(n);
      // The blanks before a mark go with it. At the start of a line those after it do.
      skipsBlanks = isAtLineStart;
      from = index + marks.length;
    }
    return passed + passOn(text.slice(from));
  }

  return {
    /** Takes the next piece of the answer, and returns what can be passed on. */
    add(piece: string): string {
      const text = held + piece;
      held = UNFINISHED.exec(text.slice(-MAX_UNFINISHED))?.[0] ?? "";
      return withoutMarks(text.slice(0, text.length - held.length));
    },
    /** What was held back, at the end of the answer. */
    end(): string {
      const text = held;
      held = "";
      return withoutMarks(text);
    },
    /** Positions of the cited memories, counted from 0. Undefined when the answer has no citation. */
    cited: (): readonly number[] | undefined =>
      numbers.size === 0 ? undefined : [...numbers].sort((a, b) => a - b).map((n) => n - 1),
  };
}
