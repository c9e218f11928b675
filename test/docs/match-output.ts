// Compares what a command printed with what a page shows. `…` alone on a line stands for any lines, elsewhere for anything
// within the line, and `<name>` for one word, the same one wherever the page names it.

export type Words = ReadonlyMap<string, string>;

const PLACEHOLDER = /<([a-z][A-Za-z]*)>/g;
const ANY_LINES = "(?:.*\\n)*?";

/** The words that the names stand for, those of before included; undefined when the output is another one. */
export function matchOutput(shown: string, printed: string, known: Words): Words | undefined {
  const pattern = withNewline(shown)
    .split("\n")
    .slice(0, -1)
    .map((line) => (line.trim() === "…" ? ANY_LINES : `${lineSource(line, known)}\\n`))
    .join("");
  const first = new Set<string>();
  const source = pattern.replaceAll(PLACEHOLDER, (_, name: string) => {
    if (first.has(name)) return `\\k<${name}>`;
    first.add(name);
    return `(?<${name}>[^\\s"]+)`;
  });
  const match = new RegExp(`^${source}$`).exec(withNewline(printed));
  return match === null ? undefined : new Map([...known, ...Object.entries(match.groups ?? {})]);
}

/** Puts the words in the place of their names. A name that stands for nothing is an error of the page. */
export function fillIn(command: string, known: Words): string {
  return command.replaceAll(PLACEHOLDER, (_, name: string) => {
    const word = known.get(name);
    if (word === undefined) throw new Error(`No output before this command shows what <${name}> is: ${command}`);
    return word;
  });
}

function lineSource(line: string, known: Words): string {
  const filled = line.replaceAll(PLACEHOLDER, (all, name: string) => known.get(name) ?? all);
  // Names that are left stay as they are for now, so `<` and `>` are not escaped.
  return filled.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replaceAll("…", ".*?");
}

const withNewline = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
