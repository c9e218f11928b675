// Validation of names and texts from outside. Lengths count code points, as JSON Schema's maxLength does.
export const LIMITS = {
  name: 64,
  key: 200,
  description: 500,
  content: 8_000,
  query: 4_000,
  metadataMembers: 20,
  /** Of its canonical JSON. */
  metadataBytes: 2_048,
} as const;

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LAYOUT = /[^\P{Cc}\t\n\r]/u;
const SPACE_AT_AN_END = /^\s|\s$/u;
/** Nothing is drawn for them: ignorable ones, format characters, line separators, and two blanks that are no spaces. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800\u{1d159}]/u;

/** What is wrong with a name for something new, or undefined. */
export function nameFault(name: string): string | undefined {
  const fault = recordedNameFault(name);
  if (fault !== undefined) return fault;
  if (INVISIBLE.test(name)) return "must not contain invisible characters";
  return name === "*" ? "must name one: nothing stands for all" : undefined;
}

/** The same of a name that may be on record, where invisible characters were allowed. It must be in NFC. */
export function recordedNameFault(name: string): string | undefined {
  const fault = labelFault(name, LIMITS.name);
  if (fault !== undefined) return fault;
  if (SPACE_AT_AN_END.test(name)) return "must not begin or end with white space";
  return name.normalize("NFC") === name ? undefined : "must be in Unicode normalization form C (NFC)";
}

/** What is wrong with a key of a fact, or undefined. A key is a caller's own, so it may have spaces at its ends. */
export const keyFault = (key: string): string | undefined => labelFault(key, LIMITS.key);

function labelFault(label: string, limit: number): string | undefined {
  if (label === "") return "must not be empty";
  if (isLongerThan(label, limit)) return `must have at most ${limit} characters`;
  if (!label.isWellFormed()) return "must not contain lone surrogates";
  return CONTROL.test(label) ? "must not contain control characters" : undefined;
}

/** What is wrong with a text, or undefined. Tabs and line ends are the only control characters allowed. */
export function textFault(text: string, limit: number): string | undefined {
  if (text.trim() === "") return "must not be empty";
  if (isLongerThan(text, limit)) return `must have at most ${limit.toLocaleString("en")} characters`;
  return metadataTextFault(text);
}

/** What is wrong with a text of metadata, or undefined. It may be empty; the size of all of it is bounded. */
export function metadataTextFault(text: string): string | undefined {
  if (!text.isWellFormed()) return "must not contain lone surrogates";
  return CONTROL_BUT_LAYOUT.test(text) ? "must not contain control characters other than tab and line ends" : undefined;
}

const isLongerThan = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || Array.from(text).length > limit);
