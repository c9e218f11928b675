// Text from memories, names and problems may hold control sequences that would move the cursor, set the title or answer
// in the user's place. Everything that a command prints passes through here.
import { visible } from "#core/encoding/visible-text.ts";

/** For lines: control characters and direction marks as their code points. Line feeds stay. */
export const safeText = (text: string): string => visible(text).replaceAll("\t", "  ");

/** For one cell or one line: as above, and line feeds are spaces. */
export const safeLine = (text: string): string => visible(text.replaceAll(/[\n\t]+/g, " "));

/** What JSON leaves as it is, and a terminal may act on or hide: DEL, C1, direction marks, zero-width characters. */
const UNSAFE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udfff]/g;

/** The same JSON value, in ASCII where a terminal could be misled. */
export function safeJson(json: string): string {
  return json.replaceAll(UNSAFE_IN_JSON, (found) => {
    let escaped = "";
    for (let i = 0; i < found.length; i++) escaped += `\\u${found.charCodeAt(i).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}
