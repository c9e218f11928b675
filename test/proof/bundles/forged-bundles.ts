// Every forgery as a bundle, and what this verifier says of a bundle.
import { orUndefined } from "#core/defined.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { parseCheckpoint } from "#core/log/checkpoint.ts";
import { parseWitnessPolicy } from "#core/log/witness-policy.ts";
import type { Observation } from "#core/verify/observation.ts";
import { fetchersOf } from "#test/support/browser-fetchers.ts";
import { allForgeries } from "#test/verify/forgeries/all.ts";
import { forgedOpenings } from "#test/verify/forgeries/openings.ts";
import { type Bundle, fetchBundle, readBundle, verifyBundle } from "#verification/bundle.ts";
import { codesOf, type Judged, type PythonCase } from "./python-verifier.ts";

/** Undefined for a case that no bundle can hold: an opening that is a text in another form than JCS. */
async function bundleOf(seen: Observation): Promise<Bundle | undefined> {
  const told = seen.opening === undefined ? {} : orUndefined(() => ({ opening: readJcs(seen.opening ?? "") }));
  return told && fetchBundle(fetchersOf(seen), { receiptId: seen.receiptId, network: "testnet", ...told });
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

export async function judge(value: unknown, nowMs: number, { witnesses, checkpoint }: Seen = {}): Promise<Judged> {
  const reading = readBundle(value);
  if ("fault" in reading) return MALFORMED;
  const policy = witnesses === undefined ? undefined : parseWitnessPolicy(witnesses);
  const seen = checkpoint === undefined ? undefined : parseCheckpoint(checkpoint);
  return codesOf(await verifyBundle(reading.bundle, { now: () => nowMs, policy, seen }));
}

type Seen = Pick<PythonCase, "witnesses" | "checkpoint">;

const MALFORMED: Judged = { verdict: "malformed", checks: [] };
