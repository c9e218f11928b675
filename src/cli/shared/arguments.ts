// The values of options and arguments.
import { type Invocation, UsageError } from "#cli/invocation.ts";
import type { FILTERS } from "#cli/table/command.ts";
import type { CommandName } from "#cli/table/command-table.ts";
import type { Metadata } from "#core/memories/details.ts";

/** More than any question or fact may have. */
const MOST_BYTES = 4_000_000;

export async function textArgument(
  { positionals, stdin }: Pick<Invocation<CommandName>, "positionals" | "stdin">,
  what: string,
): Promise<string> {
  const [given] = positionals;
  const text = given ?? (stdin.isTTY ? "" : await readAll(stdin));
  if (text.trim() !== "") return text;
  throw new UsageError(`Name one ${what}, or write it to standard input.`);
}

async function readAll(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk));
    bytes += chunks.at(-1)?.length ?? 0;
    if (bytes > MOST_BYTES) throw new UsageError("Standard input is too long.");
  }
  // The line feed that `echo` adds is not part of the text.
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}

export function parseCount(option: string, text: string): number {
  const count = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (count >= 1) return count;
  throw new UsageError(`${option} takes a whole number, at least 1.`);
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * A day, which begins at midnight UTC, or a time with its zone. Undefined for everything else: `Date` alone also takes
 * 31 February, American dates, a year alone, and times without a zone.
 */
export function parseTime(text: string): Date | undefined {
  const day = TIME.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return undefined;
  return new Date(day).toISOString().startsWith(day) ? new Date(text) : undefined;
}

export function timeOption(option: string, text: string): Date {
  const parsed = parseTime(text);
  if (parsed !== undefined) return parsed;
  throw new UsageError(`${option} takes a day or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z.`);
}

/** The filters of `FILTERS`. */
export function filterOptions(
  values: {
    readonly [Option in keyof typeof FILTERS]?: (Option extends "metadata" ? readonly string[] : string) | undefined;
  },
) {
  const { metadata } = values;
  return {
    namespacePrefix: values["namespace-prefix"],
    occurredFrom: values["occurred-from"],
    occurredTo: values["occurred-to"],
    metadata: metadata && metadataOption(metadata),
  };
}

/** `name=value`, each a text, or what JSON reads as a number or a boolean. */
export function metadataOption(given: readonly string[]): Metadata {
  const members = given.map((text): [string, Metadata[string]] => {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError("--metadata takes a name and a value: topic=food.");
    const value = text.slice(at + 1);
    return [text.slice(0, at), /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) ? JSON.parse(value) : value];
  });
  return Object.fromEntries(members);
}
