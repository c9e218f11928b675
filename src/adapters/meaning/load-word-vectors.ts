// Reads the table of word vectors that ships with the project.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createWordVectors, type WordVectors } from "#core/recall/meaning/word-vectors.ts";

// The folder is beside src, and will be beside the compiled files in a package.
const FOLDER = new URL("../../../assets/word-vectors/", import.meta.url);

type IdentifiedWordVectors = WordVectors & { readonly digest: string };

let loaded: Promise<IdentifiedWordVectors> | undefined;

/** The table never changes, so a process reads it once. A failure is not kept. */
export function loadWordVectors(): Promise<IdentifiedWordVectors> {
  loaded ??= readWordVectors().catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function readWordVectors(): Promise<IdentifiedWordVectors> {
  const [vocabulary, vectors] = await Promise.all([
    readFile(new URL("vocabulary.txt", FOLDER), "utf8"),
    readFile(new URL("vectors.bin", FOLDER)),
  ]);
  const digest = createHash("sha256").update(vectors).update(vocabulary).digest("hex");
  return { ...createWordVectors({ vocabulary, vectors }), digest };
}
