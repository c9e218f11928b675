// HTML templates that escape every value. A string always becomes text; only what `html` itself made is markup.
import { visible } from "#core/encoding/visible-text.ts";

export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Child = Html | string | number | false | undefined | readonly Child[];

/** Put attribute values in double quotes. Never put a value into a tag name, a style or a script. */
export function html(strings: TemplateStringsArray, ...children: readonly Child[]): Html {
  return new Html(strings.map((part, i) => (i === 0 ? part : markupOf(children[i - 1]) + part)).join(""));
}

function markupOf(child: Child): string {
  if (child === undefined || child === false) return "";
  if (child instanceof Html) return child.markup;
  return typeof child === "object" ? child.map(markupOf).join("") : escaped(String(child));
}

function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
