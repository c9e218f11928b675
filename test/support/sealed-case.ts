// Test data: a receipt that was anchored sealed, and its opening, made with none of our code.

import { blake2b } from "@noble/hashes/blake2.js";
import type { Observation } from "#core/verify/observation.ts";
import { type AnchoredCase, type AnchoredOptions, anchoredReceipt, goodReceipt } from "./anchored-receipt.ts";
import { sortedJson } from "./reference-encoding.ts";
import { commitmentTo, HIDDEN, type ReceiptJson, SEED, saltOf, sealedReceipt, shownFields } from "./signed-receipt.ts";

export interface OpeningJson {
  readonly v: unknown;
  readonly seed?: unknown;
  readonly salts?: Readonly<Record<string, unknown>>;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly blobs?: readonly unknown[];
  readonly names?: readonly unknown[];
}

export interface SealedCase {
  readonly seen: AnchoredCase;
  /** Every private field, by path. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Opens all of them by the seed. */
  readonly whole: OpeningJson;
}

export const SEED_HEX = Buffer.from(SEED).toString("hex");

/** Anchored sealed as the service would. */
export function sealedCase(options: AnchoredOptions = {}): SealedCase {
  const receipt = goodReceipt(options);
  const values: Record<string, unknown> = { ...Object.fromEntries(shownFields(receipt)), ...HIDDEN };
  const seen = anchoredReceipt(sealedReceipt(receipt), options);
  return { seen, values, whole: { v: 2, seed: SEED_HEX, values } };
}

/** The case of a recall that was narrowed. */
export function narrowedCase(filters: unknown = { metadata: { stars: 3.5 }, namespacePrefix: "diet" }): SealedCase {
  const commitment = commitmentTo(saltOf("/filters"), filters);
  const alter = (receipt: ReceiptJson): ReceiptJson => {
    const commitments = { ...receipt.evidence.commitments, "/filters": commitment };
    return { ...receipt, evidence: { ...receipt.evidence, commitments } };
  };
  const { seen, values: others, whole } = sealedCase({ alter });
  const values = { ...others, "/filters": filters };
  return { seen, values, whole: { ...whole, values } };
}

/** Opens some of the fields, each by its salt. */
export function openingOf({ values }: Pick<SealedCase, "values">, paths: readonly string[]): OpeningJson {
  const pick = (of: (path: string) => unknown) => Object.fromEntries(paths.map((path) => [path, of(path)]));
  return { v: 2, salts: pick((path) => saltOf(path)), values: pick((path) => values[path]) };
}

export const withOpening = (seen: Observation, opening: OpeningJson | string): Observation => ({
  ...seen,
  opening: typeof opening === "string" ? opening : sortedJson(opening),
});

const SECRET = new Uint8Array(32).fill(9);

export const nameSalt = (name: string): string =>
  Buffer.from(blake2b(Buffer.from(name), { key: SECRET, dkLen: 32 })).toString("hex");

/** The pseudonym of a name on a gate whose deployment has this secret. */
export const pseudonym = (name: string, salt = nameSalt(name)): string =>
  Buffer.from(
    blake2b(Buffer.concat([Buffer.from("portcullis/name/v1\0"), Buffer.from(salt, "hex"), Buffer.from(name)]), {
      dkLen: 32,
    }),
  ).toString("hex");

export const disclosedNames = (...names: readonly string[]) => names.map((name) => ({ name, salt: nameSalt(name) }));

/** The case on a gate with pseudonyms. */
export function onPseudonyms(options: AnchoredOptions = {}): SealedCase {
  const claimed = (options.claimed ?? ["diet", "travel"]).map((name) => pseudonym(name)).sort();
  const gate = { pseudonyms: true, ...options.gate };
  return sealedCase({ ...options, claimed, gate, chain: { agent: pseudonym("assistant"), ...options.chain } });
}
