// Runs the examples of a document in their order, in one shell, against one service that was just seeded.
import { elideLike, parseElided, printElided } from "./elided-json.ts";
import { examplesIn } from "./markdown-examples.ts";
import type { ShellSession } from "./shell-session.ts";
import { stable, stableLines } from "./stable.ts";

export interface RunExample {
  readonly command: string;
  readonly exitCode: number;
  /** What the document shows, and what the command printed: without what is left out, and without what is random. */
  readonly documented: unknown;
  readonly printed: unknown;
}

/** The origin that the commands name. */
const DOCUMENTED_HOST = "localhost:3000";

interface Place {
  readonly shell: ShellSession;
  /** Where the service is. */
  readonly url: string;
}

/** Runs every example, and answers also with the document as it would be with what the commands printed. */
export async function runExamples(
  document: string,
  { shell, url }: Place,
): Promise<{ readonly examples: readonly RunExample[]; readonly updated: string }> {
  const { host } = new URL(url);
  const examples: RunExample[] = [];
  const parts: string[] = [];
  let end = 0;
  for (const { command, shown, language, ...place } of examplesIn(document)) {
    const { output, exitCode } = await shell.run(command.replaceAll(DOCUMENTED_HOST, host));
    const printed = output.replaceAll(host, DOCUMENTED_HOST).trimEnd();
    const compared = shown === undefined ? nothingShown(printed) : compare(shown, printed, language);
    examples.push({ command, exitCode, documented: compared.documented, printed: compared.printed });
    parts.push(document.slice(end, place.start), shown === undefined ? "" : compared.text);
    end = place.end;
  }
  return { examples, updated: [...parts, document.slice(end)].join("") };
}

interface Compared extends Pick<RunExample, "documented" | "printed"> {
  /** For the document. */
  readonly text: string;
}

function compare(shown: string, printed: string, language: string): Compared {
  if (shown.endsWith(" …")) {
    const text = `${printed.slice(0, shown.length - 2)} …`;
    return { documented: stable(shown), printed: stable(text), text };
  }
  if (language !== "json") return { documented: stableLines(shown), printed: stableLines(printed), text: printed };
  const pattern = parseElided(shown);
  const value = elideLike(pattern, JSON.parse(printed));
  return { documented: stable(pattern), printed: stable(value), text: printElided(value, shown) };
}

/** A command after which the document shows nothing prints nothing. */
const nothingShown = (printed: string): Compared => ({ documented: "", printed, text: "" });
