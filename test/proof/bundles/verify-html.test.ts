// verify.html: one file, made of this verifier's code, which can connect to nobody.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { POLICY } from "#test/support/log-proof.ts";
import { someOf } from "#test/support/runs.ts";
import { directoryForTest } from "#test/support/service.ts";
import type { judge as judgeFile } from "#web/offline/judge-file.ts";
import { pageOf, verifierScript } from "../../../scripts/verify-html/build.ts";
import { forgedBundles, judge } from "./forged-bundles.ts";
import { codesOf } from "./python-verifier.ts";

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
  const built = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as { readonly judge: typeof judgeFile };
  for (const { name, bundle, nowMs } of someOf(await forgedBundles())) {
    const judged = await built.judge(JSON.stringify(bundle), { now: () => nowMs, witnesses: POLICY });
    const codes = "fault" in judged ? judged : codesOf(judged.result);
    expect({ name, ...codes }).toEqual({ name, ...(await judge(bundle, nowMs, { witnesses: POLICY })) });
  }
  expect(await built.judge("{}")).toHaveProperty("fault");
});
