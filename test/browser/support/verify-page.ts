// What a visitor reads on the verifier's page.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { PATIENCE_MS } from "./browser.ts";

export type Verdict = "verified" | "failed" | "unknown";

const HEADLINES = { verified: "Verified", failed: "Failed", unknown: "Unknown" } as const;

/** Waits for the browser's own verdict and for the service's. */
export async function expectVerdict(page: Page, verdict: Verdict, ofService: Verdict = verdict): Promise<void> {
  await page.locator(`[data-verdict="${verdict}"]`).waitFor();
  await page.getByRole("heading", { level: 1, name: HEADLINES[verdict], exact: true }).waitFor();
  await page.locator(`[data-service-verdict="${ofService}"]`).waitFor();
}

/** Every check, by name, with its status; several of one name in their order. */
export async function statusesOn(page: Page): Promise<Map<string, string>> {
  const rows = await page.locator("[data-check]").evaluateAll((elements) =>
    elements.map((element) => {
      const { check = "", status = "" } = (element as HTMLElement).dataset;
      return [check, status] as const;
    }),
  );
  const statuses = new Map<string, string>();
  for (const [name, status] of rows) {
    const before = statuses.get(name);
    statuses.set(name, before === undefined ? status : `${before} ${status}`);
  }
  return statuses;
}

export const checkOn = (page: Page, name: string) => page.locator(`[data-check="${name}"]`);

/** Waits until a condition of the test's own holds. */
export const eventually = (check: () => unknown) => expect.poll(check, { timeout: PATIENCE_MS });
