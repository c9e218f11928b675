// Looks for a text wherever bytes are: as it is, as base64 and as hex, in whatever case.
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Those of the texts that are somewhere in the bytes. */
export function tracesIn(bytes: Uint8Array | string, texts: readonly string[]): readonly string[] {
  const haystack = Buffer.from(bytes).toString("latin1").toLowerCase();
  return texts.filter((text) => formsOf(text).some((form) => haystack.includes(form)));
}

/** Those of the texts that are in a file of this folder or below it, each with the file. */
export function tracesInFolder(folder: string, texts: readonly string[]): readonly string[] {
  const files = globSync("**", { cwd: folder }).map((name) => join(folder, name));
  return files.flatMap((file) => {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return [];
    return tracesIn(readFileSync(file), texts).map((text) => `${text} in ${file}`);
  });
}

/** Base64 depends on where in the bytes a text begins. What is shared with its neighbours is left out. */
function formsOf(text: string): string[] {
  const encoded = [0, 1, 2].map((before) => {
    const base64 = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString("base64url");
    return base64.slice(before === 0 ? 0 : before + 1, -2);
  });
  return [text, Buffer.from(text).toString("hex"), ...encoded].map((form) => form.toLowerCase());
}
