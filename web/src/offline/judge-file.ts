// Verifies the text of a file that `portcullis proof` wrote.
import { orUndefined } from "#core/defined.ts";
import { parseWitnessPolicy } from "#core/log/witness-policy.ts";
import type { VerificationResult } from "#core/verify/verify-receipt.ts";
import { type Bundle, LARGEST_BUNDLE, readBundle, verifyBundle } from "#verification/bundle.ts";

export type Judged =
  | { readonly bundle: Bundle; readonly result: VerificationResult; readonly hasWitnesses: boolean }
  | { readonly fault: string };

interface Trusted {
  /** None if the reader trusts none. */
  readonly keyIds?: readonly string[];
  /** A policy. Empty if the reader has none. */
  readonly witnesses?: string;
  readonly now?: () => number;
}

/** Throws if the policy is none. */
export async function judge(
  text: string,
  { keyIds = [], witnesses = "", now = Date.now }: Trusted = {},
): Promise<Judged> {
  if (text.length > LARGEST_BUNDLE) return { fault: "it is larger than any" };
  const reading = readBundle(orUndefined((): unknown => JSON.parse(text)));
  if ("fault" in reading) return reading;
  const { bundle } = reading;
  const policy = witnesses.trim() === "" ? undefined : parseWitnessPolicy(witnesses);
  return {
    bundle,
    result: await verifyBundle(bundle, { now, policy, ...(keyIds.length > 0 && { trusted: { keyIds } }) }),
    hasWitnesses: policy !== undefined,
  };
}
