// npm run web:figures: of each page of the demo, at 1,360 pixels: how many words it shows at first, how high it is, and
// when its largest part is painted (LCP) at 50 kB/s and 400 ms, and when a verification has its verdict there.
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { PAGES } from "#contract/page-paths.ts";
import { loadWeb } from "#http/static/app-files.ts";
import { chromiumPath } from "#test/browser/support/find-chromium.ts";
import { startFreshService } from "./fresh-service.ts";

const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SETTLED_MS = 1_500;
/** Nothing larger is painted that much later. */
const PAINTED_MS = 8_000;

/** Runs in the page. */
const WATCH = `new PerformanceObserver((list) => {
  globalThis.largest = list.getEntries().at(-1)?.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new MutationObserver((_, self) => {
  if (document.querySelector("[data-verdict]:not([data-verdict=pending])") === null) return;
  globalThis.verdict = performance.now();
  self.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true })`;

async function open(browser: Browser, url: string, isSlow: boolean) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 }, locale: "en-GB", timezoneId: "UTC" });
  await page.addInitScript(WATCH);
  if (isSlow) await (await page.context().newCDPSession(page)).send("Network.emulateNetworkConditions", SLOW);
  await page.goto(url, { waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForTimeout(isSlow ? PAINTED_MS : SETTLED_MS);
  return page;
}

async function wordsAndHeight(browser: Browser, url: string): Promise<readonly [words: number, height: number]> {
  const page = await open(browser, url, false);
  const text = await page.locator("body").innerText();
  const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
  await page.close();
  return [text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length, height];
}

async function onSlowLine(browser: Browser, url: string, isVerification: boolean): Promise<string[]> {
  const page = await open(browser, url, true);
  const times = [await page.evaluate("largest")];
  if (isVerification) times.push(await page.evaluate("verdict"));
  await page.close();
  return times.map((ms) => (Number(ms) / 1_000).toFixed(2));
}

const web = await loadWeb(join(import.meta.dirname, "../web/dist"));
if (web === undefined) throw new Error("web/dist does not exist. Build it with: node scripts/setup.mjs --web");
const service = await startFreshService({}, { web });
const browser = await chromium.launch({
  executablePath: await chromiumPath(),
  args: ["--no-sandbox", "--disable-gpu"],
});

// biome-ignore lint/suspicious/noExplicitAny: a reply of the service, read field by field.
async function post(path: string, body: unknown): Promise<any> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${service.url}/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

try {
  const question = { agentId: "assistant", query: "What may I eat on Friday?" };
  const { receipt } = await post("chat", question);
  const { receiptId, txDigest: digest } = await post("anchor-chain", { receipt });
  for (let i = 0; i < 10; i++) await post("chat", { ...question, query: `${question.query} ${i}` });
  const samples: Readonly<Record<string, string>> = {
    ...{ answerId: receipt.answerId, receiptId, objectId: receiptId, digest },
    ...{ agentId: "assistant", name: "health", memoryId: receipt.usedMemories[0].memoryId },
  };
  console.log("page                 words  height  LCP in s  verdict in s");
  for (const [name, { path }] of Object.entries(PAGES)) {
    if (process.argv.length > 2 && !process.argv.includes(name)) continue;
    const url = service.url + path.replace(/:(\w+)/, (_, key: string) => samples[key] ?? key);
    const [words, height] = await wordsAndHeight(browser, url);
    const [largest = "", verdict = ""] = await onSlowLine(browser, url, name === "verify");
    const row = [String(words).padStart(8), String(height).padStart(8), largest.padStart(10), verdict.padStart(14)];
    console.log(`${name.padEnd(18)}${row.join("")}`.trimEnd());
  }
} finally {
  await browser.close();
  await service.stop();
}
