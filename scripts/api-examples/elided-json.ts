// JSON with parts left out, as documentation shows it. A line that is only `…` stands for the other fields of an object or
// for the other elements of a list, and a `…` at the end of a string for the rest of it.

const REST = "…";

type Fields = Readonly<Record<string, unknown>>;

export function parseElided(text: string): unknown {
  const lines = text.split("\n");
  const open: string[] = [];
  const json = lines.map((line, i) => {
    const trimmed = line.trim();
    if (/^[\]}]/.test(trimmed)) open.pop();
    if (/[[{]$/.test(trimmed)) open.push(trimmed.slice(-1));
    if (trimmed !== REST) return line;
    const isLast = /^\s*[\]}]/.test(lines[i + 1] ?? "");
    return `${open.at(-1) === "{" ? `"${REST}":""` : `"${REST}"`}${isLast ? "" : ","}`;
  });
  return JSON.parse(json.join("\n"));
}

/** With two spaces for each level, or on one line if the text that it replaces is. */
export function printElided(value: unknown, replaced: string): string {
  if (!replaced.includes("\n")) return JSON.stringify(value);
  return JSON.stringify(value, null, 2).replace(/^(\s*)"…"(?:: "")?,?$/gm, `$1${REST}`);
}

/** The value with the same parts left out as in `pattern`. */
export function elideLike(pattern: unknown, value: unknown): unknown {
  if (typeof pattern === "string" && typeof value === "string") return shortenedLike(pattern, value);
  if (Array.isArray(pattern) && Array.isArray(value)) {
    const rest = pattern.indexOf(REST);
    const shown = rest < 0 ? value : value.slice(0, rest);
    const elements = shown.map((element, i) => elideLike(pattern[i], element));
    return shown.length < value.length ? [...elements, REST] : elements;
  }
  if (!isObject(pattern) || !isObject(value) || Array.isArray(value)) return value;
  const names = Object.hasOwn(pattern, REST)
    ? Object.keys(pattern).filter((name) => name === REST || Object.hasOwn(value, name))
    : Object.keys(value);
  return Object.fromEntries(
    names.map((name) => [name, name === REST ? "" : elideLike(pattern[name], value[name])] as const),
  );
}

function shortenedLike(pattern: string, value: string): string {
  const isShortened = pattern.endsWith(REST) && !value.endsWith(REST) && value.length >= pattern.length;
  return isShortened ? `${value.slice(0, pattern.length - 1)}${REST}` : value;
}

export const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
