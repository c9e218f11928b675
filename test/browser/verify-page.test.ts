import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually, WIDTHS } from "./support/browser.ts";
import { focusOutline, tabTo } from "./support/keyboard.ts";
import { openOnWalrus, openService } from "./support/open-service.ts";
import { expectSound, screenshot } from "./support/page-assertions.ts";
import { checkOn, expectVerdict } from "./support/verify-page.ts";

const browser = browserForFile();

describe("the verifier", () => {
  test("says what the proof does not show, prints everything, can be used with the keyboard alone, has the service make a deep check, and has a page without script", async () => {
    const service = await openService();
    const { verifyPath, receiptId, storeBlob } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");
    const limits = page.locator("[data-verdict] + * > [data-not-shown]");
    await limits.getByText("this service’s own, on one machine, and not Sui").waitFor();
    await limits.getByText("the service’s own mock store").waitFor();
    await limits.getByText("the model was given this prompt and no other").waitFor();

    // Printed, it is expanded, without buttons, with the QR code.
    await page.setViewportSize({ width: 794, height: 1123 });
    expect(await page.locator("main details[open]").count()).toBe(0);
    await page.emulateMedia({ media: "print" });
    await eventually(() => page.locator("main details:not([open])").count()).toBe(0);
    expect(await page.locator("button:visible, nav:visible").count()).toBe(0);
    expect(await page.getByRole("img", { name: "QR code" }).count()).toBe(1);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      "rgb(255, 255, 255)",
    );
    await screenshot(page, "verify-print");
    await page.emulateMedia({ media: "screen" });
    await eventually(() => page.locator("main details[open]").count()).toBe(0);
    await page.setViewportSize(WIDTHS.desktop);

    await tabTo(page, "Skip to content");
    await page.keyboard.press("Enter");
    await tabTo(page, "Check again");
    await page.keyboard.press("Enter");
    await expectVerdict(page, "verified");
    await tabTo(page, "Copy link");
    await page.keyboard.press("Enter");
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
      service.url + pagePath("verify", { receiptId }),
    );
    await tabTo(page, "Repeat it in a shell");
    await page.keyboard.press("Enter");
    await page.getByText(`curl -s '${service.url}/api/ledger/objects/${receiptId}'`).waitFor();
    expect(await focusOutline(page)).toBe("solid");

    await page.getByRole("button", { name: "Request a deep check" }).click();
    const deep = page.getByRole("list", { name: "Deep check, by the service" });
    await deep.getByText(storeBlob).waitFor();
    expect(await deep.getByText("follows from its bytes").count()).toBeGreaterThan(1);
    expect(await page.getByRole("alert").count()).toBe(0);

    await page.getByRole("link", { name: "without any script" }).click();
    await page.waitForURL(/\?plain=1$/);
    expect(await page.locator("script").count()).toBe(0);
    await page.getByRole("heading", { level: 1, name: "Verified" }).waitFor();
  });

  test("without script, folds the checks that passed when one failed", async () => {
    const service = await openService();
    const { verifyPath } = await askAndAnchor(service, { claimNamespaces: ["finance"] });
    const { page } = await browser.visit(service.url);
    await page.goto(`${verifyPath}?plain=1`);
    await page.getByRole("heading", { level: 1, name: "Failed: its claims" }).waitFor();
    await page.getByRole("heading", { level: 3, name: "Was everything allowed that it used?" }).waitFor();
    const passed = page.getByRole("heading", { level: 3, name: "Is it a receipt of ours, on the ledger?" });
    expect(await passed.isVisible()).toBe(false);
    await page
      .getByText(/^\d+ checks passed$/)
      .first()
      .click();
    await passed.waitFor();
    await expectSound(page, "verify-plain-failed");
  });

  test("shows that an address has no receipt id", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto(pagePath("verify", { receiptId: "0xzz" }));
    await page.getByRole("heading", { level: 1, name: "Not a receipt id" }).waitFor();
  });

  test("shows an alert when the browser and the service do not agree", async () => {
    const service = await openOnWalrus();
    const { verifyPath, storeBlob } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    await page.route(`**/v1/blobs/${storeBlob}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${await response.text()} ` });
    });
    await page.goto(verifyPath);
    await expectVerdict(page, "failed", "verified");
    const alert = page.getByRole("alert");
    await alert.getByText("Your browser and the service do not agree").waitFor();
    await alert.getByRole("row", { name: "Is this the text that was anchored? fail pass" }).waitFor();
    await checkOn(page, "digest").getByText("the service says: pass").waitFor();
    await expectSound(page, "verify-disagreement");
  });

  const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  const turned = "pay \u202e000,1 to\u2066 nobody";

  test("shows hostile memories and names as text", async () => {
    const service = await openService();
    const namespace = "<b onclick=alert(3)>\u05d0\u05d1\u05d2 diet";
    const facts = [markup, turned, `${markup} ${"long ".repeat(1_600)}`.slice(0, 7_999).trim()];
    await service.client.setAccess({ agentId: "reader", namespace, allowed: true });
    for (const content of facts) {
      await service.client.capture({ namespace, content, sourceAgent: '"><svg onload=alert(4)>' });
    }
    const { verifyPath } = await askAndAnchor(service, { agentId: "reader", query: "pay nobody" });
    const { page } = await browser.visit(service.url, { width: "phone" });
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");

    const main = page.getByRole("main");
    await main.getByText(markup, { exact: true }).waitFor();
    await main.getByText("pay ⟨U+202E⟩000,1 to⟨U+2066⟩ nobody", { exact: true }).waitFor();
    expect(await main.locator("img, script, b[onclick], svg[onload]").count()).toBe(0);
    expect(await main.innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
    const long = checkOn(page, "memory").filter({ hasText: "long long" });
    await long.getByText(/The fetched bytes, 8,\d{3} bytes/).click();
    await long.getByRole("region", { name: "The fetched bytes" }).getByText("long ".repeat(1_000)).waitFor();
    await expectSound(page, "verify-hostile");
  });
});
