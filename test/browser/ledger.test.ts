import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile } from "./support/browser.ts";
import { openOnSui, openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere } from "./support/page-assertions.ts";
import { turnTo } from "./support/turn-to.ts";
import { expectVerdict } from "./support/verify-page.ts";

const browser = browserForFile();
const IS_LOCAL = "A local ledger, not Sui:";
const LEDGER = pagePath("ledger");
const ALL_PATHS = [
  LEDGER,
  pagePath("ledgerTransaction", { digest: "abc" }),
  pagePath("ledgerObject", { objectId: "0x1" }),
];

describe("the local ledger", () => {
  test("leads from the list to a transaction, its receipt and the verifier", async () => {
    const service = await openService();
    const { txDigest, receiptId, digestHex, explorerUrl } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    await page.goto(LEDGER);
    await page.getByText(IS_LOCAL).waitFor();
    // Changes of the policy have a transaction of their own, which strangers cannot read.
    const policyRow = page.getByRole("row", { name: /access set \d+ times/i });
    await policyRow.getByRole("link").click();
    await page.getByText("assistant may now use diet.").waitFor();
    await page.goBack();
    const row = page.getByRole("row", { name: "1 receipt anchored" });
    await row.getByText("executed").waitFor();
    await page.getByRole("row", { name: "Genesis" }).waitFor();
    await expectSoundEverywhere(page, "ledger");

    await row.getByRole("link").click();
    await page.waitForURL(explorerUrl);
    await page.getByRole("heading", { level: 1, name: "Transaction" }).waitFor();
    await page.getByText(txDigest).first().waitFor();
    await page.getByText("A receipt for assistant was anchored.").waitFor();
    await page.getByText("every claim authorized").waitFor();
    await expectSoundEverywhere(page, "ledger-transaction");

    await page.getByRole("link", { name: receiptId }).first().click();
    await page.getByRole("heading", { level: 1, name: "gate::Receipt" }).waitFor();
    await page.getByText("Frozen: no transaction can change or move it any more.").waitFor();
    await page.getByText(digestHex).waitFor();
    await expectSoundEverywhere(page, "ledger-object");

    await page.getByRole("link", { name: "Verify this receipt" }).click();
    await expectVerdict(page, "verified");
  });

  test("shows its genesis before anything was anchored", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width: "phone" });
    await page.goto(LEDGER);
    await page.getByRole("row", { name: "Genesis" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
  });

  test("has pages that the back button returns to", async () => {
    const service = await openService();
    const { receipt } = await service.client.chat({ agentId: "assistant", query: "Anything" });
    for (let n = 0; n < 26; n++) {
      await service.client.anchorOnChain({ receipt, claimNamespaces: [`namespace ${n}`] });
    }
    const { page } = await browser.visit(service.url);
    await page.goto(LEDGER);
    const numbers = page.getByRole("row").getByRole("cell", { name: /^\d+$/ });
    // Before the 26 anchors, the policy has a transaction of its own.
    await page.getByRole("cell", { name: "27", exact: true }).waitFor();
    expect(await numbers.allInnerTexts()).toEqual(Array.from({ length: 25 }, (_, i) => String(27 - i)));
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByRole("cell", { name: "0", exact: true }).waitFor();
    expect(await numbers.allInnerTexts()).toEqual(["2", "1", "0"]);
    expect(await page.getByRole("link", { name: "Older" }).count()).toBe(0);
    await page.getByRole("link", { name: "Newest" }).click();
    await page.getByRole("cell", { name: "27", exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("cell", { name: "0", exact: true }).waitFor();
  });

  test("shows that it has no such transaction or object", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/404 \(Not Found\) .*\/api\/ledger\/transactions\//);
    expectError(/404 \(Not Found\) .*\/api\/ledger\/objects\//);
    await page.goto(pagePath("ledgerTransaction", { digest: "4".repeat(44) }));
    await page.getByRole("alert").getByText("has no transaction").waitFor();
    await turnTo(page, pagePath("ledgerObject", { objectId: "0x77" }));
    await page.getByRole("alert").getByText("has no object").waitFor();
    await expectSound(page, "ledger-missing");
  });

  test("shows hostile names as text", async () => {
    const service = await openService();
    const agentId = "<img src=x onerror=alert(1)>\u05d0\u05d1\u05d2";
    await service.client.setAccess({ agentId, namespace: "diet", allowed: true });
    const { txDigest } = await askAndAnchor(service, { agentId });
    const { page } = await browser.visit(service.url);
    await page.goto(pagePath("ledgerTransaction", { digest: txDigest }));
    await page.getByText(`A receipt for ${agentId} was anchored.`).waitFor();
    expect(await page.getByRole("main").locator("img").count()).toBe(0);
  });

  test("has a content security policy that allows nothing inline", async () => {
    const service = await openService();
    for (const path of ALL_PATHS) {
      const { headers } = await fetch(service.url + path, { headers: { accept: "text/html" } });
      expect(headers.get("content-security-policy")).toContain("script-src 'self'; style-src 'self';");
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
    }
  });
});

describe("a service on Sui", () => {
  test("shows that it has no pages of the ledger", async () => {
    const service = await openOnSui();
    const { page } = await browser.visit(service.url);
    for (const path of ALL_PATHS) {
      await page.goto(path);
      await page.getByText("This service anchors on Sui, network localnet.").waitFor();
      expect(await page.getByText(IS_LOCAL).count()).toBe(0);
    }
  });
});
