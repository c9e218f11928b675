// Collects the errors of a page: console errors, uncaught exceptions, failed requests, dialogs, and violations of the
// content security policy.
import type { BrowserContext, Page } from "playwright-core";

export interface PageErrors {
  /** This test provokes such an error, and it must occur. */
  expect(pattern: RegExp): void;
  /** The errors that no test expected, and the expected ones that did not occur. */
  unexpected(): string[];
}

export async function reportPolicyViolations(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      // biome-ignore lint/suspicious/noConsole: the page reports to the test through its console.
      console.error(`policy: ${violatedDirective} refused ${blockedURI}`);
    });
  });
}

/** The service cuts the feed of a key that was revoked, at a time of its own. */
const CUT_FEED = /\/api\/events net::ERR_CONNECTION_RESET|net::ERR_CONNECTION_RESET \(.*\/api\/events\)/;

export function watchPage(page: Page): PageErrors {
  const errors: string[] = [];
  const expected: RegExp[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => errors.push(`exception: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // The browser aborts the requests of a page that the user leaves.
    if (reason !== "net::ERR_ABORTED") errors.push(`request: ${request.url()} ${reason}`);
  });
  page.on("dialog", (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return {
    expect: (pattern) => void expected.push(pattern),
    unexpected: () => [
      ...errors.filter((error) => ![...expected, CUT_FEED].some((pattern) => pattern.test(error))),
      ...expected
        .filter((pattern) => !errors.some((error) => pattern.test(error)))
        .map((pattern) => `expected, and did not occur: ${pattern}`),
    ],
  };
}
