// Invisible characters, and those that change how their neighbours look, such as direction marks. Names from outside
// may hold them, and could make a page look different from its bytes.

const INVISIBLE =
  /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;

/** Replaces each such character by its code point, such as ⟨U+202E⟩. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, (c) => `⟨U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

/** Two texts, split into their common prefix, the parts that differ, and their common suffix. */
export interface Difference {
  readonly start: string;
  readonly left: string;
  readonly right: string;
  readonly end: string;
}

export function differenceOf(left: string, right: string): Difference {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start++;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return {
    start: left.slice(0, start),
    left: left.slice(start, left.length - end),
    right: right.slice(start, right.length - end),
    end: left.slice(left.length - end),
  };
}
