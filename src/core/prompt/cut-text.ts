// Cuts a text that is too long: after a sentence if that keeps at least half of what fits, otherwise after a word, and
// within a word only where a script has no spaces.

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

/** Binary search. */
function longestStart(text: string, fits: (start: string) => boolean): string {
  let fitting = 0;
  let tooLong = text.length + 1;
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(start(text, middle))) fitting = middle;
    else tooLong = middle;
  }
  return start(text, fitting);
}

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
