// /receipts in a real browser: the history of answers, each receipt whole, and its bytes to take away.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile } from "./support/browser.ts";
import { openOnWalrus, openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectSoundInBoth } from "./support/page-assertions.ts";
import { eventually } from "./support/verify-page.ts";

const browser = browserForFile();
const LONG = 120_000;

const rows = (page: Page) => page.getByRole("list", { name: "Receipts, newest first" }).locator(":scope > li");

describe("The history", () => {
  test.for(["desktop", "phone"] as const)(
    "shows and filters what was answered, on a %s",
    {
      timeout: LONG,
    },
    async (width) => {
      const service = await openOnWalrus();
      const { client, walrus } = service;
      await client.chat({ agentId: "stranger", query: "Anything?" });
      walrus.knobs.get.fault = "unavailable";
      await client.chat({ agentId: "planner", query: "When do I fly?" });
      walrus.knobs.get.fault = "wrong-bytes";
      await client.chat({ agentId: "advisor", query: "How much is saved?" });
      walrus.knobs.clear();
      const { receipt } = await client.chat({ agentId: "companion", query: "How do I feel?" });
      await client.anchorReceipt({ receipt });
      await askAndAnchor(service);
      await askAndAnchor(service, { claimNamespaces: ["diet", "finance"] });

      const { page } = await browser.visit(service.url, { width });
      await page.goto("/receipts");
      await eventually(() => rows(page).count()).toBe(6);
      const told = (await rows(page).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
      expect(told[0]).toMatch(/assistant 12 used 1 blocked all verified on the ledger, not authorized/);
      expect(told[1]).toMatch(/assistant 12 used 1 blocked all verified on the ledger/);
      expect(told[2]).toMatch(/companion 8 used 3 blocked all verified anchored as a blob/);
      expect(told[3]).toMatch(/advisor 4 used 4 blocked (none|\d) (not )?intact not anchored/);
      expect(told[4]).toMatch(/planner 7 used 3 blocked not verified not anchored/);
      expect(told[5]).toMatch(/stranger 0 used 6 blocked nothing to verify not anchored/);
      await expectSoundInBoth(page, "receipts");

      await page.getByLabel("Anchored").selectOption("no");
      await eventually(() => rows(page).count()).toBe(3);
      await page.getByLabel("Verified").selectOption("no");
      await eventually(() => rows(page).count()).toBe(2);
      expect(new URL(page.url()).search).toBe("?anchored=no&verified=no");
      await page.getByLabel("Agent").selectOption("planner");
      await eventually(() => rows(page).count()).toBe(1);
      await page.reload();
      await eventually(() => rows(page).count()).toBe(1);
      await expectSoundInBoth(page, "receipts-filtered");
      await page.getByLabel("Agent").selectOption("companion");
      await page.getByText("No receipt fits.").waitFor();
      await page.getByRole("button", { name: "Clear all filters" }).click();
      await eventually(() => rows(page).count()).toBe(6);
      await page.getByLabel("Namespace").selectOption("finance");
      await eventually(() => rows(page).count()).toBe(6);
    },
  );

  test("is empty at first, and says what to do", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/receipts");
    await page.getByText("No receipts yet.").waitFor();
    await expectSoundEverywhere(page, "receipts-none");
    await page.getByRole("link", { name: "Ask something" }).click();
    await page.getByRole("heading", { level: 1, name: "Ask through the gate" }).waitFor();
  });

  test("comes page by page", { timeout: LONG }, async () => {
    const service = await openService();
    for (let i = 0; i < 120; i++) await service.client.chat({ agentId: "advisor", query: "How much is saved?" });
    const { page } = await browser.visit(service.url);
    await page.goto("/receipts");
    await page.getByText("The newest 50 receipts").waitFor();
    await page.getByRole("button", { name: "Show older receipts" }).click();
    await page.getByText("The newest 100 receipts").waitFor();
    await page.getByRole("button", { name: "Show older receipts" }).click();
    await page.getByText("120 receipts.", { exact: true }).waitFor();
    expect(await rows(page).count()).toBe(120);
    expect(await page.getByRole("button", { name: "Show older receipts" }).count()).toBe(0);
  });

  test("says when the service does not answer", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/api\/receipts/);
    await page.route("**/api/receipts?*", (route) => route.abort("connectionrefused"));
    await page.goto("/receipts");
    await page.getByRole("alert").getByText("The service did not answer").waitFor();
    await expectSoundEverywhere(page, "receipts-down");
    await page.unroute("**/api/receipts?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No receipts yet.").waitFor();
  });
});

describe("One receipt", () => {
  test.for(["desktop", "phone"] as const)(
    "is shown whole, anchored, and taken away, on a %s",
    {
      timeout: LONG,
    },
    async (width) => {
      const service = await openService();
      const { receipt } = await service.client.chat({ agentId: "assistant", query: "What may I eat on Friday?" });
      const { page } = await browser.visit(service.url, {
        width,
        permissions: ["clipboard-read", "clipboard-write"],
      });
      await page.goto("/receipts");
      await rows(page).first().getByRole("link").click();
      await page.waitForURL(`**/receipts/${receipt.answerId}`);
      await page.getByRole("heading", { level: 1, name: "Receipt" }).waitFor();
      await page.getByText("Not anchored yet.").waitFor();
      await page.getByRole("heading", { name: "Used: 12 memories" }).waitFor();
      await expectSoundInBoth(page, "receipt");

      const downloading = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download as JSON" }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(`${receipt.answerId}.json`);
      expect(await readFile(await download.path(), "utf8")).toBe(canonicalJson(receipt));
      await page.getByRole("button", { name: "Copy link" }).click();
      await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
        `${service.url}/receipts/${receipt.answerId}`,
      );

      await page.getByRole("button", { name: "Anchor on the ledger …" }).click();
      await page.getByRole("checkbox", { name: "finance" }).check();
      await page.getByRole("button", { name: /^Anchor with \d claims$/ }).click();
      const anchors = page.getByRole("region", { name: "Anchors" });
      const onLedger = anchors.getByRole("list", { name: "On the ledger, oldest first" });
      await onLedger.getByText("not authorized: a claim was refused").waitFor();
      await anchors.getByRole("heading", { name: "As a blob" }).waitFor();
      const title = await anchors.locator("dd [title]").first().getAttribute("title");
      expect(title).toBe(digestOf(receipt));
      await expectSoundInBoth(page, "receipt-anchored");
      await onLedger.getByRole("link", { name: "Check it in the verifier" }).click();
      await page.waitForURL("**/verify/0x*");
      await page.goBack();
      await onLedger.locator('a[href^="/ledger/tx/"]').click();
      await page.waitForURL("**/ledger/tx/*");
    },
  );

  test("in dark and in light", { timeout: LONG }, async () => {
    const service = await openService();
    const { receipt } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    await page.goto(`/receipts/${receipt.answerId}`);
    await page.getByText("every claim authorized").waitFor();
    await expectSoundEverywhere(page, "receipt-whole");
    await page.goto("/receipts");
    await eventually(() => rows(page).count()).toBe(1);
    await expectSoundEverywhere(page, "receipts-one");
  });

  test("that does not exist is said not to", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/40[04] \((Not Found|Bad Request)\)/);
    for (const answerId of ["ans_none", "not%20an%20id"]) {
      await page.goto(`/receipts/${answerId}`);
      await page.getByText("This service issued no receipt with this id.").waitFor();
    }
    await expectSoundEverywhere(page, "receipt-none");
  });

  test("with hostile names and texts is only text", { timeout: LONG }, async () => {
    const service = await openService();
    const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    const name = `<b onclick=alert(3)>\u202e${"W".repeat(40)}`;
    for (const content of [markup, "W".repeat(8_000), "pay \u202e000,1 to\u2066 nobody"]) {
      await service.client.capture({ namespace: name, content, sourceAgent: name });
    }
    await service.client.setAccess({ agentId: name, namespace: name, allowed: true });
    const { receipt } = await service.client.chat({ agentId: name, query: "pay nobody" });
    const { page } = await browser.visit(service.url);
    await page.goto("/receipts");
    await eventually(() => rows(page).count()).toBe(1);
    await expectSoundEverywhere(page, "receipts-hostile");
    await page.goto(`/receipts/${receipt.answerId}`);
    await page.getByText(markup, { exact: true }).waitFor();
    expect(await page.locator("main").locator("img, script, b[onclick]").count()).toBe(0);
    await expectSoundEverywhere(page, "receipt-hostile");
  });
});
