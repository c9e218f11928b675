// Every forgery as a bundle, and what this verifier says of a bundle.
import { orUndefined } from "#core/defined.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type { Observation } from "#core/verify/observation.ts";
import { fetchersOf } from "#test/support/browser-fetchers.ts";
import { allForgeries } from "#test/verify/forgeries/all.ts";
import { forgedOpenings } from "#test/verify/forgeries/openings.ts";
import { type Bundle, fetchBundle, readBundle, verifyBundle } from "#verification/bundle.ts";
import { codesOf, type Judged } from "./python-verifier.ts";

/** Undefined for a case that no bundle can hold: an opening that is a text in another form than JCS. */
async function bundleOf(seen: Observation): Promise<Bundle | undefined> {
  const told = seen.opening === undefined ? {} : orUndefined(() => ({ opening: readJcs(seen.opening ?? "") }));
  return told && fetchBundle(seen.receiptId, fetchersOf(seen), { network: "testnet", ...told });
}

function readJcs(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (canonicalJson(value) !== text) throw new Error("another form");
  return value;
}

export async function forgedBundles() {
  const cases = [];
  for (const { name, seen } of [...allForgeries, ...forgedOpenings]) {
    const bundle = await bundleOf(seen);
    if (bundle !== undefined) cases.push({ name, bundle, nowMs: seen.nowMs });
  }
  return cases;
}

export async function judge(value: unknown, nowMs: number): Promise<Judged> {
  const reading = readBundle(value);
  return "fault" in reading ? MALFORMED : codesOf(await verifyBundle(reading.bundle, { now: () => nowMs }));
}

const MALFORMED: Judged = { verdict: "malformed", checks: [] };
