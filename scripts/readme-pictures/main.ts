// npm run readme-pictures: takes the pictures that README.md shows from a real service, with Chromium, and makes the
// animation of the gate at work.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { loadWeb, type WebFiles } from "#http/static/app-files.ts";
import type { LanguageModel } from "#ports.ts";
import { chromiumPath } from "#test/browser/support/find-chromium.ts";
import { startFreshService } from "../fresh-service.ts";
import { ask, closeGate } from "./console-actions.ts";
import { filmGate } from "./film-gate.ts";
import { gifOf } from "./gif.ts";
import { heldModel } from "./held-model.ts";

const ROOT = join(import.meta.dirname, "../..");
const docs = (name: string) => join(ROOT, "docs", name);
const MOST_BYTES = 1_500_000;
/** The animation is 940 pixels wide, of a page that has room for two columns. */
const FILM_SCALE = 0.84;

interface Studio {
  readonly browser: Browser;
  readonly web: WebFiles;
}

async function onFreshService({ browser, web }: Studio, visit: (page: Page) => Promise<void>, model?: LanguageModel) {
  const service = await startFreshService({}, { web, ...(model && { model }) });
  const deviceScaleFactor = model === undefined ? 1 : FILM_SCALE;
  const page = await browser.newPage({ deviceScaleFactor, colorScheme: "light", locale: "en-GB", timezoneId: "UTC" });
  try {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(service.url);
    await visit(page);
  } finally {
    await page.close();
    await service.stop();
  }
}

/** From the top of the page down, no more than `mostHeight` pixels. */
async function picture(page: Page, name: string, mostHeight: number): Promise<void> {
  await page.evaluate("document.activeElement?.blur(); scrollTo(0, 0); document.fonts.ready.then(() => true)");
  const { width = 0 } = page.viewportSize() ?? {};
  const height = Math.min(mostHeight, Number(await page.evaluate("document.documentElement.scrollHeight")));
  const clip = { x: 0, y: 0, width, height };
  await page.screenshot({ path: docs(name), fullPage: true, clip, animations: "disabled" });
}

/** Two answers, before and after a gate was closed. */
async function comparison(page: Page): Promise<void> {
  await ask(page);
  await closeGate(page, "health");
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByRole("heading", { name: "What changed" }).waitFor();
  await picture(page, "console.png", 1_640);
}

async function verification(page: Page): Promise<void> {
  await ask(page);
  await page.getByRole("button", { name: "Anchor on the ledger" }).click();
  await page.getByRole("button", { name: /^Anchor with/ }).click();
  await page.getByRole("link", { name: "Verify it" }).click();
  await page.waitForURL(/\/verify\/0x/);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("[data-not-shown]").waitFor();
  await picture(page, "verify.png", 1_250);
}

const web = await loadWeb(join(ROOT, "web/dist"));
if (web === undefined) throw new Error("web/dist does not exist. Build it with: node scripts/setup.mjs --web");
const browser = await chromium.launch({
  executablePath: await chromiumPath(),
  args: ["--no-sandbox", "--disable-gpu"],
});
const studio = { browser, web };
try {
  await onFreshService(studio, comparison);
  await onFreshService(studio, verification);
  const { model, say } = heldModel();
  await onFreshService(
    studio,
    async (page) => {
      const gif = gifOf(await filmGate(page, say));
      if (gif.length > MOST_BYTES) throw new Error(`the animation has ${gif.length} bytes, more than ${MOST_BYTES}`);
      await writeFile(docs("gate.gif"), gif);
    },
    model,
  );
} finally {
  await browser.close();
}
