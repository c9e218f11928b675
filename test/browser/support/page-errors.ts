// What a page did that it should not have: errors on the console, exceptions nobody caught, requests that failed,
// things that the content-security-policy refused.
import type { BrowserContext, Page } from "playwright-core";

export interface Troubles {
  readonly seen: readonly string[];
  /** This is meant to go wrong in this test, and it must. */
  expect(pattern: RegExp): void;
  /** Those that were not expected, and those expected that did not come. */
  unsettled(): string[];
}

export async function watchContext(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      // biome-ignore lint/suspicious/noConsole: this is how the page tells the test.
      console.error(`policy: ${violatedDirective} refused ${blockedURI}`);
    });
  });
}

export function watchPage(page: Page): Troubles {
  const seen: string[] = [];
  const expected: RegExp[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") seen.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => seen.push(`exception: ${error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // Who leaves a page leaves its requests.
    if (why !== "net::ERR_ABORTED") seen.push(`request: ${request.url()} ${why}`);
  });
  page.on("dialog", (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return {
    seen,
    expect: (pattern) => void expected.push(pattern),
    unsettled: () => [
      ...seen.filter((trouble) => !expected.some((pattern) => pattern.test(trouble))),
      ...expected
        .filter((pattern) => !seen.some((trouble) => pattern.test(trouble)))
        .map((pattern) => `expected, and did not come: ${pattern}`),
    ],
  };
}
