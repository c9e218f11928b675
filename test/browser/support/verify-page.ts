// Reads the verifier's page.
import type { Page } from "playwright-core";

type Verdict = "verified" | "failed" | "unknown";

/** A failure names what failed. */
const HEADLINES = {
  verified: /^(?:Verified|Consistent: on a ledger that the operator keeps)$/,
  failed: /^Failed: ./,
  unknown: /^Unknown$/,
} as const;

/** Waits for the verdicts of the browser and of the service. */
export async function expectVerdict(page: Page, verdict: Verdict, ofService: Verdict = verdict): Promise<void> {
  await page.locator(`[data-verdict="${verdict}"]`).waitFor();
  await page.getByRole("heading", { level: 1, name: HEADLINES[verdict] }).waitFor();
  // The details come after the verdict, and folded.
  const service = page.locator(`[data-service-verdict="${ofService}"]`);
  await service.waitFor({ state: "attached" });
  await unfold(page);
  await service.waitFor();
}

/** Opens all that is folded at first. */
export const unfold = (page: Page): Promise<void> =>
  page.locator("details[data-fold]").evaluateAll((folds) => {
    for (const fold of folds) (fold as HTMLDetailsElement).open = true;
  });

/** The status of every check, by name. Several checks of one name are joined with a space. */
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
