// Nothing moves while a page loads, although fonts come last and replies in the wrong order.
import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { casesOf, someOf } from "#test/support/runs.ts";
import { browserForFile } from "./support/browser.ts";
import { pathsOfPages } from "./support/every-page.ts";
import { shiftsWhileLoading } from "./support/layout-shifts.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { signIn } from "./support/sign-in.ts";

const PHONE = 390;
const DESKTOP = 1360;
const LIMIT = 0.01;
const all = <T>(of: readonly T[]): readonly T[] => of;

// Outside Linux a browser asks the system for its fonts, and cannot be told of others.
describe.skipIf(process.platform !== "linux").each([
  // In `npm test` each fonts with one width: a line breaks elsewhere because of either.
  { fonts: "Liberation", widths: casesOf([PHONE, DESKTOP], [PHONE]), some: all },
  { fonts: "DejaVu", widths: casesOf([PHONE, DESKTOP], [DESKTOP]), some: all },
  // Late fonts are not used there, whatever the width and the page.
  { fonts: "other fonts", widths: [PHONE], some: someOf },
] as const)("on a machine with $fonts", ({ fonts, widths, some }) => {
  const browser = browserForFile({ fonts });

  test.each(widths)("nothing moves on a page at %i pixels", async (width) => {
    const service = await openService();
    const paths = await pathsOfPages(service);
    const { page } = await browser.visit(service.url);
    await page.setViewportSize({ width, height: 900 });
    const shiftsOn = await shiftsWhileLoading(page, LIMIT);
    const moved: unknown[] = [];
    for (const path of some(paths)) moved.push(...(await shiftsOn(path)));
    expect(moved).toEqual([]);
  });

  test.each(widths)("nothing moves where one signs in, and on the page of keys, at %i pixels", async (width) => {
    const service = await openWithKeys();
    for (const role of ["agent:assistant", "auditor", "admin:health"]) await service.keyFor(role);
    const { page } = await browser.visit(service.url);
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, service.adminKey);
    const shiftsOn = await shiftsWhileLoading(page, LIMIT);
    expect(await shiftsOn(pagePath("keys"))).toEqual([]);
    await page.context().clearCookies();
    expect(await shiftsOn(pagePath("keys"))).toEqual([]);
    await page.getByLabel("Key", { exact: true }).waitFor();
  });
});
