// HTML with every value escaped. A string becomes text, whatever is in it; only what `html` made itself is markup.

export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Child = Html | string | number | false | undefined | readonly Child[];

/** Attribute values must stand in double quotes. Never put a value into a tag's name, a style or a script. */
export function html(strings: TemplateStringsArray, ...children: readonly Child[]): Html {
  return new Html(strings.map((part, i) => (i === 0 ? part : markupOf(children[i - 1]) + part)).join(""));
}

function markupOf(child: Child): string {
  if (child === undefined || child === false) return "";
  if (child instanceof Html) return child.markup;
  return typeof child === "object" ? child.map(markupOf).join("") : escaped(String(child));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(INVISIBLE, visible);
}

/**
 * Characters that change how their neighbours look or cannot be seen: control characters, the marks that turn the
 * direction of writing around, fillers without width, half characters. Names from outside may hold most of them, and
 * could so make the page say something else than the bytes do.
 */
const INVISIBLE =
  /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;

const visible = (c: string): string => `⟨U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
