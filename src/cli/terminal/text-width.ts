// How many cells of a terminal a text takes. Most characters take one, East Asian ones and pictures two, marks none.

const segmenter = new Intl.Segmenter();
const NARROW = /^[\x20-\x7e]*$/;
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const PICTURE = /\p{Emoji_Presentation}|\ufe0f/u;
/** The blocks whose characters are wide (UAX #11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

function widthOfGrapheme(grapheme: string): number {
  if (NOTHING.test(grapheme)) return 0;
  return WIDE.test(grapheme) || PICTURE.test(grapheme) ? 2 : 1;
}

export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfGrapheme(segment);
  return width;
}

/** The text, cut with `…` if it is wider, and filled with spaces if it is narrower. */
export function fitText(text: string, width: number): string {
  const own = textWidth(text);
  if (own <= width) return text + " ".repeat(width - own);
  let [cut, used] = ["", 0];
  for (const { segment } of segmenter.segment(text)) {
    const next = used + widthOfGrapheme(segment);
    if (next > width - 1) break;
    [cut, used] = [cut + segment, next];
  }
  return `${cut}…${" ".repeat(Math.max(0, width - 1 - used))}`;
}
