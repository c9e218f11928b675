// Two implementations, one set of cases: every forgery, and mutated bundles, get the same verdict and codes from this
// service's verifier and from verify.py, which was written from docs/proof.md. Where there is no Python, this is skipped.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runs, seed } from "#test/support/runs.ts";
import { forgedBundles, judge } from "./forged-bundles.ts";
import { mutatedBundles } from "./mutated-bundles.ts";
import { hasPython, judgeInPython, VERIFY_PY } from "./python-verifier.ts";

test("verify.py has at most 1,000 lines and imports the standard library alone", () => {
  const source = readFileSync(VERIFY_PY, "utf8");
  expect(source.split("\n").length).toBeLessThanOrEqual(1_000);
  const imported = [...source.matchAll(/^ *(?:import|from) (.+?)(?: import .*)?$/gm)].flatMap(([, names = ""]) =>
    names.split(", "),
  );
  expect(imported.toSorted()).toEqual(
    [
      "argparse",
      "base64",
      "datetime",
      "decimal",
      "functools",
      "hashlib",
      "json",
      "re",
      "sys",
      "time",
      "unicodedata",
    ].toSorted(),
  );
});

test.skipIf(!hasPython)("verify.py gives every forgery the verdict and the codes of this verifier", async () => {
  const cases = await forgedBundles();
  expect(cases.length).toBeGreaterThan(500);
  const judged = await judgeInPython(cases);
  expect(judged).toHaveLength(cases.length);
  for (const [i, { name, bundle, nowMs }] of cases.entries())
    expect({ name, ...judged[i] }).toEqual({ name, ...(await judge(bundle, nowMs)) });
});

test.skipIf(!hasPython)("verify.py gives mutated bundles the verdict and the codes of this verifier", async () => {
  const cases = await Array.fromAsync(mutatedBundles(seed, runs(2_000, 200)));
  const judged = await judgeInPython(cases);
  for (const [i, { bundle, nowMs, ...seen }] of cases.entries())
    expect({ seed, i, ...judged[i] }).toEqual({ seed, i, ...(await judge(bundle, nowMs, seen)) });
  const codes = new Set(judged.flatMap(({ checks }) => checks.map(({ code }) => code)));
  expect(codes.size).toBeGreaterThan(30);
});
