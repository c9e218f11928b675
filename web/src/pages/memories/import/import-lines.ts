// A file of memories as lines of JSON, which is what the service takes: such lines as they are, a JSON array, or CSV
// (RFC 4180) whose first line names the columns. Its memories keep the numbers of their lines, which faults name.
import { orUndefined } from "#core/defined.ts";

export const FILE_TYPES = ".ndjson,.jsonl,.json,.csv,.txt,application/x-ndjson,text/csv";

/** What others call the fields of a memory. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  namespace: ["namespace", "category"],
  content: ["content", "memory", "text", "fact"],
  sourceAgent: ["sourceagent", "source agent", "source", "agent"],
  key: ["key", "fact key"],
};
/** Other kinds of files are read whole. */
const LARGEST = 50 * 1024 * 1024;
export const SOURCE = "import";

/** Why a file is refused before anything of it is sent, in words for the reader. */
export class FileFault extends Error {}

/** `namespace` is for lines of a table without one. */
export async function linesOf(file: File, namespace?: string): Promise<Blob> {
  const start = (await file.slice(0, 1_024).text()).replace(/^\ufeff/, "").trimStart();
  if (start === "" || start.startsWith("{")) return file;
  if (file.size > LARGEST) throw new FileFault("This file is too large. Divide it, or send lines of JSON.");
  const text = (await file.text()).replace(/^\ufeff/, "");
  const facts: unknown[] | undefined = start.startsWith("[")
    ? orUndefined(() => JSON.parse(text))
    : recordsOf(text, namespace);
  if (facts === undefined) throw new FileFault("This file is not valid JSON.");
  if (facts.every((fact) => fact === undefined)) return new Blob();
  return new Blob(facts.map((fact) => `${fact === undefined ? "" : JSON.stringify(fact)}\n`));
}

function recordsOf(text: string, namespace: string | undefined): (Record<string, string> | undefined)[] {
  const rows = csvRows(text);
  const head = rows.find((row) => row !== undefined);
  const titles = head?.map((title) => title.trim().toLowerCase()) ?? [];
  const places = Object.entries(COLUMNS).map(
    ([field, names]) => [field, titles.findIndex((t) => names.includes(t))] as const,
  );
  const missing = places.find(
    ([field, at]) => at === -1 && ((field === "namespace" && namespace === undefined) || field === "content"),
  );
  if (missing !== undefined)
    throw new FileFault(
      `No column is called “${missing[0]}”. The first line of a CSV file names the columns: namespace, content, sourceAgent.`,
    );
  const recordOf = (row: string[]): Record<string, string> => ({
    sourceAgent: SOURCE,
    ...(namespace !== undefined && { namespace }),
    ...Object.fromEntries(places.flatMap(([field, at]) => (row[at] ? [[field, row[at]]] : []))),
  });
  return rows.map((row) => (row === head || row === undefined ? undefined : recordOf(row)));
}

/** By line, the row that begins there, if any. Cells may be quoted, with line breaks and doubled quotes in them. */
export function csvRows(text: string): (string[] | undefined)[] {
  const [line = ""] = text.split("\n", 1);
  const separator = [",", ";", "\t"].toSorted((a, b) => line.split(b).length - line.split(a).length)[0] ?? ",";
  const rows: (string[] | undefined)[] = [];
  let row: string[] = [];
  const cells = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n][^${separator}\\r\\n]*)|)(${separator}|\\r?\\n|\\r|$)`,
    "g",
  );
  for (const [all, quoted, plain = "", end] of text.matchAll(cells)) {
    if (all === "" && row.length === 0) break;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === separator) continue;
    const lines = row.join("").split(/\r?\n|\r/).length;
    for (let i = 0; i < lines; i++) rows.push(i === 0 && row.some((cell) => cell.trim() !== "") ? row : undefined);
    row = [];
    if (end === "") break;
  }
  return rows;
}
