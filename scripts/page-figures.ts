// npm run web:figures: of each page of the demo, at 1,360 pixels: how many words it shows at first, how high it is, and
// when its largest part is painted (LCP) at 50 kB/s and 400 ms, and when a verification has its verdict there. Then how long
// a search in 5,000 memories takes, from the last key until its result is painted. `-- policy search` for a part of it.
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { NDJSON_TYPE } from "#contract/media-types.ts";
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

const MEMORIES = 5_000;
const SEARCHES = 20;
/** Between two keys: quick typing, and slower than the field waits for the next key. */
const KEYSTROKES_MS = [90, 180];

/** Runs in the page: when the last key was pressed, and when what was found is painted. */
const WATCH_SEARCH = `addEventListener("input", ({ target }) => {
  const pressed = performance.now();
  globalThis.found = new Promise((done) => {
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    function look() {
      const isSettled = /match/.test(document.querySelector("[aria-label='All memories'] > [role=status]")?.textContent ?? "");
      const first = document.querySelector("article")?.textContent ?? "";
      if (!isSettled || !first.includes(target.value)) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - pressed)));
    }
  });
}, true)`;

/** In milliseconds, each for another text, which one memory of all has. Also how many requests that took. */
async function searchTimes(browser: Browser, origin: string, keystroke: number) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 }, locale: "en-GB", timezoneId: "UTC" });
  await page.addInitScript(WATCH_SEARCH);
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/memories?")) requests += 1;
  });
  await page.goto(`${origin}${PAGES.memories.path}`);
  const field = page.getByRole("searchbox");
  await page.getByRole("article").first().waitFor();
  const before = requests;
  const times: number[] = [];
  for (let i = 0; i < SEARCHES; i++) {
    await field.fill("");
    await page.waitForTimeout(SETTLED_MS / 3);
    await field.pressSequentially(`${1_001 + ((i * 379) % 3_999)},`, { delay: keystroke });
    times.push(Number(await page.evaluate("found")));
  }
  await page.close();
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
  return { median: at(0.5), p95: at(0.95), longest: at(1), requests: (requests - before) / SEARCHES };
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

const isWanted = (name: string): boolean => process.argv.length <= 2 || process.argv.includes(name);

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
    if (!isWanted(name)) continue;
    const url = service.url + path.replace(/:(\w+)/, (_, key: string) => samples[key] ?? key);
    const [words, height] = await wordsAndHeight(browser, url);
    const [largest = "", verdict = ""] = await onSlowLine(browser, url, name === "verify");
    const row = [String(words).padStart(8), String(height).padStart(8), largest.padStart(10), verdict.padStart(14)];
    console.log(`${name.padEnd(18)}${row.join("")}`.trimEnd());
  }
  if (isWanted("search")) {
    const lines = Array.from({ length: MEMORIES }, (_, i) =>
      JSON.stringify({ namespace: `bulk-${i % 7}`, content: `The note ${i}, of many about one day`, sourceAgent: "a" }),
    );
    const headers = { "content-type": NDJSON_TYPE };
    const imported = await fetch(`${service.url}/api/memories/import`, {
      method: "POST",
      headers,
      body: lines.join("\n"),
    });
    if (!imported.ok) throw new Error(await imported.text());
    await imported.text();
    for (const keystroke of KEYSTROKES_MS) {
      const { median, p95, longest, requests } = await searchTimes(browser, service.url, keystroke);
      console.log(
        `search, a key each ${keystroke} ms: median ${median} ms, p95 ${p95} ms, longest ${longest} ms, ${requests.toFixed(1)} requests`,
      );
    }
  }
} finally {
  await browser.close();
  await service.stop();
}
