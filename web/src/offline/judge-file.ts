// Verifies the text of a file that `portcullis proof` wrote.
import { orUndefined } from "#core/defined.ts";
import type { VerificationResult } from "#core/verify/verify-receipt.ts";
import { type Bundle, LARGEST_BUNDLE, readBundle, verifyBundle } from "#verification/bundle.ts";

export type Judged = { readonly bundle: Bundle; readonly result: VerificationResult } | { readonly fault: string };

/** `keyIds` are those that the reader trusts; none if there are none. */
export async function judge(text: string, keyIds: readonly string[], now = Date.now): Promise<Judged> {
  if (text.length > LARGEST_BUNDLE) return { fault: "it is larger than any" };
  const reading = readBundle(orUndefined((): unknown => JSON.parse(text)));
  if ("fault" in reading) return reading;
  const { bundle } = reading;
  const result = await verifyBundle(bundle, { now, ...(keyIds.length > 0 && { trusted: { keyIds } }) });
  return { bundle, result };
}
