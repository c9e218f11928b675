// Invisible characters and those that change how their neighbours look: control characters, direction marks, zero-width
// characters, lone surrogates. Names from outside may hold most of them, and could make a page look different from its
// bytes.
const INVISIBLE =
  /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;

/** Replaces each such character by its code point, such as ⟨U+202E⟩. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, (c) => `⟨U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
