// Turns test/vectors/blake2b256.json into a Move test module, so that TypeScript and Move share the same vectors.
import { readFileSync } from "node:fs";
import { z } from "zod";

const hex = z.string().regex(/^([0-9a-f]{2})*$/);

const Vectors = z.object({
  vectors: z
    .array(z.object({ name: z.string().regex(/^[a-z][a-z0-9_]*$/), input: hex, digest: hex.length(64) }))
    .nonempty(),
});

export type HashVector = z.infer<typeof Vectors>["vectors"][number];

export function readVectors(): HashVector[] {
  const file = new URL("../../test/vectors/blake2b256.json", import.meta.url);
  return Vectors.parse(JSON.parse(readFileSync(file, "utf8"))).vectors;
}

/** The module `portcullis::blake2b256_vectors`, with one test for each vector. */
export function vectorModules(vectors = readVectors()): Record<string, string> {
  const tests = vectors.map(
    ({ name, input, digest }) => `#[test]
fun ${name}() {
    assert_eq!(blake2b256(&x"${input}"), x"${digest}");
}
`,
  );
  const head = `#[test_only]
module portcullis::blake2b256_vectors;

use std::unit_test::assert_eq;
use sui::hash::blake2b256;
`;
  return { blake2b256_vectors: [head, ...tests].join("\n") };
}
