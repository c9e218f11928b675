// What moves on a page while it loads (https://wicg.github.io/layout-instability/).
import type { Page } from "playwright-core";

/** TypeScript's library does not have it. */
interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
}

type Shifts = readonly (readonly [value: number, what: string])[];

/**
 * Opens pages on which fonts come last and replies in the wrong order. The function that it returns opens one, and lists
 * what has moved without the user's doing: nothing if that is below the limit (https://web.dev/articles/cls calls .1 good).
 */
export async function shiftsWhileLoading(page: Page, limit: number): Promise<(path: string) => Promise<unknown[]>> {
  await page.context().addInitScript(watchShifts);
  const releaseFonts = await holdRequests(page, "**/*.woff2");
  const releaseReplies = await holdRequests(page, /\/api\/(?!events)/);
  return async (path) => {
    await page.goto(path, { waitUntil: "commit" });
    await releaseReplies(() => page.evaluate(isLoaded));
    await releaseFonts(() => page.evaluate(() => document.fonts.status === "loaded"));
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Shifts }).shifts);
    const sum = shifts.reduce((total, [value]) => total + value, 0);
    return sum < limit ? [] : [{ path, sum, shifts }];
  };
}

/** Notes what moves, and how much. Runs in the page. */
function watchShifts(): void {
  const shifts: [value: number, what: string][] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as LayoutShift[]) {
      const nodes = entry.sources.map(({ node }) => (node as Element | null)?.outerHTML?.slice(0, 120));
      if (!entry.hadRecentInput) shifts.push([entry.value, nodes.join(" | ")]);
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Runs in the page. */
function isLoaded(): boolean {
  return document.querySelector("h1") !== null && !document.body.textContent.includes("Loading ");
}

/**
 * Holds all requests to `url`. The function that it returns lets them go one at a time, the newest first, each after the
 * page has painted what came of the one before, until all are gone and `isDone`.
 */
async function holdRequests(page: Page, url: string | RegExp) {
  const held: (() => Promise<void>)[] = [];
  await page.route(url, (route) => void held.push(() => route.continue()));
  const painted = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return async (isDone: () => Promise<boolean>): Promise<void> => {
    while (held.length > 0 || !(await isDone())) {
      await held.pop()?.();
      await painted();
    }
    await painted();
  };
}
