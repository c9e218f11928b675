// What makes a page quick on a slow line: few round trips, each after the one before, and few bytes until the largest part
// of the page is painted. Times are measured by `npm run web:figures`; they depend on the machine, and these do not.
import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { PAGES } from "#contract/page-paths.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";

const ROUND_TRIP_MS = 400;
const BYTES_PER_MS = 50;
/** The rest is for the browser, which parses, runs and paints. */
const LARGEST_PAINT_MS = 3_500 - 200;
/** The document; the app and its styles; the code of the page and its data. */
const ROUND_TRIPS = 3;
/** What is on the ledger is asked for once the service has said which one it uses. */
const ROUND_TRIPS_TO_LEDGER = 4;
/** A busy browser asks late, and a request counts for the next round trip. Never is one counted too few. */
const TRIES = 3;
/** So often the page must have nothing to do, without a request. */
const IDLE_PERIODS = 5;

const browser = browserForFile();

interface Load {
  readonly roundTrips: number;
  readonly bytes: number;
  /** What is asked for. */
  readonly sent: readonly string[];
}

test("on a slow line, the largest part of each page is painted after three round trips and few bytes, and nothing is asked for twice", async () => {
  const service = await openService();
  const { receipt, receiptId, txDigest } = await askAndAnchor(service);
  const samples = new Map([
    ...[["answerId", receipt.answerId] as const, ["digest", txDigest] as const],
    ...["receiptId", "objectId"].map((name) => [name, receiptId] as const),
    ...[["agentId", "assistant"] as const, ["name", "health"] as const],
    ["memoryId", receipt.usedMemories[0]?.memoryId ?? ""],
  ]);
  const { page } = await browser.visit(service.url);
  const load = await pageLoader(page);
  const slow: unknown[] = [];
  for (const row of Object.values(PAGES)) {
    if ("forIdentities" in row) continue;
    const path = row.path.replace(/:(\w+)/, (_, name: string) => samples.get(name) ?? name);
    const tries: Load[] = [];
    const most = row.path.startsWith(`${PAGES.ledger.path}/`) ? ROUND_TRIPS_TO_LEDGER : ROUND_TRIPS;
    const isQuick = ({ roundTrips, bytes }: Load): boolean =>
      roundTrips <= most && roundTrips * ROUND_TRIP_MS + bytes / BYTES_PER_MS < LARGEST_PAINT_MS;
    while (tries.length < TRIES && !tries.some(isQuick)) tries.push(await load(path));
    if (!tries.some(isQuick)) slow.push({ path: row.path, tries });
    for (const { sent } of tries) {
      expect(sent.length, path).toBeGreaterThan(0);
      expect(new Set(sent).size, `${path}: ${sent}`).toBe(sent.length);
    }
  }
  expect(slow).toEqual([]);
});

/**
 * The function that it returns opens a page, up to its largest paint. All that is asked for at the same time is answered
 * together, and nothing from a cache: while a page has routes, its browser keeps none.
 */
async function pageLoader(page: Page): Promise<(path: string) => Promise<Load>> {
  await page.addInitScript(watchLargestPaint);
  let sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().includes("/api/")) sent.push(request.url());
  });
  const held: { readonly request: Request; readonly release: () => Promise<void> }[] = [];
  await page.route(/\/(?:assets|api|v1|theme|openapi)(?!\/events)/, (route) => {
    held.push({ request: route.request(), release: () => route.continue() });
  });
  return async (path) => {
    await page.goto("about:blank");
    // The last requests of the page before are cancelled: nobody waited for them.
    held.length = 0;
    sent = [];
    const document = await page.goto(path, { waitUntil: "commit" });
    const trips = [{ at: 0, bytes: document === null ? 0 : await bytesOf(document.request()) }];
    await untilNothingIsAsked(page, held);
    while (held.length > 0 || !(await page.evaluate(isLoaded))) {
      const together = held.splice(0);
      const at = Date.now();
      await Promise.all(together.map(({ release }) => release()));
      const sizes = await Promise.all(together.map(({ request }) => bytesOf(request)));
      if (together.length > 0) trips.push({ at, bytes: sizes.reduce((sum, size) => sum + size, 0) });
      await untilNothingIsAsked(page, held);
    }
    // It is given the replies to what it asked for before the app was there.
    const isTaken = () =>
      page.evaluate(() => (globalThis as unknown as { earlyRequests: Map<string, unknown> }).earlyRequests.size);
    await eventually(isTaken).toBe(0);
    const paintedAt = await page.evaluate(() => (globalThis as unknown as { largestPaint: number }).largestPaint);
    const before = trips.filter(({ at }) => at < paintedAt);
    return { roundTrips: before.length, bytes: before.reduce((sum, { bytes }) => sum + bytes, 0), sent };
  };
}

/** Text is painted in a fallback face until its font comes. */
async function bytesOf(request: Request): Promise<number> {
  await (await request.response())?.finished();
  if (request.resourceType() === "font") return 0;
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  return responseBodySize + responseHeadersSize;
}

/** Runs in the page. */
function watchLargestPaint(): void {
  new PerformanceObserver((list) => {
    Object.assign(globalThis, { largestPaint: performance.timeOrigin + (list.getEntries().at(-1)?.startTime ?? 0) });
  }).observe({ type: "largest-contentful-paint", buffered: true });
}

/** Runs in the page. */
const isLoaded = (): boolean =>
  document.querySelector("h1") !== null && !document.body.textContent.includes("Loading ");

/** Runs in the page. One that waits for a script has no idle periods. */
const untilIdle = () =>
  new Promise((done) => {
    requestIdleCallback(done);
    setTimeout(done, 50);
  });

async function untilNothingIsAsked(page: Page, asked: readonly unknown[]): Promise<void> {
  let before = -1;
  while (before !== asked.length) {
    before = asked.length;
    for (let i = 0; i < IDLE_PERIODS; i++) await page.evaluate(untilIdle);
  }
}
