// One browser for a test file, and a fresh context for each test, so that no test leaves anything for the next.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium as driver, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, vi } from "vitest";
import { chromiumPath, INSTALL_TIMEOUT_MS } from "./find-chromium.ts";
import { type PageErrors, reportPolicyViolations, watchPage } from "./page-errors.ts";

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
  // A page lives for seconds. The code of the optimizing compiler takes longer to make than it saves.
  "--js-flags=--no-turbofan",
];

export const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
export type Width = keyof typeof WIDTHS;

interface VisitOptions {
  readonly width?: Width;
  readonly permissions?: readonly string[];
}

export interface Visit {
  readonly page: Page;
  readonly errors: PageErrors;
  /** An error that this test provokes. The test fails when it does not occur, as it does when another one occurs. */
  expectError(pattern: RegExp): void;
}

/** How long a test waits for a condition, on a machine that may be busy. */
const CONDITION_TIMEOUT_MS = 60_000;

/** For a whole test. Its conditions fail long before. */
const TEST_TIMEOUT_MS = 300_000;

/** Waits until a condition of the test's own holds. */
export const eventually = (check: () => unknown) => expect.poll(check, { timeout: CONDITION_TIMEOUT_MS });

interface Browser {
  /** Opens a page of the service in a context of its own, which is closed when the test ends. */
  visit(origin: string, options?: VisitOptions): Promise<Visit>;
}

/** Call it once, at the top of a test file. */
export function browserForFile(): Browser {
  vi.setConfig({ testTimeout: TEST_TIMEOUT_MS });
  let launched: Awaited<ReturnType<typeof launch>> | undefined;

  beforeAll(async () => {
    launched = await launch();
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => launched?.close(), INSTALL_TIMEOUT_MS);

  return {
    async visit(origin, { width = "desktop", permissions = [] } = {}) {
      if (launched === undefined) throw new Error("the browser is launched before the first test");
      const context = await launched.browser.newContext({
        baseURL: origin,
        viewport: WIDTHS[width],
        hasTouch: width === "phone",
        colorScheme: "light",
        reducedMotion: "reduce",
        locale: "en-GB",
        timezoneId: "UTC",
        permissions: [...permissions],
      });
      return openPage(context);
    },
  };
}

async function openPage(context: BrowserContext): Promise<Visit> {
  context.setDefaultTimeout(CONDITION_TIMEOUT_MS);
  await reportPolicyViolations(context);
  const page = await context.newPage();
  const errors = watchPage(page);
  onTestFinished(async () => {
    await context.close();
    expect(errors.unexpected(), "errors in the page").toEqual([]);
  });
  return { page, errors, expectError: errors.expect };
}

async function launch() {
  const executablePath = await chromiumPath();
  const home = await mkdtemp(join(tmpdir(), "portcullis-chromium-"));
  // Chromium writes into the home of its user, and a container may have none. It gets a temporary one.
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin" };
  const browser = await driver.launch({ executablePath, args: ARGUMENTS, env, timeout: 2 * CONDITION_TIMEOUT_MS });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
