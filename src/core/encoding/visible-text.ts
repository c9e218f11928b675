// Characters that change how their neighbours look or cannot be seen: control characters, the marks that turn the
// direction of writing around, fillers without width, half characters. Names from outside may hold most of them, and
// could so make a page say something else than the bytes do.
const INVISIBLE =
  /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;

/** The text with each such character named, as ⟨U+202E⟩. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, (c) => `⟨U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
