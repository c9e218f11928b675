// Validation of strings from outside: names (agent ids, namespaces) and texts (content, query). Lengths count code
// points, as JSON Schema's maxLength does.

export const LIMITS = { name: 64, content: 8_000, query: 4_000 } as const;

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LAYOUT = /[^\P{Cc}\t\n\r]/u;
const SPACE_AT_AN_END = /^\s|\s$/u;

/** What is wrong with a name, or undefined. Names are compared by code unit, so they must be in NFC. */
export function nameFault(name: string): string | undefined {
  if (name === "") return "must not be empty";
  if (isLongerThan(name, LIMITS.name)) return `must have at most ${LIMITS.name} characters`;
  if (!name.isWellFormed()) return "must not contain lone surrogates";
  if (CONTROL.test(name)) return "must not contain control characters";
  if (SPACE_AT_AN_END.test(name)) return "must not begin or end with white space";
  if (name.normalize("NFC") !== name) return "must be in Unicode normalization form C (NFC)";
  return undefined;
}

/** What is wrong with a text, or undefined. Tabs and line ends are the only control characters allowed. */
export function textFault(text: string, limit: number): string | undefined {
  if (text.trim() === "") return "must not be empty";
  if (isLongerThan(text, limit)) return `must have at most ${limit.toLocaleString("en")} characters`;
  if (!text.isWellFormed()) return "must not contain lone surrogates";
  if (CONTROL_BUT_LAYOUT.test(text)) return "must not contain control characters other than tab and line ends";
  return undefined;
}

function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || Array.from(text).length > limit);
}
