// One browser for a test file, a fresh context for each test: nothing of one test is left for the next.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium as driver, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, vi } from "vitest";
import { CHROMIUM_MS, chromium } from "./find-chromium.ts";
import { type Troubles, watchContext, watchPage } from "./page-errors.ts";

const ARGUMENTS = [
  "--no-sandbox",
  "--headless",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
export type Width = keyof typeof WIDTHS;
export type Scheme = "light" | "dark";

export interface VisitOptions {
  readonly width?: Width;
  readonly scheme?: Scheme;
  readonly permissions?: readonly string[];
}

export interface Visit {
  readonly page: Page;
  readonly troubles: Troubles;
  /** Something that is meant to go wrong: the test fails when it does not, as it does when anything else goes wrong. */
  expectTrouble(pattern: RegExp): void;
}

/** Conditions, on a machine that may be busy: a test waits as long as this for what it expects. */
export const PATIENCE_MS = 20_000;

/** For a whole test: it fails by its conditions, long before. */
const TEST_MS = 120_000;

export interface Visitors {
  /** A visitor with a page of their own, at the service's address. Leaves when the test ends. */
  visit(origin: string, options?: VisitOptions): Promise<Visit>;
}

/** To be called once, at the top of a test file. */
export function browserForFile(): Visitors {
  vi.setConfig({ testTimeout: TEST_MS });
  let launched: Awaited<ReturnType<typeof launch>> | undefined;

  beforeAll(async () => {
    launched = await launch();
  }, CHROMIUM_MS);
  afterAll(() => launched?.close(), CHROMIUM_MS);

  return {
    async visit(origin, { width = "desktop", scheme = "light", permissions = [] } = {}) {
      if (launched === undefined) throw new Error("the browser is launched before the first test");
      const context = await launched.browser.newContext({
        baseURL: origin,
        viewport: WIDTHS[width],
        hasTouch: width === "phone",
        colorScheme: scheme,
        reducedMotion: "reduce",
        locale: "en-GB",
        timezoneId: "UTC",
        permissions: [...permissions],
      });
      return visitIn(context);
    },
  };
}

async function visitIn(context: BrowserContext): Promise<Visit> {
  context.setDefaultTimeout(PATIENCE_MS);
  await watchContext(context);
  const page = await context.newPage();
  const troubles = watchPage(page);
  onTestFinished(async () => {
    await context.close();
    expect(troubles.unsettled(), "what went wrong in the page").toEqual([]);
  });
  return { page, troubles, expectTrouble: troubles.expect };
}

async function launch() {
  const executablePath = await chromium();
  const home = await mkdtemp(join(tmpdir(), "portcullis-chromium-"));
  // Chromium writes into its user's home, which a container may not have: it gets one that goes away with it.
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin" };
  const browser = await driver.launch({ executablePath, args: ARGUMENTS, env, timeout: 3 * PATIENCE_MS });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
