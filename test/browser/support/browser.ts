// One browser for the test files of a worker, and a fresh context for each test, so that no test leaves anything for the
// next.
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContext, type Browser as Chromium, chromium as driver, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished, vi } from "vitest";
import { casesOf } from "#test/support/runs.ts";
import { INSTALL_TIMEOUT_MS } from "./debian-packages.ts";
import { chromiumPath } from "./find-chromium.ts";
import { type FontSet, fontConfiguration } from "./font-sets.ts";
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
];

/**
 * A page lives for seconds. The code of the optimizing compilers takes longer to make than it saves, and what is new in the
 * heap is collected often while there is little room for it.
 */
const QUICK = "--js-flags=--no-turbofan --no-maglev --min-semi-space-size=16";
/** With the first of them, a receipt is verified in two thirds of the CPU time. */
const COMPUTING = "--js-flags=--no-turbofan --min-semi-space-size=16";

export const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
export type Width = keyof typeof WIDTHS;

/**
 * Where a test uses a page from its beginning to its end. In `npm test` on a phone, where less fits; there it looks at the
 * page at the other width, too, and most other tests use theirs on a desktop.
 */
export const FLOW_WIDTHS = casesOf<Width>(["desktop", "phone"], ["phone"]);

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

interface LaunchOptions {
  /** The fonts of the machine, as far as the browser can see. Without it: those that are installed. */
  readonly fonts?: FontSet;
  /** For a file whose pages verify signatures and digests most of the time. */
  readonly computes?: boolean;
}

/** Call it once, at the top of a test file. With fonts, the browser is that of the file or `describe` alone. */
export function browserForFile(options: LaunchOptions = {}): Browser {
  vi.setConfig({ testTimeout: TEST_TIMEOUT_MS });
  const isShared = options.fonts === undefined;
  let launched: Chromium | undefined;

  beforeAll(async () => {
    launched = await (isShared ? sharedBrowser(options) : launch(options));
  }, INSTALL_TIMEOUT_MS);
  afterAll(async () => {
    if (!isShared) await launched?.close();
  }, INSTALL_TIMEOUT_MS);

  return {
    async visit(origin, { width = "desktop", permissions = [] } = {}) {
      if (launched === undefined) throw new Error("the browser is launched before the first test");
      const context = await launched.newContext({
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

/** Those of this worker. They end with the worker, which is their only client. */
const shared = new Map<boolean, Promise<Chromium>>();

function sharedBrowser({ computes = false }: LaunchOptions): Promise<Chromium> {
  const found = shared.get(computes);
  if (found !== undefined) return found;
  const launched = launch({ computes }).then((browser) => browser.on("disconnected", () => shared.delete(computes)));
  shared.set(computes, launched);
  return launched;
}

async function launch({ fonts, computes = false }: LaunchOptions): Promise<Chromium> {
  const executablePath = await chromiumPath();
  // Chromium writes into the home of its user, and a container may have none. It gets a temporary one.
  const home = await mkdtemp(join(inject("browserHomes"), "home-"));
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...(fonts && { FONTCONFIG_FILE: await fontConfiguration(fonts, home) }),
  };
  // A worker that is told to end must not wait for its browser.
  const signals = { handleSIGTERM: false, handleSIGINT: false, handleSIGHUP: false };
  const args = [...ARGUMENTS, computes ? COMPUTING : QUICK];
  return driver.launch({ executablePath, args, env, timeout: 2 * CONDITION_TIMEOUT_MS, ...signals });
}
