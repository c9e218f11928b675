// Bundles with a change somewhere: in the file itself, in bytes that it holds, in a receipt that is then signed or anchored
// again, in an opening. All follow from a seed.
import { sealedReceiptOf } from "#core/receipt/receipt-shape.ts";
import { anchored, anchoredReceipt, goodReceipt, plainReceipt } from "#test/support/anchored-receipt.ts";
import { fetchersOf } from "#test/support/browser-fetchers.ts";
import { POLICY } from "#test/support/log-proof.ts";
import { narrowedCase, onPseudonyms, openingOf, sealedCase, withOpening } from "#test/support/sealed-case.ts";
import type { ReceiptJson } from "#test/support/signed-receipt.ts";
import { type Random, randomFrom } from "#test/torture/kills/seeded-random.ts";
import { datedTombstones } from "#test/verify/forgeries/dated-tombstones.ts";
import { altered, another, leavesOf, without } from "#test/verify/forgeries/forgery.ts";
import { anchoredLog, promised } from "#test/verify/forgeries/logs.ts";
import { type Bundle, fetchBundle } from "#verification/bundle.ts";

export interface MutatedBundle {
  readonly bundle: unknown;
  readonly nowMs: number;
  /** A policy of witnesses, by which some are judged. */
  readonly witnesses?: string;
}

/** Values of every kind that a rule may have overlooked. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 2 ** 53, 2 ** 53 - 1, 1e21, 5e-7, "", " ", "a", "e\u0301", "\u00e9", "\u0000"],
  ...["\t", "x\u0085y", "\u2028", "\ufeff", "\u{1f600}".repeat(64), "\u{1f600}".repeat(65), "x".repeat(129), [], {}],
  ...["0".repeat(64), "A".repeat(64), "0".repeat(63), "A".repeat(86), `${"A".repeat(85)}B`, "2026-02-30T00:00:00.000Z"],
  ...["2026-05-01T10:00:00Z", "2026-05-01T10:00", "2026-05-01T10:00:00+02:00", "2026-05-01T10:00:00.1234-23:59"],
  ...["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "1960-01-01T00:00:00.000Z", "2026-05-01T24:00:00.000Z"],
  ...["+010000-01-01T00:00:00.000Z", "answered", "recalled", "assistant/1", "assistant/2", "mem-1", "diet", "health"],
];

/** Some member or leaf of a JSON tree, changed, replaced, removed or doubled. */
function changed<T>(tree: T, random: Random): T {
  const leaves = leavesOf(tree);
  const path = random.pick(leaves).slice(0, random.below(4) === 0 ? -1 : undefined);
  switch (random.below(5)) {
    case 0:
    case 1:
      return altered(tree, path, another);
    case 2:
      return altered(tree, path, () => random.pick(VALUES));
    case 3:
      return altered(tree, path.slice(0, -1), (holder) =>
        typeof holder === "object" && holder !== null && !Array.isArray(holder)
          ? without(holder, String(path.at(-1)))
          : random.pick(VALUES),
      );
    default:
      return altered(tree, path.slice(0, -1), (holder) =>
        Array.isArray(holder)
          ? [...holder, ...holder]
          : { ...(holder as object), [`x${random.below(3)}`]: random.pick(VALUES) },
      );
  }
}

/** One of the texts of base64 with other bytes. */
function withBytes(bundle: Bundle, random: Random): unknown {
  const paths = leavesOf(bundle).filter((path) => ["blobs", "content", "bcs"].some((name) => path.includes(name)));
  return altered(bundle, random.pick(paths), (text) => {
    const bytes = Buffer.from(String(text), "base64");
    const at = random.below(bytes.length);
    const kind = random.below(4);
    if (kind === 0) return bytes.subarray(0, at).toString("base64");
    if (kind === 1) return Buffer.concat([bytes, Buffer.from([random.below(256)])]).toString("base64");
    bytes[at] = kind === 2 ? random.below(256) : (bytes[at] as number) ^ (1 << random.below(8));
    return bytes.toString("base64");
  });
}

/** A receipt with a change, signed or not, anchored as it is. */
function reanchored(random: Random) {
  const alter = (receipt: ReceiptJson): ReceiptJson => changed(receipt, random);
  switch (random.below(5)) {
    case 0:
      return anchoredReceipt(changed(plainReceipt(), random));
    case 1:
      return anchoredReceipt(changed(goodReceipt(), random));
    case 2:
      return anchoredReceipt(changed(sealedReceiptOf(goodReceipt() as never), random));
    case 3:
      return anchored({ alter });
    default:
      return sealedCase({ alter }).seen;
  }
}

/** A sealed receipt, and an opening with a change. */
function reopened(random: Random) {
  const sealed = random.pick([() => sealedCase(), () => onPseudonyms(), () => narrowedCase()])();
  const opening =
    random.below(2) === 0 ? sealed.whole : openingOf(sealed, Object.keys(sealed.values).slice(random.below(4)));
  return withOpening(sealed.seen, changed({ ...opening, blobs: [], names: [] }, random));
}

/** With the log, and the object of the ledger that it names. */
function withLog<T extends Pick<Bundle, "objects">>(bundle: T) {
  const { content, bcs, ...object } = anchoredLog.anchored;
  const base64 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("base64");
  const anchored = { ...object, content: base64(content), bcs: base64(bcs) };
  return { ...bundle, objects: { ...bundle.objects, [object.objectId]: anchored }, log: anchoredLog.log };
}

export async function* mutatedBundles(seed: number, count: number): AsyncGenerator<MutatedBundle> {
  const random = randomFrom(seed);
  const honest = [anchored(), sealedCase().seen, withOpening(sealedCase().seen, sealedCase().whole)];
  const { receiptId: _, ...unanchored } = await bundleOf(anchoredReceipt(promised));
  const receipt = sealedReceiptOf(promised as never);
  const logged = [await bundleOf(anchoredReceipt(promised)), { ...unanchored, receipt }];
  const bases: (Omit<MutatedBundle, "bundle"> & { readonly bundle: Bundle })[] = [
    ...(await Promise.all(honest.map(async (seen) => ({ nowMs: seen.nowMs, bundle: await bundleOf(seen) })))),
    ...logged.map((bundle) => ({ nowMs: anchored().nowMs, bundle: withLog(bundle), witnesses: POLICY })),
  ];
  for (const { seen, log } of datedTombstones.filter((_, i) => i % 4 === 0))
    bases.push({ nowMs: seen.nowMs, bundle: { ...(await bundleOf(seen)), log }, witnesses: POLICY });
  for (let made = 0; made < count; ) {
    const kind = random.below(4);
    const { bundle, nowMs, ...judged } = random.pick(bases);
    if (kind < 2) {
      made++;
      yield { nowMs, ...judged, bundle: kind === 0 ? changed(bundle, random) : withBytes(bundle, random) };
      continue;
    }
    // Some changes leave nothing that can be sealed, or written as JSON.
    const seen = attempt(() => (kind === 2 ? reanchored(random) : reopened(random)));
    const remade = seen && (await bundleOf(seen).catch(() => undefined));
    if (remade === undefined) continue;
    made++;
    yield { nowMs, bundle: remade };
  }
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

async function bundleOf(seen: Parameters<typeof fetchersOf>[0] & { readonly opening?: string | undefined }) {
  const told = seen.opening === undefined ? {} : { opening: JSON.parse(seen.opening) as unknown };
  const bundle = await fetchBundle(fetchersOf(seen), { receiptId: seen.receiptId, network: "testnet", ...told });
  return bundle as Bundle;
}
