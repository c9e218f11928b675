// Reads the table of word vectors that ships with the project.
import { readFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { untilSuccess } from "#async/coalesce.ts";
import { createWordVectors } from "#core/recall/meaning/word-vectors.ts";

// The folder is beside src, and will be beside the compiled files in a package.
const FOLDER = new URL("../../../assets/word-vectors/", import.meta.url);

/** The table never changes, so a process reads it once. */
export const loadWordVectors = untilSuccess(async () => {
  const [vocabulary, vectors] = await Promise.all([
    readFile(new URL("vocabulary.txt", FOLDER), "utf8"),
    readFile(new URL("vectors.bin", FOLDER)),
  ]);
  // Tells tables of two releases apart. A digest would take 15 ms of every start.
  const checksum = crc32(vocabulary, crc32(vectors)).toString(16);
  return { ...createWordVectors({ vocabulary, vectors }), checksum };
});
