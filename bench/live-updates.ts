// How long a window shows a gate as it was after it was changed in another window, at another replica.
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { pagePath } from "#contract/page-paths.ts";
import { loadWeb } from "#http/static/app-files.ts";
import { chromiumPath } from "#test/browser/support/find-chromium.ts";
import { gate } from "#test/browser/support/policy-page.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import { type Service, startService } from "#test/support/start-service.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { quantile } from "./support/statistics.ts";

const ROUNDS = 3;
const CHANGES = 20;
const DIST = fileURLToPath(new URL("../web/dist", import.meta.url));

export const liveUpdates: Benchmark = {
  title: "a gate that is changed in one window, until another window at another replica shows it",

  async run(progress) {
    const postgres = await startPostgres();
    const replicas: Service[] = [];
    const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ["--no-sandbox"] });
    const rounds: number[][] = [];
    try {
      for (let i = 0; i < 2; i++)
        replicas.push(await startService({ database: postgres.url, web: await loadWeb(DIST) }));
      const [changing, watching] = await Promise.all([
        openWindow(browser, `${replicas[0]?.url}${pagePath("policy")}`),
        openWindow(browser, `${replicas[1]?.url}${pagePath("console")}`),
      ]);
      for (let round = 1; round <= ROUNDS; round++) {
        progress(`live: round ${round} of ${ROUNDS}`);
        rounds.push(await measure(changing, watching));
      }
    } finally {
      await browser.close();
      for (const replica of replicas) await replica.stop();
      await postgres.stop();
    }
    const each = (share: number) => rounds.map((round) => quantile(round, share));
    return {
      figures: [
        { id: "p50", what: "from the click until the other window shows it, p50", unit: "ms", rounds: each(0.5) },
        { id: "longest", what: "the longest", unit: "ms", rounds: each(1), aim: { under: 1_000 } },
      ],
      notes: [
        `Each round closes and opens a gate ${CHANGES} times on the policy page of one replica, and watches it on the console of the other.`,
        "Both replicas run in one process, on PostgreSQL, and share the machine with the browser.",
      ],
    };
  },
};

const health = (page: Page) => gate(page, "health", "assistant");

/** In a context of its own, as in another browser. Resolves when the page listens to changes. */
async function openWindow(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const listening = page.waitForResponse((response) => response.url().endsWith("/api/events"));
  await page.goto(url);
  await Promise.all([listening, health(page).waitFor()]);
  return page;
}

async function measure(changing: Page, watching: Page): Promise<number[]> {
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    // Resolves when the page has changed, at the time of the browser's clock, which all pages share.
    const shown = watching.evaluate<number>(CHANGED);
    const clicked = await changing.evaluate<number>(CLICK);
    times.push((await shown) - clicked);
  }
  return times;
}

// They run in the page. As text, because this file has no types of the DOM.
const NOW = "performance.timeOrigin + performance.now()";
const GATE = `document.querySelector('[role=switch][aria-label="health for assistant"]')`;
const CLICK = `(() => { const now = ${NOW}; ${GATE}.click(); return now; })()`;
const CHANGED = `new Promise((resolve) => {
  new MutationObserver((_, observer) => { observer.disconnect(); resolve(${NOW}); })
    .observe(${GATE}, { attributeFilter: ["aria-checked"] });
})`;
