// npm run receipt-vectors: writes test/vectors/receipt-v2/, and the examples of docs/proof.md.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { withExamples } from "./page-examples.ts";
import { vectorFiles } from "./vectors.ts";

const FOLDER = new URL("../../test/vectors/receipt-v2/", import.meta.url);
const PAGE = new URL("../../docs/proof.md", import.meta.url);

mkdirSync(FOLDER, { recursive: true });
for (const [name, vectors] of Object.entries(await vectorFiles()))
  writeFileSync(new URL(name, FOLDER), `${JSON.stringify(vectors, null, 2)}\n`);
writeFileSync(PAGE, await withExamples(readFileSync(PAGE, "utf8")));
