// The fenced blocks of a page. CONTRIBUTING.md says which are run, and what stands for what.
import type { Page } from "./pages.ts";

export interface Block {
  readonly language: string;
  /** The words behind the language: the name of a file, or the reason why a block is not run. */
  readonly note: string;
  readonly text: string;
  /** Of the line that opens it, `docs/start.md:12`. */
  readonly place: string;
  /** The text between the block before and this one. */
  readonly before: string;
}

const FENCE = /^( *)(`{3,})(\S*) ?(.*)\n([\s\S]*?)^\1\2$/gm;

export function blocksIn({ path, text }: Page): Block[] {
  let end = 0;
  return [...text.matchAll(FENCE)].map((match) => {
    const [all, indent = "", , language = "", note = "", body = ""] = match;
    const before = text.slice(end, match.index);
    end = match.index + all.length;
    const line = text.slice(0, match.index).split("\n").length;
    return {
      language,
      note,
      text: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      place: `${path}:${line}`,
      before,
    };
  });
}

/** The page without its blocks. */
export const proseIn = ({ text }: Page): string => text.replaceAll(FENCE, "");

export type Step =
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  | {
      readonly kind: "command";
      readonly command: string;
      readonly place: string;
      /** What the page says that it prints. Absent when it says nothing. */
      readonly shown?: Pick<Block, "language" | "text">;
    };

const FILE_NAME = /^[\w-]+\.(?:ts|mjs|json|py)$/;

/** What a reader who follows the page does, in order. */
export function stepsIn(page: Page): Step[] {
  const blocks = blocksIn(page);
  return blocks.flatMap(({ language, note, text, place }, i): Step[] => {
    if (FILE_NAME.test(note)) return [{ kind: "file", name: note, text }];
    if (language !== "sh") return [];
    const next = blocks[i + 1];
    const isOutput = next !== undefined && ["text", "json"].includes(next.language) && next.before.trim() === "";
    return [{ kind: "command", command: text, place, ...(isOutput && { shown: next }) }];
  });
}
