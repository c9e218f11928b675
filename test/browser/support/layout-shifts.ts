// What moves on a page while it loads (https://wicg.github.io/layout-instability/).
import type { Page } from "playwright-core";

/** Half of what https://web.dev/articles/cls calls good. */
const NOTICED = 0.05;

/** TypeScript's library does not have it. */
interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
}

type Shifts = readonly (readonly [value: number, what: string])[];

/** Call it before the pages are opened. */
export async function recordShifts(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const shifts: [value: number, what: string][] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as LayoutShift[]) {
        const nodes = entry.sources.map(({ node }) => (node as Element | null)?.outerHTML?.slice(0, 120));
        if (!entry.hadRecentInput) shifts.push([entry.value, nodes.join(" | ")]);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** What moves on a page, on a phone and on a desktop; empty when nobody notices it. */
export async function movedOn(page: Page, path: string): Promise<unknown[]> {
  const moved: unknown[] = [];
  for (const width of [390, 1360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForFunction(() => !document.body.innerText.includes("Loading "));
    await page.evaluate(() => document.fonts.ready);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Shifts }).shifts);
    const sum = shifts.reduce((total, [value]) => total + value, 0);
    if (sum >= NOTICED) moved.push({ path, width, sum, shifts });
  }
  return moved;
}
