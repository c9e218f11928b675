// The examples of a document: a command for a shell, fenced as `sh`, and what it prints, in the fenced block after it.

export interface Example {
  readonly command: string;
  /** What the document shows as printed. Absent when it shows nothing. */
  readonly shown?: string;
  /** `json` or `text`; empty when nothing is shown. */
  readonly language: string;
  /** Where `shown` is in the document. */
  readonly start: number;
  readonly end: number;
}

const COMMAND = /^```sh\n([\s\S]*?)\n```\n(?:\n```(json|text)\n([\s\S]*?)\n```$)?/gm;

export function examplesIn(document: string): Example[] {
  return [...document.matchAll(COMMAND)].map((match) => {
    const [all, command = "", language = "", shown] = match;
    const end = match.index + all.length - "\n```".length;
    if (shown === undefined) return { command, language, start: end, end: end };
    return { command, shown, language, start: end - shown.length, end };
  });
}
