// verify.html: one file, made of this verifier's code, which can connect to nobody.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { POLICY } from "#test/support/log-proof.ts";
import { someOf } from "#test/support/runs.ts";
import { directoryForTest } from "#test/support/service.ts";
import { pageOf, verifierScript } from "../../../scripts/verify-html/build.ts";
import { loadPage } from "./compare-verifiers.ts";
import { forgedBundles, judge } from "./forged-bundles.ts";

let script: string;

beforeAll(async () => {
  script = await verifierScript();
});

test("the page refers to nothing outside of itself, and its policy allows this script alone", () => {
  const page = pageOf(script);
  expect(page).not.toMatch(/\s(?:src|href|action)=/);
  expect(script).not.toMatch(/\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\b|https?:/);
  const [, inline = ""] = /<script type="module">([\s\S]*)<\/script>/.exec(page) ?? [];
  const hash = createHash("sha256").update(inline).digest("base64");
  expect(page).toContain(`default-src 'none'; script-src 'sha256-${hash}'`);
});

test("the script in it gives forgeries the verdict and the codes of this verifier", async () => {
  const path = join(await directoryForTest(), "verify-file.mjs");
  writeFileSync(path, script);
  const judgeInPage = await loadPage(path);
  for (const { name, ...one } of someOf(await forgedBundles())) {
    const judged = await judgeInPage({ ...one, witnesses: POLICY });
    expect({ name, ...judged }).toEqual({ name, ...(await judge(one.bundle, one.nowMs, { witnesses: POLICY })) });
  }
  expect(await judgeInPage({ bundle: {}, nowMs: 0 })).toEqual(await judge({}, 0));
});
